import type { Field } from '../../packages/http2/test/support/frames.ts'

/** A request that would be another one, or two, if a proxy wrote it as lines of HTTP/1.1. */
export interface HostileRequest {
  readonly name: string
  /** The header block. The target contains `@`, the number of the request. */
  readonly fields: readonly Field[]
  readonly body?: string
  readonly trailers?: readonly Field[]
  /**
   * `reset`: the stream ends without a response, because this is no request. `refused`: it is answered by the proxy itself.
   * `cut`: a backend may answer before the end of the body shows that it is wrong, and never receives all of it.
   * `passed`: the backend receives this one request, with this body.
   */
  readonly fate: 'reset' | 'refused' | 'cut' | 'passed'
}

const PATH = '/case-@'
/** What an attacker hides. */
const HIDDEN = 'GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n'

interface Parts {
  readonly method?: string
  readonly scheme?: string
  readonly authority?: string
  readonly path?: string
}

function head(
  { method = 'GET', scheme = 'http', authority = 'localhost', path = PATH }: Parts,
  ...more: readonly Field[]
): Field[] {
  return [[':method', method], [':scheme', scheme], [':authority', authority], [':path', path], ...more]
}

function reset(name: string, fields: readonly Field[], body?: string): HostileRequest {
  return { name, fields, fate: 'reset', ...(body === undefined ? {} : { body }) }
}

const POST = { method: 'POST' }

const PSEUDO: readonly HostileRequest[] = [
  reset('a line end in :path', head({ path: `${PATH} HTTP/1.1\r\nHost: h\r\n\r\n${HIDDEN}` })),
  reset('a line feed in :path', head({ path: `${PATH}\n${HIDDEN}` })),
  reset('a carriage return in :path', head({ path: `${PATH}\rx` })),
  reset('NUL in :path', head({ path: `${PATH}\0` })),
  reset('a tab in :path', head({ path: `${PATH}\tHTTP/1.1` })),
  reset('a blank in :path', head({ path: `${PATH} HTTP/1.0` })),
  reset('a :path without a slash', head({ path: 'case-@' })),
  reset('a URL as :path', head({ path: `http://other.test${PATH}` })),
  reset('* as :path of GET', head({ path: '*' })),
  reset('an empty :path', head({ path: '' })),
  reset('two :path', head({}, [':path', '/smuggled'])),
  { name: 'a fragment in :path', fields: head({ path: `${PATH}#x` }), fate: 'refused' },
  { name: 'an encoded line end in :path', fields: head({ path: `${PATH}%0d%0aX:%20y` }), fate: 'passed' },
  {
    name: 'an encoded line end in the query',
    fields: head({ path: `${PATH}?%0d%0a${encodeURIComponent(HIDDEN)}` }),
    fate: 'passed',
  },
  { name: 'two slashes and a host as :path', fields: head({ path: `//other.test${PATH}` }), fate: 'passed' },
  { name: 'bytes above 127 in :path', fields: head({ path: `${PATH}\u00e9` }), fate: 'passed' },
  reset('a line end in :method', head({ method: `GET ${PATH} HTTP/1.1\r\nX:` })),
  reset('a blank in :method', head({ method: `GET ${PATH}` })),
  reset('two :method', head({}, [':method', 'POST'])),
  reset('an empty :method', head({ method: '' })),
  reset('a line end in :authority', head({ authority: `localhost\r\n\r\n${HIDDEN}` })),
  reset('a blank in :authority', head({ authority: 'localhost HTTP/1.1' })),
  reset('a slash in :authority', head({ authority: 'localhost/smuggled' })),
  reset('two :authority', head({}, [':authority', 'other.test'])),
  { name: 'a user in :authority', fields: head({ authority: 'user@localhost' }), fate: 'refused' },
  { name: 'two ports in :authority', fields: head({ authority: 'localhost:1:2' }), fate: 'refused' },
  reset('a line end in :scheme', head({ scheme: `http\r\n${HIDDEN}` })),
  reset('a URL as :scheme', head({ scheme: 'http://localhost/smuggled?' })),
  { name: 'another :scheme', fields: head({ scheme: 'ftp' }), fate: 'refused' },
  reset('an unknown pseudo field', head({}, [':x', 'y'])),
  reset(':status in a request', head({}, [':status', '200'])),
  reset('a pseudo field after the others', [...head({}).slice(0, 3), ['x', 'y'], [':path', PATH]]),
  reset('an extended CONNECT that is not offered', head({ method: 'CONNECT' }, [':protocol', 'websocket'])),
  reset('CONNECT with a path', head({ method: 'CONNECT' })),
]

