import { random } from '../conformance/gen/random.mjs'

const PATHS = ['/', '/a', '/a/', '/a/b', '/a/b/', '/b', '/b/c', '/a/b/c']
const PATTERNS = ['^/a/(.*)$', '^/(a|b)/', '/b/(?<rest>[^/]*)', '^/a(?=/b)', '\\.x$', '^/(?<first>[^/]+)/(?<second>[^/]+)']
const TARGETS = ['/x', '/x/', '/y', '/x/y/', '', '/']
const CODES = ['On', 'Off', 'On 404', 'On 403 404', 'On 500']

/** Where a line may lead: to the back end itself, or to a balancer of the host or of the main server. */
function destination(rng, number, path = rng.pick(TARGETS)) {
  return rng.weighted([
    [6, `http://@BACKEND:app@${path}`],
    [2, `http://@BACKEND:other@${path}`],
    [3, `balancer://b${number}${path}`],
    [1, `balancer://shared${path}`],
  ])
}

/** With variables, some of which no line sets. */
function variable(rng, number) {
  return rng.pick([
    `http://\${TARGET}/x`,
    `http://@BACKEND:app@/\${WORD}`,
    `http://@BACKEND:app@/\${NONE}/\${WORD}`,
    `balancer://b${number}/\${WORD}`,
    `http://@BACKEND:app@/x\${WORD`,
    `http://@BACKEND:app@/\${}/\${WORD}\${WORD}`,
  ])
}

/** Lines that sections of every kind may have; each leaves a mark in what the back end or the client gets. */
function settings(rng, mark) {
  const lines = [`RequestHeader append X-Mark "${mark}"`]
  const add = (chance, make) => void (rng.chance(chance) && lines.push(...[make()].flat()))
  add(0.2, () => `ProxyPreserveHost ${rng.pick(['On', 'Off'])}`)
  add(0.2, () => `ProxyAddHeaders ${rng.pick(['On', 'Off', 'Off'])}`)
  add(0.25, () => `ProxyErrorOverride ${rng.pick(CODES)}`)
  add(0.25, () => `ProxyPassInterpolateEnv ${rng.pick(['On', 'On', 'Off'])}`)
  add(0.1, () => 'Require all denied')
  add(0.05, () => 'Require expr "%{QUERY_STRING} =~ /q/"')
  add(0.15, () => `Header append X-Answer "${mark}"`)
  add(0.15, () => [
    `<If "%{QUERY_STRING} =~ /${rng.pick(['q', 'r', '.'])}/">`,
    ...settings(rng, `${mark}i`).map((line) => `  ${line}`),
    '</If>',
  ])
  return lines
}

const interpolates = (rng) => (rng.chance(0.5) ? ' interpolate' : '')

function reverseLine(rng, number, path) {
  const to = rng.chance(0.4) ? variable(rng, number) : destination(rng, number)
  return rng.weighted([
    [4, () => `ProxyPassReverse ${path}"${to}"${interpolates(rng)}`],
    [
      2,
      () =>
        `ProxyPassReverseCookiePath "${rng.pick(['/x', '/', '/${WORD}', '/x/y'])}" "${rng.pick(['/a', '/${WORD}', '/a/${NONE}'])}"${interpolates(rng)}`,
    ],
    [
      2,
      () =>
        `ProxyPassReverseCookieDomain "${rng.pick(['in.test', '${WORD}.test'])}" "${rng.pick(['out.test', '${WORD}.out'])}"${interpolates(rng)}`,
    ],
  ])()
}

/** ProxyPass of a section. */
function passLine(rng, number, isMatch) {
  const flags = rng.pick(['', '', '', ' nocanon', ' noquery', ' interpolate', ' interpolate'])
  if (rng.chance(0.2)) return 'ProxyPass "!"'
  if (rng.chance(0.25)) return `ProxyPass "${variable(rng, number)}"${interpolates(rng)}`
  if (isMatch && rng.chance(0.5)) return `ProxyPassMatch "${destination(rng, number, rng.pick(['/x/$1', '/$1', '/x', '/$0']))}"`
  return `ProxyPass "${destination(rng, number)}"${flags}`
}

function urlSection(rng, number, mark) {
  const isMatch = rng.chance(0.35)
  const [kind, argument] = isMatch
    ? rng.pick([
        ['LocationMatch', `"${rng.pick(PATTERNS)}"`],
        ['Location', `~ "${rng.pick(PATTERNS)}"`],
      ])
    : ['Location', `"${rng.pick([...PATHS, '/a*', '/?/b'])}"`]
  const lines = settings(rng, mark)
  if (rng.chance(0.5)) lines.push(passLine(rng, number, isMatch))
  if (rng.chance(0.3)) lines.push(reverseLine(rng, number, ''))
  if (rng.chance(0.1)) lines.push(`SetHandler "proxy:${destination(rng, number, '')}"`)
  if (rng.chance(0.15)) lines.push('RewriteEngine On', `RewriteRule "([^/]*)$" "${destination(rng, number, '/rl/$1')}" [P]`)
  return [`<${kind} ${argument}>`, ...lines.map((line) => `  ${line}`), `</${kind}>`]
}

