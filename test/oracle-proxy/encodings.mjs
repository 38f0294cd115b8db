// Octets of any kind in paths and queries, percent-encoded or not, by every way to a back end.
import { random } from '../conformance/gen/random.mjs'

/** Octets of paths and queries that one of the ways to a back end treats in its own way, percent-encoded or not. */
const PIECES = [
  ...['a', 'b', 'x', '/', '/', '/', '%2F', '%2f', '%3B', '%3b', ';', ';v=1', '%25', '%252F', '%2525', '%C3%A4', '%c3%a4', 'ä'],
  ...['%00', '%01', '%0A', '%0d', '%20', '%09', '%7F', '%80', '%ff', '%zz', '%', '%2', '%%41', '%5C', '%5c', '%3A', '%3F', '%3f'],
  ...['%23', '%26', '%3D', '%2B', '+', '%40', '%5B', '%5D', '[', ']', '{', '}', '|', '"', '<', '>', '^', '`', '%7E', '~', '%41'],
  ...[
    '.',
    '..',
    '%2e',
    '%2E%2e',
    '/../',
    '/./',
    '/;/',
    '/..;/',
    '//',
    "'",
    '(',
    ')',
    '*',
    '!',
    '$',
    ',',
    ':',
    '@',
    '=',
    '&',
    '\\',
  ],
]
const BEGINNINGS = ['/a', '/a/', '/a/', '/a/', '/b/', '/c/', '/d/', '/e/x/', '/f/', '/A/', '/a%2F', '/%61/', '//a/', '/d%2F']
const TARGETS = ['/', '/x', '/x/', '/x%2Fy/', '/x y/', '/x;p=1/', '/x%25/', '/ä/']

const url = (path) => `http://@BACKEND:app@${path}`

/** Lines that pass requests below `path` on, in one of the ways that there are. */
function way(rng, path) {
  const target = url(rng.pick(TARGETS))
  const plain = url(rng.pick(['/', '/x/', '/x']))
  const flags = rng.pick(['', '', ' nocanon', ' mapping=encoded', ' mapping=servlet', ' noquery', ' nocanon noquery'])
  const rules = rng.pick(['P', 'P', 'P,NE', 'P,B', 'P,BNP', 'P,B,BNP', 'P,QSA', 'P,QSD', 'P,BCTLS', 'P,BNE=@', 'P,UnsafeAllow3F'])
  return rng.weighted([
    [6, () => [`ProxyPass "${path}" "${target}"${flags}`]],
    [3, () => [`<Location "${path}">`, `  ProxyPass "${target}"${flags}`, '</Location>']],
    [3, () => [`ProxyPassMatch "^${path}(.*)$" "${plain}$1"${rng.pick(['', ' nocanon', ' mapping=encoded', ' noquery'])}`]],
    [2, () => [`ProxyPassMatch "^${path}([^/]*)/(.*)$" "${plain}$2?s=$1"${rng.pick(['', ' nocanon'])}`]],
    [2, () => [`<LocationMatch "^${path}(.*)$">`, `  ProxyPassMatch "${plain}$1"`, '</LocationMatch>']],
    [
      2,
      () => [
        `<LocationMatch "^${path}(?<rest>.*)$">`,
        `  RequestHeader set X-Rest "%{MATCH_REST}e"`,
        `  ProxyPass "${plain}"`,
        '</LocationMatch>',
      ],
    ],
    [3, () => ['RewriteEngine On', `RewriteRule "^${path}(.*)$" "${plain}$1" [${rules}]`]],
    [2, () => ['RewriteEngine On', `RewriteRule "^${path}(.*)$" "${plain}?q=$1" [${rules}]`]],
    [
      2,
      () => [
        'RewriteEngine On',
        'RewriteCond "%{THE_REQUEST}" "^GET ([^ ?]*)"',
        `RewriteRule "^${path}" "${url('')}%1" [${rules}]`,
      ],
    ],
    [2, () => ['RewriteEngine On', `RewriteCond "%{QUERY_STRING}" "^(.*)$"`, `RewriteRule "^${path}" "${plain}%1" [${rules}]`]],
    [2, () => [`<Location "${path}">`, `  SetHandler "proxy:${url('')}"`, '</Location>']],
    [2, () => [`<Location "${path}">`, '  RewriteEngine On', `  RewriteRule "([^/]*)$" "${plain}$1" [${rules}]`, '</Location>']],
  ])()
}

function hostLines(rng) {
  const lines = []
  const slashes = rng.pick([null, null, 'On', 'NoDecode', 'NoDecode', 'Off'])
  if (slashes !== null) lines.push(`AllowEncodedSlashes ${slashes}`)
  if (rng.chance(0.15)) lines.push('MergeSlashes Off')
  for (const path of ['/a/', '/b/', '/c/', '/d', '/e/x/', '/f/']) {
    if (rng.chance(0.25))
      lines.push(rng.pick([`ProxyPass "${path}x" !`, `ProxyPassMatch "^${path}.*;" !`, `ProxyPassMatch "${path}%" !`]))
    lines.push(...way(rng, path))
  }
  return lines
}

function text(rng, count) {
  return Array.from({ length: count }, () => rng.pick(PIECES)).join('')
}

function target(rng) {
  const query = rng.chance(0.4) ? `?${text(rng, rng.below(5)).replaceAll('/', '')}` : ''
  return Buffer.from(`${rng.pick(BEGINNINGS)}${text(rng, rng.below(6))}${query}`, 'utf8').toString('latin1')
}

/** A case of test/conformance: URLs with any octets, escaped or not, by every way to a back end. */
export function encodings({ seed, hosts = 30, requests = 12 }) {
  const rng = random(seed)
  const conf = ['@BASE@', '@LOADMODULES:authz_core,headers,rewrite,dir,proxy,proxy_http@']
  const probes = []
  for (let number = 0; number < hosts; number++) {
    const lines = hostLines(rng).map((line) => `  ${line}`)
    conf.push('<VirtualHost *:@PORT@>', `  ServerName h${number}.test`, ...lines, '</VirtualHost>')
    for (let left = requests; left > 0; left--) {
      const head = `GET ${target(rng)} HTTP/1.1\r\nHost: h${number}.test\r\nConnection: close\r\n\r\n`
      probes.push({ raw: head, methods: ['GET'] })
    }
  }
  return {
    compare: ['status', 'body', 'error', 'backend'],
    mask: [['^X-Forwarded-.*', '']],
    concurrency: 1,
    conf,
    backends: { app: {} },
    probes,
  }
}
