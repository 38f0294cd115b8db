import { random } from '../conformance/gen/random.mjs'

const HOSTS = [
  '127.0.0.1:@PORT:app@',
  '127.0.0.1:@PORT:app@',
  'localhost:@PORT:app@',
  'LocalHost:@PORT:app@',
  '127.0.0.1:@PORT:other@',
]
const ODD_HOSTS = [
  'u:p@127.0.0.1:@PORT:app@',
  '127.0.0.1:1',
  'bare',
  'bare:@PORT:app@',
  '127.0.0.1:@PORT@',
  '',
  '127.0.0.1:99999',
]
const PATHS = [
  '',
  '/',
  '/x',
  '/x/y?a=b',
  '/x%2fy',
  '/%41?',
  '/x/../y',
  '//x',
  '/a b',
  '/secret',
  '/secret/x?y',
  '/private',
  '/x#y',
  '/%0d%0ax',
  '/é',
]
const FIELDS = [
  'Proxy-Authorization: Basic c2hhdTpzZWNyZXQ=',
  'Proxy-Authorization: Basic c2hhdTpzZWNyZXQ=',
  'Proxy-Authorization: Basic c2hhdTp3cm9uZw==',
  'Authorization: Basic c2hhdTpzZWNyZXQ=',
  'Proxy-Connection: keep-alive',
  'Max-Forwards: 0',
  'Max-Forwards: 2',
  'Via: 1.0 before',
  'TE: trailers',
  'X-Forwarded-For: 192.0.2.1',
  'Cookie: a=b',
  'X-Empty:',
]
const WORDS = ['localhost', 'ocal', '127.0.0.1', '127.0.0', '127.0.0.2', 'other.test', 'LOCALHOST']
const REMOTE_FOR = [
  '*',
  'http',
  'http://localhost',
  'http://127.0.0.1',
  'http://127.0.0.1:@PORT:app@/x',
  'https',
  'HTTP',
  'connect',
]
const REMOTE_MATCH = ['^http://localhost', '/secret', '^127', '.', '^http://[^/]*/x']
const RULES = [
  ['Require all granted'],
  ['Require all granted'],
  ['Require all denied'],
  ['Require ip 127.0.0.1'],
  ['Require method GET CONNECT'],
  ['AuthType Basic', 'AuthName "the proxy"', 'AuthUserFile "@ROOT@/pw"', 'Require valid-user'],
  ['AuthType Basic', 'AuthName "the proxy"', 'AuthUserFile "@ROOT@/pw"', 'Require user other'],
  ['Order deny,allow', 'Deny from 127.0.0.2'],
  [
    'AuthType Basic',
    'AuthName "the proxy"',
    'AuthUserFile "@ROOT@/pw"',
    '<Limit CONNECT POST>',
    '  Require valid-user',
    '</Limit>',
  ],
]
const SECTIONS = [
  'Proxy "*"',
  'Proxy "*"',
  'Proxy "http://*"',
  'Proxy "http://127.0.0.1:@PORT:app@/secret"',
  'Proxy "http://*/secret*"',
  'ProxyMatch "/private$"',
  'ProxyMatch "^http://[^/]*/x"',
  'Proxy "127.0.0.1:@PORT:tunnel@"',
  'Proxy "localhost*"',
  'Location "/"',
  'Location "/secret"',
]

function hostLines(rng) {
  const lines = []
  const add = (chance, ...more) => void (rng.chance(chance) && lines.push(...more))
  lines.push(`ProxyRequests ${rng.chance(0.85) ? 'On' : 'Off'}`)
  add(0.3, `ProxyBlock ${rng.pick(WORDS)}${rng.chance(0.3) ? ` ${rng.pick(WORDS)}` : ''}`)
  add(0.03, 'ProxyBlock *')
  add(0.5, `AllowCONNECT ${rng.pick(['@PORT:tunnel@', '1-65535', '443', '1 @PORT:tunnel@ @PORT:other@'])}`)
  if (rng.chance(0.4)) {
    const login = rng.chance(0.2) ? ' user:word' : ''
    add(0.7, `ProxyRemote ${rng.pick(REMOTE_FOR)} http://@BACKEND:remote@${login}`)
    add(0.4, `ProxyRemoteMatch "${rng.pick(REMOTE_MATCH)}" http://@BACKEND:remote@`)
    add(0.1, 'ProxyRemote * http://127.0.0.1:1')
    add(0.4, `NoProxy ${rng.pick(['127.0.0.1', 'localhost', '127.0.0.0/8', '10.0.0.0/8', '.test', 'bare', '127'])}`)
  }
  // A name without a domain is redirected; it is not looked up.
  lines.push('ProxyDomain .in.test')
  add(0.4, `ProxyVia ${rng.pick(['On', 'Full', 'Block'])}`)
  add(0.2, 'ProxyAddHeaders Off')
  add(0.2, 'ProxyPreserveHost On')
  add(0.2, 'ProxyErrorOverride On')
  add(0.2, `ProxyMaxForwards ${rng.pick(['5', '0', '-1'])}`)
  add(0.2, 'RequestHeader set X-Set "by the server"', 'Header set X-Answered "by the server"')
  add(0.1, 'TraceEnable Off')
  add(0.2, 'UseCanonicalName On')
  add(0.3, 'ProxyPass /x http://@BACKEND:other@/reverse')
  add(0.1, 'RewriteEngine On', 'RewriteRule "^/private$" "-" [F]')
  for (let left = rng.below(4); left > 0; left--) {
    const section = rng.pick(SECTIONS)
    lines.push(`<${section}>`, ...rng.pick(RULES).map((line) => `  ${line}`), `</${section.split(' ')[0]}>`)
  }
  return lines
}

