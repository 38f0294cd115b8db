import { random } from '../conformance/gen/random.mjs'

const STATUSES = [
  '200 OK',
  '201 Made',
  '204 No Content',
  '206 Partial Content',
  '302 Found',
  '304 Not Modified',
  '307 Temporary Redirect',
  '401 Unauthorized',
  '403 Forbidden',
  '404 Not Found',
  '404 Lost',
  '410 Gone',
  '418 Teapot',
  '451 ',
  '500 Broken',
  '502 Bad Gateway',
  '503 Away',
]
const CODES = ['404', '403', '401', '418', '500', '502 503', '404 410', '404 418 500', '451', '599']
const URLS = [
  ...['/x/there', '/x', '/xx', '/X/y', '/x?q=/x/', '/', '', 'x/rel', '//@BACKEND:app@/x', 'http://@BACKEND:app@', 'mailto:a@b'],
  ...['http://@BACKEND:app@/x/y?a=b#c', 'HTTP://@BACKEND:app@/x/z', 'https://@BACKEND:app@/x', 'http://user@@BACKEND:app@/x'],
  ...[
    'http://other.test/x/y',
    'http://OTHER.test/x',
    'http://other.test:80/x',
    'http://front.test/x',
    'http://@BACKEND:app@/x%20y',
  ],
]
const COOKIES = [
  ...[
    'a=1; path=/x/y; secure',
    'a=1; Path=/x',
    'a=1; PATH=/',
    'a=1; path=/xx',
    'a=1; path="/x"',
    'a=1;path=/x;path=/y',
    'a=path=/x',
  ],
  ...[
    'a=1; domain=in.test',
    'a=1; Domain=IN.test; path=/x',
    'a=1; domain=.in.test',
    'a=1; domain=sub.in.test',
    'a=1; mydomain=in.test',
  ],
  ...['a=1; path=/x/; domain=in.test; HttpOnly', 'a=1; path=', 'a=1; domain=', 'a=1; path = /x', 'path=/x; path=/x/y', 'path=/x'],
  ...[
    'Domain=in.test',
    'a=1;  path=/x',
    'a=1; xpath=/x',
    'a=1; path=/x; Path=/xx',
    'a="; path=/x"; path=/x/y',
    'a=1; path= /x',
    '; path=/x',
  ],
  ...[
    'a=1; domain=in.test; domain=other.test',
    'a=1; path=/x ; secure',
    'a=1; Secure;path=/x;',
    'a=1; =; path=/x',
    'a=1; path;path=/x',
  ],
]
const PASSED = ['/a', '/a/', '/b', '/a b']
const SOURCES = [
  'http://@BACKEND:app@/x',
  'http://@BACKEND:app@/',
  'http://@BACKEND:app@',
  'http://other.test/x',
  'HTTP://Other.Test',
  '/x',
  '/',
  '/x/',
]

function reverseLine(rng) {
  const path = rng.pick(PASSED)
  return rng.weighted([
    [5, () => `ProxyPassReverse "${path}" "${rng.pick(SOURCES)}"`],
    [
      3,
      () =>
        `ProxyPassReverseCookiePath "${rng.pick(['/x', '/', '/x/y', '/xx', '"/x"'].filter((each) => !each.includes('"')))}" "${path}"`,
    ],
    [
      3,
      () =>
        `ProxyPassReverseCookieDomain "${rng.pick(['in.test', '.in.test', 'IN.TEST', 'test'])}" "${rng.pick(['out.test', '.out.test'])}"`,
    ],
  ])()
}

function hostLines(rng) {
  const lines = [`ProxyPass "/a" "http://@BACKEND:app@/x"`]
  const add = (chance, make) => void (rng.chance(chance) && lines.push(...[make()].flat()))
  for (let left = rng.below(4); left > 0; left--) lines.push(reverseLine(rng))
  add(0.5, () => [
    `<Location "${rng.pick(['/a', '/a/r', '/'])}">`,
    ...Array.from({ length: 1 + rng.below(2) }, () => `  ${reverseLine(rng).replace(/^(ProxyPassReverse) "[^"]*"/, '$1')}`),
    '</Location>',
  ])
  add(0.2, () => 'ProxyPreserveHost On')
  add(0.2, () => `UseCanonicalName ${rng.pick(['On', 'Off'])}`)
  add(0.4, () => `ProxyErrorOverride ${rng.pick(['On', `On ${rng.pick(CODES)}`, `On ${rng.pick(CODES)}`, 'Off'])}`)
  add(0.3, () => `<Location "/a/r1">\n    ProxyErrorOverride ${rng.pick(['On', 'Off', 'On 404'])}\n  </Location>`)
  add(
    0.4,
    () =>
      `ErrorDocument ${rng.pick(['404', '403', '500', '401', '410', '503'])} ${rng.pick(['"text of a line"', '/page.html', '/missing.html', '/a/r2'])}`,
  )
  add(0.2, () =>
    `Header ${rng.pick(['set', 'always set', 'edit', 'onsuccess unset'])} ${rng.pick(['X-A "here"', 'Location "here"'])}`
      .replace(/edit (\S+) "here"/, 'edit $1 x y')
      .replace(/unset (\S+) "here"/, 'unset $1'),
  )
  add(0.2, () => `ProxyVia ${rng.pick(['On', 'Full', 'Block'])}`)
  return lines
}

