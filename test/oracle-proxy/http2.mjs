import { random } from '../conformance/gen/random.mjs'

const METHODS = ['GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'PROPFIND', 'LINK']
const PATHS = ['/x', '/x;p=1', '/a%20b', '/%C3%A9', '/x%41', '//x', '/x/../y', '/x%2fy', '/[x]', '/', "/~!$&'()*", '/%25']
const QUERIES = ['', '', '', '?', '?a=b', '?a=%20%0d', '?a?b', '?%7B{']
const FIELDS = [
  ['Accept', 'text/html'],
  ['accept-language', 'de, en;q=0.5'],
  ['Cookie', 'a=b'],
  ['Cookie', 'c=d'],
  ['Referer', 'http://other.test/'],
  ['User-Agent', 'caf\xe9'],
  ['X-Twice', '1'],
  ['X-Twice', '2'],
  ['X-Empty', ''],
  ['Via', '1.0 other'],
  ['Max-Forwards', '3'],
  ['X-Forwarded-For', '192.0.2.1'],
  ['Range', 'bytes=0-1'],
  ['If-None-Match', '"e"'],
  ['Authorization', 'Basic c2hhdTpzZWNyZXQ='],
  ['Authorization', 'Basic c2hhdTp3cm9uZw=='],
]
const STATUSES = [200, 200, 200, 201, 204, 301, 302, 304, 400, 401, 404, 404, 409, 500, 503]
const REPLIES = [
  ['content-type', 'text/plain'],
  ['content-type', 'text/html;charset=utf-8'],
  ['content-language', 'de'],
  ['date', 'Thu, 02 Jan 2020 03:04:05 GMT'],
  ['last-modified', 'Thu, 02 Jan 2020 03:04:05 GMT'],
  ['location', '/x/there'],
  ['location', 'http://localhost:1/x/there'],
  ['set-cookie', 'a=1; path=/x'],
  ['set-cookie', 'b=2; Path=/x/y; Domain=in.test'],
  ['server', 'inner'],
  ['www-authenticate', 'Basic realm="in"'],
  ['x-a', '1'],
  ['x-empty', ''],
  ['x-latin', 'caf\xe9'],
  ['etag', '"e"'],
  ['vary', 'Cookie'],
  ['cache-control', 'no-store'],
  ['via', '1.1 inner'],
]
const OK = [':status', '200']
/**
 * Responses that are wrong in one way, before the first byte of a body: later, httpd completes what it has begun with the page of an
 * error, a stated difference. It repeats what it should not, which nobody sees here.
 */
const FAULTS = [
  [{ close: true }],
  [{ bytes: 'HTTP/1.1 200 OK\r\n\r\n' }],
  ...[1, 2, 7, 8, 11, 13].map((code) => [{ reset: code }]),
  [{ goaway: [0, 0] }],
  [{ goaway: [0, 11] }, { close: true }],
  [{ data: 'x', end: true }],
  [{ head: [['x', 'y']], end: true }],
  [{ head: [[':status', 'abc']], end: true }],
  [{ head: [[':status', '101']], end: true }],
  [{ head: [OK, OK], end: true }],
  [{ head: [['x', 'y'], OK], end: true }],
  [{ head: [OK, [':path', '/']], end: true }],
  [{ head: [OK, ['X-A', 'b']], end: true }],
  [{ head: [OK, ['', 'b']], end: true }],
  [{ head: [OK, ['x', 'a\r\nb: c']], end: true }],
  [{ head: [OK, ['x', 'a\u0001']], end: true }],
  [{ head: [OK, ['x', ' a']], end: true }],
  [{ head: [OK, ['connection', 'close']], end: true }],
  [{ head: [OK, ['keep-alive', '3']], end: true }],
  [{ head: [OK, ['proxy-connection', 'x']], end: true }],
  [{ head: [OK, ['transfer-encoding', 'chunked']], end: true }],
  [{ head: [OK, ['upgrade', 'h3']], end: true }],
  [{ head: [OK, ['content-length', '3'], ['content-length', '4']] }, { data: 'abc', end: true }],
  [{ head: [OK, ['content-length', '3'], ['content-length', '3']] }, { data: 'abc', end: true }],
  [{ head: [OK, ['content-length', '-1']] }, { data: 'abc', end: true }],
  [{ head: [OK, ['content-length', '2']] }, { data: 'abc', end: true }],
]

/** The response: most have a head, what was received, and an end; some are errors. */
function answer(rng, method, isOverridden) {
  if (rng.chance(0.2)) return rng.pick(FAULTS)
  const status = rng.pick(STATUSES)
  const fields = Array.from({ length: rng.below(5) }, () => rng.pick(REPLIES)).filter(isFirst)
  const head = [[':status', String(status)], ...fields]
  // With ProxyErrorOverride, httpd sends both this head and the page that replaces it if there is no body.
  if (isOverridden && status >= 400) {
    const replaced = head.filter(([name]) => name !== 'www-authenticate')
    return [{ head: replaced }, { data: 'own', end: true }]
  }
  if (method === 'HEAD' || status === 204 || status === 304 || rng.chance(0.1)) return [{ head, end: true }]
  const parts = [{ head }, { seen: true }]
  if (rng.chance(0.3)) parts.push({ data: 'more\n', times: rng.pick([1, 10, 1000]) })
  return [...parts, { data: '', end: true }]
}

/** Of fields with one value, clients would have to choose one. */
function isFirst([name], index, fields) {
  return name === 'set-cookie' || fields.findIndex((other) => other[0] === name) === index
}

function body(rng) {
  const size = rng.pick([0, 1, 20, 8192, 16_384, 40_000])
  if (rng.chance(0.75)) return { fields: [`Content-Length: ${size}`], bytes: 'b'.repeat(size) }
  const chunk = size === 0 ? '' : `${size.toString(16)}\r\n${'c'.repeat(size)}\r\n`
  return { fields: ['Transfer-Encoding: chunked'], bytes: `${chunk}0\r\n\r\n` }
}

function request(rng, host, isOverridden) {
  const method = rng.pick(isOverridden ? METHODS.filter((name) => name !== 'HEAD') : METHODS)
  const sent = rng.chance(method === 'POST' || method === 'PUT' ? 0.9 : 0.1) ? body(rng) : { fields: [], bytes: '' }
  const fields = Array.from({ length: rng.below(4) }, () => rng.pick(FIELDS)).map(([name, value]) => `${name}: ${value}`)
  const stated = Buffer.from(JSON.stringify(answer(rng, method, isOverridden))).toString('base64url')
  const version = rng.chance(0.1) ? '1.0' : '1.1'
  const line = `${method} ${rng.pick(['/a', '/a', '/b', '/c'])}${rng.pick(PATHS)}${rng.pick(QUERIES)} HTTP/${version}`
  const head = [line, `Host: ${host}`, 'Connection: close', ...fields, ...sent.fields, `X-Answer: ${stated}`].join('\r\n')
  return { raw: `${head}\r\n\r\n${sent.bytes}`, methods: [method] }
}

function hostLines(rng, url, balancer) {
  const lines = [`ProxyPass /a ${url}/a${rng.below(1000)}/`, `ProxyPass /b ${balancer}/app`]
  const add = (chance, ...more) => void (rng.chance(chance) && lines.push(...more))
  lines.push(
    '<Location "/c">',
    `  ProxyPass ${url}/c${rng.below(1000)}${rng.pick(['', ' nocanon', ' disablereuse=on'])}`,
    '</Location>',
  )
  add(0.2, 'ProxyPreserveHost On')
  add(0.5, `ProxyPassReverse /a ${rng.pick(['http://localhost:1/x', '/x', `${url}/`])}`)
  add(0.3, 'ProxyErrorOverride On')
  add(0.2, 'ProxyAddHeaders Off')
  add(0.2, 'RequestHeader set X-Set "by the server"')
  add(0.2, 'Header set X-A "by the server"')
  const login = ['AuthType Basic', 'AuthName a', 'AuthUserFile "@ROOT@/pw"', 'Require valid-user']
  add(0.25, '<Location "/">', ...login, '</Location>')
  return lines
}

/** A case of test/conformance: virtual hosts with mappings to a back end that speaks HTTP/2, and requests that state their responses. */
export function http2({ seed, hosts = 30, requests = 10, port }) {
  const rng = random(seed)
  const modules =
    'authn_core,authn_file,authz_core,authz_user,auth_basic,headers,slotmem_shm,lbmethod_byrequests,proxy,proxy_balancer,proxy_http2'
  const conf = ['@BASE@', `@LOADMODULES:${modules}@`]
  const probes = []
  const url = `h2c://127.0.0.1:${port}`
  for (let number = 0; number < hosts; number++) {
    const host = `h${number}.test`
    const balancer = `balancer://b${number}`
    conf.push(`<Proxy ${balancer}>`, `  BalancerMember ${url}/m${number} retry=0`, '</Proxy>')
    conf.push('<VirtualHost *:@PORT@>', `  ServerName ${host}`)
    const lines = hostLines(rng, url, balancer)
    conf.push(...lines.map((line) => `  ${line}`), '</VirtualHost>')
    for (let left = requests; left > 0; left--) probes.push(request(rng, host, lines.includes('ProxyErrorOverride On')))
  }
  return {
    compare: ['status', 'headers', 'body', 'access'],
    observe: ['-content-length', '-transfer-encoding', 'set-cookie', 'server', 'via', 'location', 'x-a'],
    concurrency: 1,
    conf,
    files: { pw: 'shau:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n' },
    probes,
  }
}