const VALUES: readonly HostileRequest[] = [
  reset('a line end in a value', head({}, ['x', `y\r\nz: 1`])),
  reset('a request in a value', head({}, ['x', `y\r\n\r\n${HIDDEN}`])),
  reset('a line feed in a value', head({}, ['x', `y\n\n${HIDDEN}`])),
  reset('a carriage return in a value', head({}, ['x', 'y\rTransfer-Encoding: chunked'])),
  reset('NUL in a value', head({}, ['x', 'y\0z'])),
  reset('a line end in a cookie', head({}, ['cookie', 'a=1'], ['cookie', `b=2\r\n${HIDDEN}`])),
  reset('a line end in Referer', head({}, ['referer', `x\r\n\r\n${HIDDEN}`])),
  reset('an upper-case name', head({}, ['X-Upper', 'y'])),
  reset('an empty name', head({}, ['', 'y'])),
  reset('a blank in a name', head({}, ['x y', 'z'])),
  reset('a blank at the end of a name', head(POST, ['transfer-encoding ', 'chunked']), '0\r\n\r\n'),
  reset('a colon in a name', head({}, ['x:y', 'z'])),
  reset('a line end in a name', head({}, [`x: y\r\n\r\n${HIDDEN}z`, '1'])),
  reset('NUL in a name', head({}, ['x\0', '1'])),
  reset('a byte above 127 in a name', head({}, ['x\u00e9', '1'])),
  reset('two Host', head({}, ['host', 'localhost'], ['host', 'other.test'])),
  reset('a line end in Host', head({}, ['host', `localhost\r\n\r\n${HIDDEN}`])),
  { name: 'Host beside another :authority', fields: head({}, ['host', 'other.test']), fate: 'passed' },
  reset('Connection', head({}, ['connection', 'x-forwarded-for'])),
  reset('Connection: close', head({}, ['connection', 'close'])),
  reset('Keep-Alive', head({}, ['keep-alive', 'timeout=5'])),
  reset('Proxy-Connection', head({}, ['proxy-connection', 'keep-alive'])),
  reset('Upgrade', head({}, ['upgrade', 'websocket'])),
  reset('TE other than trailers', head({}, ['te', 'chunked'])),
  { name: 'TE: trailers', fields: head({}, ['te', 'trailers']), fate: 'passed' },
  {
    name: 'underscores that a gateway could take for hyphens',
    fields: head(POST, ['transfer_encoding', 'chunked'], ['content_length', '0']),
    body: HIDDEN,
    fate: 'passed',
  },
]

const BODIES: readonly HostileRequest[] = [
  reset('Transfer-Encoding: chunked', head(POST, ['transfer-encoding', 'chunked']), `0\r\n\r\n${HIDDEN}`),
  reset('Transfer-Encoding: identity', head(POST, ['transfer-encoding', 'identity']), HIDDEN),
  reset(
    'Transfer-Encoding and Content-Length',
    head(POST, ['content-length', '5'], ['transfer-encoding', 'chunked']),
    `0\r\n\r\n${HIDDEN}`,
  ),
  reset('a Content-Length that is too small', head(POST, ['content-length', '5']), `abcde${HIDDEN}`),
  reset('a Content-Length of 0 before a body', head(POST, ['content-length', '0']), HIDDEN),
  reset('a Content-Length that is too large', head(POST, ['content-length', '90']), HIDDEN),
  reset('a Content-Length without a body', head(POST, ['content-length', '9'])),
  reset('two Content-Length', head(POST, ['content-length', '5'], ['content-length', '38']), HIDDEN),
  reset('two equal Content-Length', head(POST, ['content-length', '38'], ['content-length', '38']), HIDDEN),
  reset('a list as Content-Length', head(POST, ['content-length', '38, 38']), HIDDEN),
  reset('a sign in Content-Length', head(POST, ['content-length', '+38']), HIDDEN),
  reset('a negative Content-Length', head(POST, ['content-length', '-1']), HIDDEN),
  reset('a hexadecimal Content-Length', head(POST, ['content-length', '0x26']), HIDDEN),
  reset('a blank in Content-Length', head(POST, ['content-length', '3 8']), HIDDEN),
  reset('a Content-Length beyond all numbers', head(POST, ['content-length', '99999999999999999999']), HIDDEN),
  { name: 'a request as the body', fields: head(POST), body: HIDDEN, fate: 'passed' },
  { name: 'chunks as the body', fields: head(POST), body: `0\r\n\r\n${HIDDEN}`, fate: 'passed' },
  {
    name: 'a request as a body of stated length',
    fields: head(POST, ['content-length', String(HIDDEN.length)]),
    body: HIDDEN,
    fate: 'passed',
  },
  { name: 'a request as the body of GET', fields: head({}), body: HIDDEN, fate: 'passed' },
  {
    name: 'a request as the body of DELETE',
    fields: head({ method: 'DELETE' }, ['content-length', String(HIDDEN.length)]),
    body: HIDDEN,
    fate: 'passed',
  },
  { name: 'a request as the body behind Expect', fields: head(POST, ['expect', '100-continue']), body: HIDDEN, fate: 'passed' },
]

const WRONG_TRAILERS: readonly (readonly [string, readonly Field[]])[] = [
  ['a pseudo field', [[':path', '/smuggled']]],
  ['Transfer-Encoding', [['transfer-encoding', 'chunked']]],
  ['a line end', [['x', `y\r\n\r\n${HIDDEN}`]]],
  ['a line end in a name', [[`x\r\n\r\n${HIDDEN}`, 'y']]],
  ['an upper-case name', [['X', 'y']]],
  ['Connection', [['connection', 'close']]],
  ['a Content-Length that is wrong', [['content-length', '5']]],
]

export const HOSTILE_REQUESTS: readonly HostileRequest[] = [
  ...PSEUDO,
  ...VALUES,
  ...BODIES,
  ...WRONG_TRAILERS.map(([name, trailers]) => ({ ...reset(`trailers with ${name}`, head(POST), HIDDEN), trailers })),
  {
    name: 'a long body that is shorter than its Content-Length',
    fields: head(POST, ['content-length', '50000']),
    body: HIDDEN.repeat(1000),
    fate: 'cut',
  },
  {
    name: 'a long body with wrong trailers',
    fields: head(POST),
    body: HIDDEN.repeat(1000),
    trailers: [['transfer-encoding', 'chunked']],
    fate: 'cut',
  },
  { name: 'a long body of requests', fields: head(POST), body: HIDDEN.repeat(1000), fate: 'passed' },
  {
    name: 'trailers',
    fields: head(POST),
    body: HIDDEN,
    trailers: [
      ['x-trailer', 'y'],
      ['host', 'other.test'],
    ],
    fate: 'passed',
  },
]
