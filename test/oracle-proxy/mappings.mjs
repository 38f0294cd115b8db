import { random } from '../conformance/gen/random.mjs'

const PATHS = ['/', '/a', '/a', '/b', '/a/', '/a/b', '/a//b', '/ab', '/b', '/b;x', '/é', '/a b', '/a%b']
const TARGETS = ['', '/', '/x', '/x/', '/x/y', '/x?q=1', '/x;p', '/x%20y', '/x#f']
const PATTERNS = [
  ['^/a/(.*)$', '/$1'],
  ['^/(\\w+)/(\\w+)', '/$2/$1'],
  ['^/b', '/n'],
  ['^/([^/]*);(.*)$', '/p/$1/$2'],
  ['^(.*)$', '$1'],
  ['/b/', '/in'],
  ['^/a(?=/)(/.*)', '/look$1'],
]
const SEGMENTS = [
  ...[
    'a',
    'a',
    'b',
    'b',
    'ab',
    'x%20y',
    '%C3%A9',
    '%c3%a9',
    'é',
    '%2f',
    '%2F',
    '%5c',
    '%00',
    '%0d%0a',
    '%25',
    '%2525',
    '%41',
    '%7e',
  ],
  ...['..', '.', '', '', '%2e%2e', '%2e', 'a;p=1', ';p', 'b;x/..', "~!$&'()*,=:@", '%3f', '%23', '[x]', '{x}', '|', '%zz', 'a+b'],
]
const FIRST = ['a', 'a', 'a', 'a', 'a/b', 'b', 'b', 'b', 'ab', 'b;x', 'a%20b', '%C3%A9', 'a%25b', '%61', 'a/']
const QUERIES = ['', '', '', '', '?', '?q=1', '?q=%20a', '?q=a%0d%0ab', '?a?b', '?%2f..%2f', '?[x]', '?é']
const REVERSED = ['/x/there', '/x', '/xx', 'http://other.test/x/y', '//host/x', 'rel', 'http://LOCALHOST/x', '/']

const url = (path) => `http://@BACKEND:app@${path}`

function flags(rng) {
  return rng.weighted([
    [7, ''],
    [2, ' nocanon'],
    [2, ' mapping=encoded'],
    [1, ' mapping=servlet'],
    [1, ' noquery'],
  ])
}

function serverLine(rng) {
  const path = rng.pick(PATHS)
  const [pattern, target] = rng.pick(PATTERNS)
  const start = path.replace(/\/$/, '').replace(/[ %;]/g, '.')
  return rng.weighted([
    [7, [`ProxyPass "${path}" "${url(rng.pick(TARGETS))}"${flags(rng)}`]],
    [2, [`ProxyPass "${path}" !`]],
    [
      3,
      [
        `ProxyPassMatch "${pattern}" "${url(target)}"${rng.weighted([
          [4, ''],
          [1, ' nocanon'],
        ])}`,
      ],
    ],
    [1, [`ProxyPassMatch "${pattern}" !`]],
    [1, [`Alias "${path}" "@DOCROOT@/other/"`]],
    [1, ['RewriteEngine On', `RewriteRule "^${start}/(.*)$" "${url('/rw')}/$1" [${rng.pick(['P', 'P,QSA', 'P,NE', 'P,B'])}]`]],
    [1, ['RewriteEngine On', `RewriteRule "^${start}/(.*)$" "/a/$1" [PT]`]],
    [2, [`ProxyPassReverse "${path}" "${url(rng.pick(TARGETS))}"`]],
    [1, [`ProxyPassReverse "${path}" "${rng.pick(['/x', '/', '/x/'])}"`]],
    [1, [`ProxyPassReverseCookiePath "${rng.pick(['/x', '/', '/x/y'])}" "${path}"`]],
  ])
}

function section(rng) {
  const [pattern, target] = rng.pick(PATTERNS)
  return rng.weighted([
    [4, [`<Location "${rng.pick(PATHS)}">`, `  ProxyPass "${url(rng.pick(TARGETS))}"${flags(rng)}`, '</Location>']],
    [2, [`<Location "${rng.pick(PATHS)}">`, '  ProxyPass !', '</Location>']],
    [2, [`<LocationMatch "${pattern}">`, `  ProxyPassMatch "${url(target)}"`, '</LocationMatch>']],
    [3, [`<Location "${rng.pick(PATHS)}">`, '  Require all denied', '</Location>']],
    [3, [`<Proxy "${url(rng.pick(TARGETS))}*">`, '  Require all denied', '</Proxy>']],
    [1, ['<ProxyMatch "^http://[^/]*/x/">', '  Require all denied', '</ProxyMatch>']],
    [1, [`<Location "${rng.pick(PATHS)}">`, `  ProxyPassReverse "${url(rng.pick(TARGETS))}"`, '</Location>']],
  ])
}

function requestTarget(rng) {
  const segments = Array.from({ length: rng.below(4) }, () => rng.pick(SEGMENTS))
  const first = rng.pick(rng.chance(0.8) ? FIRST : SEGMENTS)
  return Buffer.from(`/${[first, ...segments].join('/')}${rng.pick(QUERIES)}`, 'utf8').toString('latin1')
}

/** A case of test/conformance: random mappings, a virtual host each, and requests with odd URLs. */
export function mappings({ seed, hosts = 40, requests = 8 }) {
  const rng = random(seed)
  const conf = ['@BASE@', '@LOADMODULES:authz_core,alias,rewrite,dir,proxy,proxy_http@']
  const probes = []
  for (let number = 0; number < hosts; number++) {
    const host = `h${number}.test`
    const slashes = rng.weighted([
      [5, null],
      [1, 'On'],
      [1, 'NoDecode'],
    ])
    conf.push('<VirtualHost *:@PORT@>', `  ServerName ${host}`)
    if (slashes !== null) conf.push(`  AllowEncodedSlashes ${slashes}`)
    if (rng.chance(0.2)) conf.push('  MergeSlashes Off')
    for (let left = 1 + rng.below(5); left > 0; left--) conf.push(...serverLine(rng).map((line) => `  ${line}`))
    for (let left = rng.below(3); left > 0; left--) conf.push(...section(rng).map((line) => `  ${line}`))
    conf.push('</VirtualHost>')
    for (let left = requests; left > 0; left--) {
      probes.push({ raw: `GET ${requestTarget(rng)} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, methods: ['GET'] })
    }
  }
  const headers = { Location: rng.pick(REVERSED), 'Content-Location': rng.pick(REVERSED), 'Set-Cookie': 'a=1; path=/x/y; secure' }
  return {
    compare: ['status', 'headers:location', 'headers:content-location', 'headers:set-cookie', 'body', 'backend'],
    mask: [['^X-Forwarded-.*', '']],
    concurrency: 1,
    conf,
    files: { 'docs/a/b/f.txt': 'f\n', 'docs/b/a.txt': 'b\n', 'docs/other/b': 'other b\n' },
    backends: { app: { answers: { '/x*': { headers, body: 'x' } } } },
    probes,
  }
}