function proxySection(rng, number, mark) {
  const argument = rng.pick([
    'Proxy "*"',
    'Proxy "http://@BACKEND:app@/*"',
    'Proxy "http://@BACKEND:app@/x"',
    'Proxy "http://*/x/?"',
    `Proxy "balancer://b${number}"`,
    `Proxy "balancer://b${number}/*"`,
    `Proxy "balancer://*"`,
    `Proxy "balancer://b${number}/x/"`,
    'ProxyMatch "^http://[^/]*/(?<part>[^/?]*)"',
    'ProxyMatch "^balancer:"',
    'ProxyMatch "/y"',
  ])
  const lines = settings(rng, mark)
  if (argument.includes('part')) lines.push('RequestHeader set X-Part "%{MATCH_PART}e"')
  if (rng.chance(0.2)) lines.push(reverseLine(rng, number, '').replace('balancer://b', 'balancer://c'))
  return [`<${argument}>`, ...lines.map((line) => `  ${line}`), `</${argument.split(' ')[0]}>`]
}

/** [P] and SetHandler of folders, in the configuration or in a file of the folder. */
function folderLines(rng, number, mark) {
  return rng.weighted([
    [
      3,
      () => [
        'RewriteEngine On',
        `RewriteRule "^(.*)$" "${destination(rng, number, '/f/$1')}" [${rng.pick(['P', 'P,QSA', 'P,NE', 'P,L,B'])}]`,
      ],
    ],
    [
      1,
      () => [
        'RewriteEngine On',
        `RewriteRule "(.)$" "${destination(rng, number, '/g/$1')}" [P,E=WORD:set]`,
        `RequestHeader set X-Word "%{WORD}e"`,
      ],
    ],
    [
      1,
      () => [
        'RewriteEngine On',
        `RewriteCond "%{REQUEST_FILENAME}" !-f`,
        `RewriteRule "^(.*)$" "${destination(rng, number, '/g/$1')}" [P]`,
      ],
    ],
    [1, () => [`SetHandler "proxy:${destination(rng, number, '')}"`]],
    [1, () => ['<Files "*.x">', `  SetHandler "proxy:${destination(rng, number, '/s')}"`, '</Files>']],
    [
      1,
      () => [
        `<If "%{REQUEST_URI} =~ /b/">`,
        `  SetHandler "proxy:${destination(rng, number, '/i')}"`,
        '</If>',
        `RequestHeader append X-Mark "${mark}"`,
      ],
    ],
  ])()
}