function answer(rng) {
  const status = rng.pick(STATUSES)
  const headers = {}
  const add = (chance, name, value) => void (rng.chance(chance) && (headers[name] = value))
  add(0.6, 'Location', rng.pick(URLS))
  add(0.3, 'Content-Location', rng.pick(URLS))
  add(0.2, 'Destination', rng.pick(URLS))
  add(0.2, 'URI', rng.pick(URLS))
  add(0.2, 'Link', `<${rng.pick(URLS)}>; rel=next`)
  add(0.6, 'Set-Cookie', rng.pick(COOKIES))
  add(0.2, 'X-A', 'backend')
  add(0.2, 'WWW-Authenticate', 'Basic realm="b"')
  add(0.2, 'ETag', '"e"')
  add(0.2, 'Vary', rng.pick(['a', 'a, b', '*']))
  add(0.2, 'Content-Type', rng.pick(['text/plain', 'text/html; charset=x', '']))
  add(0.1, 'Via', '1.0 behind')
  const hasBody = !/^(?:204|304)/.test(status)
  if (rng.chance(0.2) && hasBody) return { status, headers, chunked: ['one', 'two'], trailers: { 'X-T': 'late' } }
  return { status, headers, body: hasBody ? rng.pick(['', 'x', 'body of the back end\n', 'y'.repeat(9000)]) : '' }
}

function interim(rng) {
  const hint = `HTTP/1.1 ${rng.pick(['100 Continue', '102 Processing', '103 Early Hints', '103 Early Hints'])}\r\n${rng.pick(['', 'Link: </s.css>; rel=preload\r\n', 'X-I: 1\r\n'])}\r\n`
  return [hint.repeat(1 + rng.below(3)), 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx']
}

/** A case of test/conformance: responses of a back end with random fields, and lines that map and replace them. */
export function responses({ seed, hosts = 40, requests = 8 }) {
  const rng = random(seed)
  const conf = ['@BASE@', '@LOADMODULES:authz_core,dir,headers,proxy,proxy_http@']
  const answers = {}
  for (let number = 0; number < 60; number++) answers[`/x/r${number}`] = rng.chance(0.1) ? interim(rng) : answer(rng)
  const probes = []
  for (let number = 0; number < hosts; number++) {
    const host = `h${number}.test`
    const lines = hostLines(rng)
    conf.push('<VirtualHost *:@PORT@>', `  ServerName ${host}`, ...lines.map((line) => `  ${line}`), '</VirtualHost>')
    for (let left = requests; left > 0; left--) {
      const method = rng.pick(['GET', 'GET', 'GET', 'HEAD', 'POST'])
      const fields = rng.chance(0.15) ? ['If-None-Match: "e"'] : []
      const version = rng.chance(0.1) ? '1.0' : '1.1'
      // In httpd a 100 has Via as well, and that of a client of HTTP/1.0 is asked for.
      const expects = version === '1.1' && !lines.some((line) => line.startsWith('ProxyVia')) && rng.chance(0.3)
      if (method === 'POST') fields.push('Content-Length: 3', ...(expects ? ['Expect: 100-continue'] : []))
      const head = [`${method} /a/r${rng.below(60)} HTTP/${version}`, `Host: ${host}`, 'Connection: close', ...fields].join(
        '\r\n',
      )
      probes.push({ raw: `${head}\r\n\r\n${method === 'POST' ? 'abc' : ''}`, methods: [method] })
    }
  }
  return {
    compare: ['status', 'headers', 'body', 'backend'],
    observe: [
      '-content-length',
      '-transfer-encoding',
      'set-cookie',
      'via',
      'location',
      'content-location',
      'destination',
      'uri',
      'link',
      'x-a',
      'x-t',
      'www-authenticate',
    ],
    mask: [['^X-Forwarded-.*', '']],
    concurrency: 1,
    conf,
    files: { 'docs/page.html': 'a page of the server\n' },
    backends: { app: { answers } },
    probes,
  }
}
