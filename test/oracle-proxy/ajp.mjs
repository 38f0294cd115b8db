import { random } from '../conformance/gen/random.mjs'

const METHODS = [
  'GET',
  'GET',
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'OPTIONS',
  'PATCH',
  'PROPFIND',
  'REPORT',
  'SEARCH',
  'get',
  'LINK',
]
const PATHS = [
  '/x',
  '/x/y.jsp',
  '/x;jsessionid=1.r1',
  '/a%20b',
  '/%C3%A9',
  '/x%41',
  '//x',
  '/x/../y',
  '/x%2fy',
  '/[x]',
  '/',
  '/x;p=1/y',
  "/~!$&'()*",
]
const QUERIES = ['', '', '', '?', '?a=b', '?a=%20%0d', '?a?b', '?jsessionid=x.r2', '?%7B{']
const FIELDS = [
  ['Accept', 'text/html'],
  ['Accept-Charset', 'utf-8'],
  ['Accept-Encoding', 'gzip'],
  ['accept-language', 'de, en;q=0.5'],
  ['Cookie', 'JSESSIONID=1.r1; a=b'],
  ['Cookie', 'c=d'],
  ['Cookie2', 'e'],
  ['Pragma', 'no-cache'],
  ['Referer', 'http://other.test/'],
  ['User-Agent', 'caf\xe9'],
  ['X-Twice', '1'],
  ['X-Twice', '2'],
  ['X-Empty', ''],
  ['Proxy', 'x'],
  ['X-Tenant', 'blue'],
  ['Via', '1.0 other'],
  ['Max-Forwards', '3'],
  ['Max-Forwards', '0'],
  ['X-Forwarded-For', '192.0.2.1'],
  ['Range', 'bytes=0-1'],
  ['If-None-Match', '"e"'],
  ['TE', 'trailers'],
  ['Proxy-Authorization', 'Basic YTpi'],
  ['Expect', '100-continue'],
  ['Authorization', 'Basic c2hhdTpzZWNyZXQ='],
  ['Authorization', 'Basic c2hhdTp3cm9uZw=='],
]
const STATUSES = [200, 200, 200, 201, 204, 301, 302, 304, 400, 401, 404, 404, 418, 499, 500, 503, 599, 999]
const REASONS = ['OK', 'Own words', '', 'caf\xe9', null]
const REPLIES = [
  [0xa001, 'text/plain'],
  [0xa001, 'text/html;charset=utf-8'],
  ['Content-Type', 'text/css'],
  [0xa002, 'de'],
  [0xa004, 'Thu, 02 Jan 2020 03:04:05 GMT'],
  [0xa005, 'Thu, 02 Jan 2020 03:04:05 GMT'],
  [0xa006, '/x/there'],
  [0xa006, 'http://localhost:1/x/there'],
  ['Location', 'ajp://other.test/x'],
  [0xa007, 'a=1; path=/x'],
  ['Set-Cookie', 'b=2; Path=/x/y; Domain=in.test'],
  [0xa008, 'c=3'],
  [0xa009, 'engine'],
  [0xa00a, '201'],
  [0xa00b, 'Basic realm="in"'],
  ['Server', 'inner'],
  ['X-A', '1'],
  ['X-A', '2'],
  ['X-Empty', ''],
  ['X-Latin', 'caf\xe9'],
  ['ETag', '"e"'],
  ['Vary', 'Cookie'],
  ['Cache-Control', 'no-store'],
  ['Via', '1.1 inner'],
  ['Content-Location', 'http://localhost/x/z'],
]
/** Packets that are wrong in one way, as parts of a response. */
const FAULTS = [
  [{ close: true }],
  [{ bytes: 'AC\0\x02\x05\x01' }],
  [{ bytes: 'AB\0' }, { close: true }],
  [{ bytes: 'AB\0\x10\x04\0' }, { close: true }],
  [{ bytes: 'HTTP/1.1 200 OK\r\n\r\n' }, { close: true }],
  [{ bytes: 'AB\xff\xff' }, { close: true }],
  [{ packet: '' }],
  [{ packet: '\x01' }],
  [{ packet: '\x63\x01' }],
  [{ packet: '\x09' }, { close: true }],
  [{ packet: '\x04' }],
  [{ packet: '\x04\0\xc8' }],
  [{ packet: '\x04\0\xc8\0\x02OK\0' }],
  [{ packet: '\x04\0\xc8\0\x02OK\0\0\x01' }],
  [{ packet: '\x04\0\xc8\0\x02OK\0\0\x01\0\x01A\0' }],
  [{ packet: '\x04\0\xc8\0\x02OK\0\0\x01\xa0\x0c\0\x01A\0' }],
  [{ packet: '\x04\0\xc8\0\x02OK\0\0\x01\xa0\xff\0\x01A\0' }],
  [{ packet: '\x04\0\xc8\0\x02OK\0\0\x01\xa1\x01\0\x01A\0' }, { close: true }],
  [{ packet: '\x04\0\xc8\xff\xff\0\0' }, { packet: '\x03\0\x09ab\0' }],
  [{ head: [200, 'OK', []] }, { packet: '\x03' }],
  [{ head: [200, 'OK', []] }, { packet: '\x03\0\x01' }],
  [{ head: [200, 'OK', []] }, { packet: '\x03\0\x03ab\0' }],
  [{ head: [200, 'OK', []] }, { packet: '\x05' }],
  [{ head: [200, 'OK', []] }, { packet: '\x63' }],
  [{ head: [200, 'OK', []] }, { chunk: 'part' }, { close: true }],
  [{ head: [200, 'OK', []] }, { close: true }],
  [{ head: [200, 'OK', [[0xa003, '10']]] }, { chunk: 'part' }, { close: true }],
  [{ head: [200, 'OK', [['X-A', null]]] }],
]