function serverLine(rng, number) {
  const path = rng.pick(PATHS)
  return rng.weighted([
    [4, () => `ProxyPass "${path}" "${destination(rng, number)}"${rng.pick(['', '', ' interpolate', ' nocanon'])}`],
    [2, () => `ProxyPass "${path}" "${variable(rng, number)}"${interpolates(rng)}`],
    [1, () => `ProxyPass "/\${WORD}" "${destination(rng, number)}"${interpolates(rng)}`],
    [2, () => `ProxyPass "${path}" "!"`],
    [2, () => `ProxyPassMatch "${rng.pick(PATTERNS)}" "${destination(rng, number, rng.pick(['/x/$1', '/$1', '/x']))}"`],
    [1, () => `ProxyPassMatch "${rng.pick(PATTERNS)}" "!"`],
    [2, () => reverseLine(rng, number, `"${path}" `).replace(/^(ProxyPassReverseCookie\w+) "[^"]*" (?="[^"]*" ")/, '$1 ')],
    [1, () => `ProxyVia ${rng.pick(['On', 'Full', 'Block'])}`],
    [1, () => `ProxyMaxForwards ${rng.pick(['0', '1', '5', '-1'])}`],
    [1, () => `ProxyPassInherit ${rng.pick(['On', 'Off'])}`],
    [1, () => `UseCanonicalName ${rng.pick(['On', 'Off'])}`],
    [
      2,
      () =>
        `RewriteEngine On\nRewriteRule "^${path === '/' ? '/z' : path}/r(.*)$" "${destination(rng, number, '/rw$1')}" [${rng.pick(['P', 'P,E=WORD:rule'])}]`,
    ],
    [1, () => `ProxyPass "/l" "balancer://c${number}" lbmethod=${rng.pick(['byrequests', 'bytraffic'])}`],
  ])()
}

function hostLines(rng, number) {
  const member = rng.pick(['app', 'other'])
  const lines = [`<Proxy "balancer://b${number}">`, `  BalancerMember "http://@BACKEND:${member}@/m" route=r1`, '</Proxy>']
  lines.push('SetEnvIf Request_URI "/(b|c)" WORD=$1', 'SetEnvIf Host "." TARGET=@BACKEND:other@')
  if (rng.chance(0.3)) lines.push('SetEnvIf Query_String "n" no-proxy')
  lines.push(...settings(rng, 'v').filter((line) => !/^(?:Require| {2}|<\/?If)/.test(line)))
  for (let left = rng.below(4); left > 0; left--) lines.push(...serverLine(rng, number).split('\n'))
  for (let left = 1 + rng.below(4); left > 0; left--) lines.push(...urlSection(rng, number, `l${left}`))
  for (let left = rng.below(3); left > 0; left--) lines.push(...proxySection(rng, number, `p${left}`))
  if (rng.chance(0.6)) {
    const folder = rng.pick(['a', 'a/b', 'd'])
    const body = [...settings(rng, 'd'), ...folderLines(rng, number, 'd')].map((line) => `  ${line}`)
    lines.push(`<Directory "@DOCROOT@/${folder}">`, ...body, '</Directory>')
  }
  return lines
}

const SEGMENTS = ['a', 'a', 'b', 'b', 'c', 'd', 'h0', 'h1', 'h2', 'f.txt', 'n.x', 'x', 'r1', 'l', 'g']
const FIELDS = [
  'Max-Forwards: 0',
  'Max-Forwards: 1',
  'Max-Forwards: x',
  'Via: 1.0 before',
  'X-Forwarded-For: 192.0.2.1',
  'X-Mark: client',
]

function request(rng, number) {
  const count = 1 + rng.below(4)
  const path = Array.from({ length: count }, () => rng.pick(SEGMENTS)).join('/')
  const query = rng.pick(['', '', '', '?q', '?r=1', '?n', '?', '?a=%2F', '?${WORD}'])
  const method = rng.pick(['GET', 'GET', 'GET', 'GET', 'POST', 'OPTIONS', 'TRACE'])
  const fields = rng.chance(0.3) ? [rng.pick(FIELDS)] : []
  if (method === 'POST') fields.push('Content-Length: 2')
  const lines = [
    `${method} /${path}${rng.pick(['', '', '/', '/%24%7BWORD%7D'])}${query} HTTP/1.1`,
    `Host: h${number}.test`,
    'Connection: close',
    ...fields,
  ]
  return { raw: `${lines.join('\r\n')}\r\n\r\n${method === 'POST' ? 'ab' : ''}`, methods: [method] }
}

/** A case of test/conformance: requests that several lines of servers, sections and folders compete for. */
export function scopes({ seed, hosts = 30, requests = 12 }) {
  const rng = random(seed)
  const modules =
    'authz_core,setenvif,headers,rewrite,dir,slotmem_shm,proxy,proxy_http,proxy_balancer,lbmethod_byrequests,lbmethod_bytraffic'
  const conf = ['@BASE@', `@LOADMODULES:${modules}@`]
  conf.push('<Directory "@DOCROOT@">', '  AllowOverride All', '</Directory>')
  conf.push('<Proxy "balancer://shared">', '  BalancerMember "http://@BACKEND:app@/sh"', '</Proxy>')
  conf.push('ProxyPass "/g" "http://@BACKEND:app@/global"', 'ProxyPassReverse "/g" "http://@BACKEND:app@/x"')
  if (rng.chance(0.5)) conf.push('ProxyPassInterpolateEnv On')
  const probes = []
  for (let number = 0; number < hosts; number++) {
    const lines = hostLines(rng, number).map((line) => `  ${line}`)
    conf.push('<VirtualHost *:@PORT@>', `  ServerName h${number}.test`, ...lines, '</VirtualHost>')
    for (let left = requests; left > 0; left--) probes.push(request(rng, number))
  }
  const files = { 'docs/a/b/f.txt': 'f\n', 'docs/a/n.x': 'n\n', 'docs/d/f.txt': 'd\n' }
  for (const folder of ['h0', 'h1', 'h2']) {
    files[`docs/${folder}/.htaccess`] = [...settings(rng, folder), ...folderLines(rng, 0, folder)].join('\n')
    files[`docs/${folder}/f.txt`] = `${folder}\n`
  }
  const there = { Location: 'http://@BACKEND:app@/x/there', 'Set-Cookie': 'a=1; path=/x/y; domain=in.test' }
  const answers = {
    '/x*': { headers: there, body: 'x' },
    '/m*': { headers: { Location: 'http://@BACKEND:app@/m/b/there', 'Set-Cookie': 'a=1; path=/b; domain=b.test' }, body: 'm' },
    '/y*': { status: '404 Nothing', headers: { ...there, Location: '/x/rel' }, body: 'y' },
    '/b*': { status: '500 Broken', headers: { Location: '/b/c' }, body: 'b' },
    '/c*': {
      status: '302 Found',
      headers: { Location: 'http://@BACKEND:app@/c/x', 'Set-Cookie': 'a=1; path=/c; domain=c.test' },
      body: '',
    },
  }
  return {
    compare: ['status', 'headers', 'body', 'error', 'backend'],
    observe: [
      'location',
      'set-cookie',
      'via',
      '-content-length',
      '-transfer-encoding',
      '-etag',
      '-accept-ranges',
      '-last-modified',
    ],
    // Where a request arrives at a path without an answer, its body tells the path.
    mask: [
      ['^X-Forwarded-(?:For|Server): .*', 'X-Forwarded'],
      // What an incomplete variable glues to the port.
      ['127\\.0\\.0\\.1:\\d{5}', '127.0.0.1:PORT'],
    ],
    concurrency: 1,
    conf,
    files,
    backends: { app: { answers }, other: { answers } },
    probes,
  }
}
