import { ALPHABET, bare, FRAMED, LETTERS, request, SERVED } from '../message.ts'
import type { Outcome, Probe } from '../probe.ts'

const HOST = 'Host: localhost'
const WAITING = request(`POST ${LETTERS}`, 'Content-Length: 5', 'Expect: 100-continue')
const SAYS_CLOSE = /^(.*,)? *close *(,.*)?$/i
const SAYS_KEEP_ALIVE = /^(.*,)? *keep-alive *(,.*)?$/i

const ONE_ANSWER_AND_CLOSED: readonly Outcome[] = [{ answers: [{ status: [200], body: ALPHABET }], fate: 'closed' }]

/** RFC 9112 section 9, RFC 9110 sections 7.6.1, 7.8 and 10.1.1: connections, Expect and Upgrade. */
export const CONNECTIONS: readonly Probe[] = [
  {
    id: 'expect/answered-before-body',
    section: '9110 10.1.1',
    level: 'MUST',
    title: 'a client that expects 100 (Continue) gets it, or a final answer, without having sent the body',
    sends: [WAITING, 'await answer', '12345'],
    outcomes: [
      { answers: [{ status: ['2xx', '4xx'] }], continues: 1 },
      { answers: [{ status: ['2xx', '4xx'] }], continues: 0 },
    ],
  },
  {
    id: 'expect/any-case',
    section: '9110 10.1.1',
    level: 'MUST',
    title: 'the expectation is case-insensitive',
    sends: [request(`POST ${LETTERS}`, 'Content-Length: 5', 'Expect: 100-Continue'), 'await answer', '12345'],
    outcomes: [
      { answers: [{ status: ['2xx', 404, 405] }], continues: 1 },
      { answers: [{ status: ['2xx', 404, 405] }], continues: 0 },
    ],
  },
  {
    id: 'expect/continue-is-followed',
    section: '9110 15.2',
    level: 'MUST',
    title: 'a final answer follows when the body has come at once',
    sends: [`${WAITING}12345`],
    outcomes: [{ answers: [{ status: ['2xx', 405] }] }],
  },
  {
    id: 'expect/http10',
    section: '9110 10.1.1',
    level: 'MUST',
    title: 'the expectation of an HTTP/1.0 request is ignored',
    sends: [`${bare(`POST ${LETTERS} HTTP/1.0`, HOST, 'Content-Length: 5', 'Expect: 100-continue')}12345`],
    outcomes: [{ answers: [{ status: ['2xx', 405] }], continues: 0, fate: 'closed' }],
  },
  {
    id: 'expect/final-answer-tells',
    section: '9110 10.1.1',
    level: 'SHOULD',
    title: 'a final answer instead of 100 (Continue) tells whether the connection ends or the body is read',
    sends: [request('POST /nowhere', 'Content-Length: 5', 'Expect: 100-continue'), 'await answer', '12345'],
    outcomes: [
      { answers: [{ status: ['4xx'] }], continues: 1 },
      { answers: [{ status: ['4xx'], fields: { connection: SAYS_CLOSE } }], continues: 0, fate: 'closed' },
      { answers: [{ status: ['4xx'] }], continues: 0, fate: 'open' },
    ],
  },
  {
    id: 'persist/by-default',
    section: '9112 9.3',
    level: 'SHOULD',
    title: 'connections of HTTP/1.1 are kept without being asked',
    sends: [request(`GET ${LETTERS}`)],
    outcomes: SERVED,
  },
  {
    id: 'persist/close',
    section: '9112 9.6',
    level: 'MUST',
    title: 'behind a request with close the connection ends',
    sends: [request(`GET ${LETTERS}`, 'Connection: close')],
    outcomes: ONE_ANSWER_AND_CLOSED,
  },
  {
    id: 'persist/close-is-told',
    section: '9112 9.6',
    level: 'SHOULD',
    title: 'the answer to a request with close has it as well',
    sends: [request(`GET ${LETTERS}`, 'Connection: close')],
    outcomes: [{ answers: [{ status: [200], fields: { connection: SAYS_CLOSE } }], fate: 'closed' }],
  },
  {
    id: 'persist/close-any-case',
    section: '9110 7.6.1',
    level: 'MUST',
    title: 'options of Connection are case-insensitive',
    sends: [request(`GET ${LETTERS}`, 'Connection: CLOSE')],
    outcomes: ONE_ANSWER_AND_CLOSED,
  },
  {
    id: 'persist/nothing-behind-close',
    section: '9112 9.6',
    level: 'MUST',
    title: 'a request behind one with close is not processed',
    sends: [request(`GET ${LETTERS}`, 'Connection: close') + request(`GET ${LETTERS}`)],
    outcomes: ONE_ANSWER_AND_CLOSED,
  },
  {
    id: 'persist/close-wins',
    section: '9112 9.3',
    level: 'MUST',
    title: 'close counts more than keep-alive beside it',
    sends: [request(`GET ${LETTERS}`, 'Connection: keep-alive, close')],
    outcomes: ONE_ANSWER_AND_CLOSED,
  },
  {
    id: 'persist/unknown-option',
    section: '9110 7.6.1',
    level: 'MUST',
    title: 'an unknown option of Connection does not end it',
    sends: [request(`GET ${LETTERS}`, 'Connection: x-test, closed')],
    outcomes: SERVED,
  },
  {
    id: 'persist/http10-ends',
    section: '9112 9.3',
    level: 'MUST',
    title: 'a connection of HTTP/1.0 ends behind the answer',
    sends: [bare(`GET ${LETTERS} HTTP/1.0`, HOST)],
    outcomes: ONE_ANSWER_AND_CLOSED,
  },
  {
    id: 'persist/http10-keep-alive',
    section: '9112 C.2.2',
    level: 'MUST',
    title: 'a connection of HTTP/1.0 is kept only if the answer says so',
    sends: [bare(`GET ${LETTERS} HTTP/1.0`, HOST, 'Connection: keep-alive')],
    outcomes: [
      { answers: [{ status: [200], body: ALPHABET, fields: { connection: SAYS_KEEP_ALIVE } }], fate: 'open' },
      ...ONE_ANSWER_AND_CLOSED,
    ],
  },
  {
    id: 'persist/http10-no-chunks',
    section: '9112 6.1',
    level: 'MUST',
    title: 'an HTTP/1.0 request is answered without Transfer-Encoding',
    sends: [bare('GET /nowhere HTTP/1.0', HOST)],
    outcomes: [{ answers: [{ status: [404], fields: { 'transfer-encoding': null } }], fate: 'closed' }],
  },
  {
    id: 'persist/behind-error',
    section: '9112 9.3',
    level: 'SHOULD',
    title: 'a connection is kept behind an error that has nothing to do with its framing',
    sends: [request('GET /nowhere')],
    outcomes: [{ answers: [{ status: [404] }], fate: 'open' }],
  },
  {
    id: 'persist/half-closed',
    section: '9112 9.6',
    level: 'SHOULD',
    title: 'a client that closes its sending side behind a request gets its answer',
    sends: [request(`GET ${LETTERS}`), 'end'],
    outcomes: ONE_ANSWER_AND_CLOSED,
  },
  {
    id: 'persist/bad-request-tells-close',
    section: '9112 9.6',
    level: 'SHOULD',
    title: 'an answer behind which the connection ends says so: 400',
    sends: [bare(`GET ${LETTERS} HTTP/1.1`)],
    outcomes: [
      { answers: [{ status: [400], fields: { connection: SAYS_CLOSE } }], fate: 'closed' },
      { answers: [{ status: [400], fields: { connection: null } }], fate: 'open' },
    ],
  },
  {
    id: 'upgrade/ignored',
    section: '9110 7.8',
    level: 'MUST',
    title: 'a server does not switch to a protocol that was not offered',
    sends: [request(`GET ${LETTERS}`, 'Connection: upgrade', 'Upgrade: never-heard-of/7')],
    outcomes: SERVED,
  },
  {
    id: 'upgrade/http10',
    section: '9110 7.8',
    level: 'MUST',
    title: 'Upgrade in an HTTP/1.0 request is ignored',
    sends: [bare(`GET ${LETTERS} HTTP/1.0`, HOST, 'Connection: upgrade', 'Upgrade: h2c')],
    outcomes: ONE_ANSWER_AND_CLOSED,
  },
  {
    id: 'upgrade/with-body',
    section: '9110 7.8',
    level: 'MUST',
    title: 'a body beside an Upgrade that is ignored is read',
    sends: [`${request(`POST ${LETTERS}`, 'Connection: upgrade', 'Upgrade: never-heard-of/7', 'Content-Length: 5')}12345`],
    outcomes: FRAMED,
  },
  {
    id: 'upgrade/http2-preface',
    section: '9112 2.2',
    level: 'SHOULD',
    title: 'the preface of HTTP/2 is not served as a request of HTTP/1.1',
    sends: ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    outcomes: [
      { answers: [{ status: ['4xx', '5xx'] }], fate: 'closed' },
      { answers: [], fate: 'closed' },
    ],
  },
]