/** The response: most have a head, what was received, and an end; some go wrong at the end, or begin with an error. */
function answer(rng, hasBody, isOverridden) {
  const parts = []
  if (rng.chance(0.18)) return rng.pick(FAULTS)
  if (hasBody) for (let left = rng.below(3); left > 0; left--) parts.push({ ask: rng.pick([8186, 8186, 100, 1, 65535]) })
  const fields = Array.from({ length: rng.below(5) }, () => rng.pick(REPLIES)).filter(isFirstType)
  parts.push({ head: [rng.pick(STATUSES), rng.pick(REASONS), fields] }, { seen: true })
  if (rng.chance(0.1)) parts.push({ chunk: '' })
  if (rng.chance(0.3)) parts.push({ chunk: 'more\n', times: rng.pick([1, 10, 1600]) })
  // With ProxyErrorOverride, httpd replaces no response after which the connection ends: it sends the head alone.
  parts.push({ end: isOverridden || rng.chance(0.7) })
  return parts
}

/** httpd relays each Content-Type, of which clients may choose one. */
function isFirstType(field, index, fields) {
  const isType = ([name]) => name === 'Content-Type' || name === 0xa001
  return !isType(field) || fields.findIndex(isType) === index
}

function body(rng) {
  const size = rng.pick([0, 1, 20, 8185, 8186, 8187, 20_000])
  return rng.weighted([
    [3, () => ({ fields: [`Content-Length: ${size}`], bytes: 'b'.repeat(size) })],
    [
      1,
      () => ({
        fields: ['Transfer-Encoding: chunked'],
        bytes: `${size === 0 ? '' : `${size.toString(16)}\r\n${'c'.repeat(size)}\r\n`}0\r\n\r\n`,
      }),
    ],
  ])()
}

function request(rng, host, isOverridden) {
  const method = rng.pick(METHODS)
  const sent = rng.chance(method === 'POST' || method === 'PUT' ? 0.9 : 0.1) ? body(rng) : { fields: [], bytes: '' }
  const fields = Array.from({ length: rng.below(4) }, () => rng.pick(FIELDS)).map(([name, value]) => `${name}: ${value}`)
  if (rng.chance(0.03)) fields.push(`X-Long: ${'l'.repeat(rng.pick([7000, 7900, 8100]))}`)
  const stated = Buffer.from(JSON.stringify(answer(rng, sent.bytes !== '', isOverridden))).toString('base64url')
  const version = rng.chance(0.1) ? '1.0' : '1.1'
  const line = `${method} ${rng.pick(['/a', '/a', '/b', '/c'])}${rng.pick(PATHS)}${rng.pick(QUERIES)} HTTP/${version}`
  const head = [line, `Host: ${host}`, 'Connection: close', ...fields, ...sent.fields, `X-Answer: ${stated}`].join('\r\n')
  return { raw: `${head}\r\n\r\n${sent.bytes}`, methods: [method] }
}