function request(rng, to) {
  const from = rng.chance(0.15) ? '127.0.0.2' : '127.0.0.1'
  const fields = Array.from({ length: rng.below(3) }, () => rng.pick(FIELDS))
  if (rng.chance(0.2)) return { ...tunnel(rng, fields), to, from }
  const method = rng.pick(['GET', 'GET', 'GET', 'HEAD', 'POST', 'OPTIONS', 'TRACE', 'PROPFIND', 'get'])
  const host = rng.chance(0.85) ? rng.pick(HOSTS) : rng.pick(ODD_HOSTS)
  const target = rng.weighted([
    [12, `${rng.pick(['http', 'http', 'http', 'HTTP'])}://${host}${rng.pick(PATHS)}`],
    [2, `/${rng.pick(['x', 'secret', 'private'])}`],
    [1, `${rng.pick(['ftp', 'unknown', 'https', 'ws'])}://127.0.0.1:@PORT:app@/x`],
    [1, rng.pick(['*', 'x', 'http:x', 'http://'])],
  ])
  const version = rng.chance(0.15) ? '1.0' : '1.1'
  const body = method === 'POST' ? 'abc' : ''
  const head = [
    `${method} ${target} HTTP/${version}`,
    `Host: ${rng.pick(['named.test', 'localhost', '127.0.0.1'])}`,
    'Connection: close',
    ...fields,
  ]
  if (body !== '') head.push('Content-Length: 3')
  return { raw: `${Buffer.from(head.join('\r\n')).toString('latin1')}\r\n\r\n${body}`, methods: [method], to, from }
}

function tunnel(rng, fields) {
  const target = rng.pick([
    '127.0.0.1:@PORT:tunnel@',
    '127.0.0.1:@PORT:tunnel@',
    'localhost:@PORT:tunnel@',
    '127.0.0.1:1',
    '127.0.0.1:443',
    '127.0.0.1',
    '/x',
    'bare:443',
  ])
  const head = [`CONNECT ${target} HTTP/1.${rng.chance(0.2) ? 0 : 1}`, 'Host: x', ...fields].join('\r\n')
  return { raw: [`${head}\r\n\r\n`, 150, 'ping\n', 250], end: true, methods: ['CONNECT'] }
}

/** A case of test/conformance: forward proxies, each at an address of its own, with rules, blocked hosts and remote proxies. */
export function forward({ seed, hosts = 20, requests = 12 }) {
  const rng = random(seed)
  const modules =
    'authn_core,authn_file,authz_core,authz_host,authz_user,auth_basic,access_compat,headers,rewrite,proxy,proxy_http,proxy_connect'
  const conf = ['@BASE@', `@LOADMODULES:${modules}@`]
  const probes = []
  for (let number = 0; number < hosts; number++) {
    const address = `127.0.1.${10 + number}`
    const lines = hostLines(rng).map((line) => `  ${line}`)
    conf.push(
      `Listen ${address}:@PORT@`,
      `<VirtualHost ${address}:@PORT@>`,
      `  ServerName f${number}.test`,
      ...lines,
      '</VirtualHost>',
    )
    for (let left = requests; left > 0; left--) probes.push(request(rng, address))
  }
  const answers = { '/secret*': { status: '404 Gone Fishing', headers: { 'X-A': '1' }, body: 'no' } }
  return {
    compare: ['status', 'headers', 'body', 'access', 'error', 'backend'],
    observe: ['server', 'via', 'proxy-authenticate', 'proxy-agent'],
    mask: [
      ['("CONNECT [^"]*" 200) \\S+', '$1 -'],
      // The reason for which a name does not resolve is not known here.
      ['\\(EAI \\d+\\)[^:]*: (.*AH02327)', '$1'],
    ],
    concurrency: 1,
    conf,
    files: { pw: 'shau:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n' },
    backends: { app: { answers }, other: {}, remote: {}, tunnel: { kind: 'raw', parts: ['hello\n', { echo: true }] } },
    probes,
  }
}
