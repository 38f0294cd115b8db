import { ALPHABET, BAD_AND_CLOSED, bare, chunked, FRAMED, LETTERS, request } from '../message.ts'
import type { Outcome, Probe } from '../probe.ts'

const HOST = 'Host: localhost'
/** The answer to a smuggled request is not the answer to the next one, and a second answer is wrong. */
const SMUGGLED = request('GET /smuggled.txt')

/** Whatever is answered, the connection is not used again. */
const ENDED: readonly Outcome[] = [
  { answers: [{}], fate: 'closed' },
  { answers: [], fate: 'closed' },
]
const BAD_OR_UNKNOWN: readonly Outcome[] = [{ answers: [{ status: [400, 501] }], fate: 'closed' }]

/** RFC 9112 section 6: where a request ends. */
export const FRAMING: readonly Probe[] = [
  framed('length', '9112 6.3', 'a body of Content-Length octets is read whole', [
    `${request(`POST ${LETTERS}`, 'Content-Length: 5')}12345`,
  ]),
  framed('length-in-pieces', '9112 6.3', 'a body that comes later and in pieces is read whole', [
    request(`POST ${LETTERS}`, 'Content-Length: 5'),
    '12',
    '345',
  ]),
  framed('length-zero', '9112 6.3', 'a body of length 0 is none', [request(`POST ${LETTERS}`, 'Content-Length: 0')]),
  framed('length-leading-zeros', '9110 8.6', 'Content-Length may begin with zeros', [
    `${request(`POST ${LETTERS}`, 'Content-Length: 0005')}12345`,
  ]),
  framed('no-length', '9112 6.3', 'a request without Content-Length and Transfer-Encoding has no body', [
    request(`POST ${LETTERS}`),
  ]),
  framed('get-with-body', '9112 6.3', 'a body of a GET request is a body', [
    `${request(`GET ${LETTERS}`, `Content-Length: ${SMUGGLED.length}`)}${SMUGGLED}`,
  ]),
  framed(
    'head-with-body',
    '9112 6.3',
    'a body of a HEAD request is a body',
    [`${request(`HEAD ${LETTERS}`, `Content-Length: ${SMUGGLED.length}`)}${SMUGGLED}`],
    ['HEAD'],
  ),
  badLength('letters', 'letters', 'five'),
  badLength('plus', 'a sign', '+5'),
  badLength('minus', 'a negative number', '-5'),
  badLength('fraction', 'a fraction', '5.0'),
  badLength('hexadecimal', 'a hexadecimal number', '0x5'),
  badLength('underscore', 'an underscore', '5_0'),
  badLength('inner-blank', 'a blank within', '5 5'),
  badLength('empty', 'no value', ''),
  badLength('list', 'different values', '5, 6'),
  {
    id: 'framing/length-twice',
    section: '9112 6.3',
    level: 'MUST',
    title: 'two lines with different lengths are answered 400 and the connection ends',
    sends: [`${request(`POST ${LETTERS}`, 'Content-Length: 5', 'Content-Length: 6')}123456`],
    outcomes: BAD_AND_CLOSED,
  },
  {
    id: 'framing/length-twice-equal',
    section: '9112 6.3',
    level: 'MUST',
    title: 'the same length twice is refused or counts once',
    sends: [`${request(`POST ${LETTERS}`, 'Content-Length: 5', 'Content-Length: 5')}12345`],
    outcomes: [...BAD_AND_CLOSED, ...FRAMED],
  },
  {
    id: 'framing/length-overflow',
    section: '9110 8.6',
    level: 'MUST',
    title: 'a length beyond 64 bits does not overflow',
    sends: [`${request(`POST ${LETTERS}`, 'Content-Length: 18446744073709551621')}12345`],
    outcomes: [
      { answers: [{ status: ['4xx'] }], fate: 'closed' },
      { answers: [], fate: 'closed' },
    ],
  },
  {
    id: 'framing/length-cut-off',
    section: '9112 6.3',
    level: 'MUST',
    title: 'a body that ends too early is incomplete, and the connection ends',
    sends: [`${request(`POST ${LETTERS}`, 'Content-Length: 10')}1234`, 'end'],
    outcomes: ENDED,
  },
  {
    id: 'framing/chunks-cut-off',
    section: '9112 8',
    level: 'MUST',
    title: 'a chunked body without its last chunk is incomplete, and the connection ends',
    sends: [chunked('5\r\n12345\r\n'), 'end'],
    outcomes: ENDED,
  },
  {
    id: 'framing/both',
    section: '9112 6.1',
    level: 'MUST',
    title: 'with both Transfer-Encoding and Content-Length the connection ends behind the answer',
    sends: [`${request(`POST ${LETTERS}`, 'Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n${SMUGGLED}`],
    outcomes: [{ answers: [{}], fate: 'closed' }],
  },
  {
    id: 'framing/both-other-order',
    section: '9112 6.1',
    level: 'MUST',
    title: 'the same whichever of the two comes first',
    sends: [`${request(`POST ${LETTERS}`, 'Transfer-Encoding: chunked', 'Content-Length: 100')}0\r\n\r\n${SMUGGLED}`],
    outcomes: [{ answers: [{}], fate: 'closed' }],
  },
  {
    id: 'framing/not-chunked-last',
    section: '9112 6.3',
    level: 'MUST',
    title: 'a body whose last coding is not chunked is answered 400 and the connection ends',
    sends: [`${request(`POST ${LETTERS}`, 'Transfer-Encoding: chunked, gzip')}0\r\n\r\n`],
    outcomes: BAD_OR_UNKNOWN,
  },
  {
    id: 'framing/gzip-alone',
    section: '9112 6.3',
    level: 'MUST',
    title: 'a coding without chunked is answered 400 (or 501, when it is not known) and the connection ends',
    sends: [`${request(`POST ${LETTERS}`, 'Transfer-Encoding: gzip')}0\r\n\r\n`],
    outcomes: BAD_OR_UNKNOWN,
  },
  {
    id: 'framing/identity',
    section: '9112 6.3',
    level: 'MUST',
    title: 'identity, which is no coding any more, is answered 400 or 501 and the connection ends',
    sends: [`${request(`POST ${LETTERS}`, 'Transfer-Encoding: identity', 'Content-Length: 5')}12345`],
    outcomes: BAD_OR_UNKNOWN,
  },
  {
    id: 'framing/unknown-coding',
    section: '9112 6.1',
    level: 'SHOULD',
    title: 'a coding that is not understood is answered 501',
    sends: [`${request(`POST ${LETTERS}`, 'Transfer-Encoding: never-heard-of, chunked')}0\r\n\r\n`],
    outcomes: [{ answers: [{ status: [501] }] }],
  },
  {
    id: 'framing/coding-with-prefix',
    section: '9112 6.3',
    level: 'MUST',
    title: 'xchunked is not chunked',
    sends: [`${request(`POST ${LETTERS}`, 'Transfer-Encoding: xchunked')}0\r\n\r\n`],
    outcomes: BAD_OR_UNKNOWN,
  },
  {
    id: 'framing/coding-with-control',
    section: '9112 6.3',
    level: 'MUST',
    title: 'chunked behind a vertical tab is not chunked',
    sends: [`${request(`POST ${LETTERS}`, 'Transfer-Encoding: \vchunked')}0\r\n\r\n`],
    outcomes: BAD_OR_UNKNOWN,
  },
  {
    id: 'framing/coding-empty',
    section: '9112 6.1',
    level: 'MUST',
    title:
      'an empty Transfer-Encoding does not make the length count for another reader: the request is refused or the connection ends',
    sends: [`${request(`POST ${LETTERS}`, 'Transfer-Encoding:', 'Content-Length: 5')}12345`],
    outcomes: ENDED,
  },
  {
    id: 'framing/chunked-twice',
    section: '9112 6.1',
    level: 'SHOULD',
    title: 'chunked is not applied twice: answered 400, or 501',
    sends: [`${request(`POST ${LETTERS}`, 'Transfer-Encoding: chunked, chunked')}0\r\n\r\n`],
    outcomes: BAD_OR_UNKNOWN,
  },
  framed('coding-any-case', '9112 7', 'names of codings are case-insensitive', [
    `${request(`POST ${LETTERS}`, 'Transfer-Encoding: Chunked')}5\r\n12345\r\n0\r\n\r\n`,
  ]),
  {
    id: 'framing/coding-in-http10',
    section: '9112 6.1',
    level: 'MUST',
    title: 'behind an HTTP/1.0 request with Transfer-Encoding the connection ends',
    sends: [
      `${bare(`POST ${LETTERS} HTTP/1.0`, HOST, 'Connection: keep-alive', 'Transfer-Encoding: chunked')}0\r\n\r\n${SMUGGLED}`,
    ],
    outcomes: ENDED,
  },
  {
    id: 'framing/coding-and-length-in-http10',
    section: '9112 6.1',
    level: 'MUST',
    title: 'the same when there is a Content-Length as well',
    sends: [
      `${bare(`POST ${LETTERS} HTTP/1.0`, HOST, 'Connection: keep-alive', 'Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n${SMUGGLED}`,
    ],
    outcomes: ENDED,
  },
  neverARequest('not-found', 'POST /nowhere', 'of a request that is answered 404'),
  neverARequest('not-allowed', `DELETE ${LETTERS}`, 'of a method that is not allowed'),
  neverARequest('unknown-method', `NEVERHEARDOF ${LETTERS}`, 'of a method that is not known'),
  neverARequest('redirect', 'POST /folder', 'of a request that is redirected'),
  {
    id: 'framing/pipeline',
    section: '9112 9.3.2',
    level: 'MUST',
    title: 'pipelined requests are answered in their order',
    sends: [request(`GET ${LETTERS}`) + request('GET /nowhere') + request('HEAD /empty.txt') + request(`GET ${LETTERS}`)],
    methods: ['GET', 'GET', 'HEAD', 'GET'],
    outcomes: [
      {
        answers: [
          { status: [200], body: ALPHABET },
          { status: [404] },
          { status: [200], body: '' },
          { status: [200], body: ALPHABET },
        ],
        fate: 'open',
      },
    ],
  },
  {
    id: 'framing/pipeline-behind-body',
    section: '9112 9.3.2',
    level: 'MUST',
    title: 'a request that is pipelined behind a body is answered',
    sends: [`${request(`POST ${LETTERS}`, 'Content-Length: 5')}12345${request(`GET ${LETTERS}`)}`],
    outcomes: [{ answers: [{ status: ['2xx', 405] }, { status: [200], body: ALPHABET }], fate: 'open' }],
  },
]

function framed(id: string, section: string, title: string, sends: readonly string[], methods?: readonly string[]): Probe {
  return { id: `framing/${id}`, section, level: 'MUST', title, sends, methods, outcomes: FRAMED }
}

function badLength(id: string, what: string, value: string): Probe {
  return {
    id: `framing/length-${id}`,
    section: '9112 6.3',
    level: 'MUST',
    title: `a Content-Length with ${what} is answered 400 and the connection ends`,
    sends: [`${request(`POST ${LETTERS}`, `Content-Length: ${value}`)}12345`],
    outcomes: BAD_AND_CLOSED,
  }
}

/** A server need not accept a body, but must not interpret it as something else. */
function neverARequest(id: string, methodAndTarget: string, whose: string): Probe {
  return {
    id: `framing/unwanted-body-${id}`,
    section: '9112 9.3',
    level: 'MUST',
    title: `the body ${whose} is read to its end, or the connection ends`,
    sends: [`${request(methodAndTarget, `Content-Length: ${SMUGGLED.length}`)}${SMUGGLED}`],
    outcomes: [{ answers: [{ status: ['3xx', '4xx', '5xx', '2xx'] }] }],
  }
}