function hostLines(rng, url) {
  const lines = []
  const add = (chance, ...more) => void (rng.chance(chance) && lines.push(...more))
  const parameters = () => {
    const words = []
    if (rng.chance(0.3)) words.push('secret=word')
    if (rng.chance(0.2)) words.push('ping=20')
    if (rng.chance(0.2)) words.push('disablereuse=on')
    return words.join(' ')
  }
  lines.push(`ProxyPass /a ${url}/a${rng.below(1000)}/ ${parameters()}`, `ProxyPass /b balancer://@/app`)
  lines.push(`<Location "/c">`, `  ProxyPass ${url}/c${rng.below(1000)} ${parameters()}`, '</Location>')
  add(0.5, `ProxyPassReverse /a ${rng.pick(['http://localhost:1/x', '/x', `${url}/`])}`)
  add(0.3, 'ProxyPassReverseCookiePath /x /front', 'ProxyPassReverseCookieDomain in.test front.test')
  add(0.3, 'ProxyErrorOverride On')
  add(0.3, `ProxyVia ${rng.pick(['On', 'Full', 'Block'])}`)
  add(0.2, 'ProxyAddHeaders Off')
  add(0.2, 'ProxyPreserveHost On')
  add(0.3, 'SetEnvIf X-Tenant "(.+)" AJP_tenant=$1 AJP_=empty')
  add(0.2, 'SetEnvIf Request_URI "x" AJP_JK_LB_ACTIVATION=ACT other=1')
  add(0.2, 'RequestHeader set X-Set "by the server"')
  add(0.2, 'Header set X-A "by the server"')
  add(0.1, 'LimitRequestBody 100')
  add(0.2, 'UseCanonicalName On')
  add(0.15, 'AllowEncodedSlashes NoDecode')
  const login = ['AuthType Basic', 'AuthName a', 'AuthUserFile "@ROOT@/pw"', 'Require valid-user']
  add(0.25, '<Location "/">', ...login, '</Location>')
  return lines
}

/** A case of test/conformance: virtual hosts with mappings to an AJP back end, and requests that state their responses. */
export function ajp({ seed, hosts = 30, requests = 10, port }) {
  const rng = random(seed)
  const modules =
    'authn_core,authn_file,authz_core,authz_user,auth_basic,headers,setenvif,slotmem_shm,lbmethod_byrequests,proxy,proxy_balancer,proxy_ajp'
  const conf = ['@BASE@', `@LOADMODULES:${modules}@`]
  const probes = []
  const url = `ajp://127.0.0.1:${port}`
  for (let number = 0; number < hosts; number++) {
    const host = `h${number}.test`
    conf.push(`<Proxy balancer://b${number}>`, `  BalancerMember ${url}/m${number} route=r${1 + rng.below(2)}`)
    if (rng.chance(0.6)) conf.push('  ProxySet stickysession=JSESSIONID|jsessionid scolonpathdelim=On')
    conf.push('</Proxy>', '<VirtualHost *:@PORT@>', `  ServerName ${host}`)
    const lines = hostLines(rng, url)
    conf.push(...lines.map((line) => `  ${line.replace('balancer://@', `balancer://b${number}`)}`), '</VirtualHost>')
    for (let left = requests; left > 0; left--) probes.push(request(rng, host, lines.includes('ProxyErrorOverride On')))
  }
  return {
    compare: ['status', 'headers', 'body', 'access', 'error'],
    observe: ['-content-length', '-transfer-encoding', 'set-cookie', 'server', 'via', 'location', 'x-a'],
    // Values of attributes may be secrets: messages here name the attributes only.
    mask: [['(Error appending attribute \\w*)=.*', '$1']],
    concurrency: 1,
    conf,
    files: { pw: 'shau:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n' },
    probes,
  }
}
