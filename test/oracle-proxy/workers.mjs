// Parameters of workers by every line that sets them, with back ends that fail, wait, refuse and speak at length.
import { random } from '../conformance/gen/random.mjs'

const PARAMETERS = [
  ...['retry=0', 'retry=60', 'ping=1', 'ping=200ms', 'disablereuse=On', 'disablereuse=Off', 'enablereuse=On', 'enablereuse=Off'],
  ...['max=1', 'max=2', 'min=0', 'smax=1', 'ttl=1', 'acquire=500', 'timeout=1', 'timeout=5', 'connectiontimeout=500ms'],
  ...[
    'connectiontimeout=2',
    'flushpackets=on',
    'flushpackets=auto',
    'flushwait=5',
    'addressttl=5',
    'addressttl=-1',
    'secret=word',
  ],
  ...['iobuffersize=8192', 'receivebuffersize=4096', 'responsefieldsize=200', 'responsefieldsize=20000', 'keepalive=On'],
  ...['upgrade=websocket', 'upgrade=ANY', 'upgrade=NONE', 'upgrade=other', 'status=+D', 'status=+S', 'status=-I', 'status=-I'],
  ...['status=+I', 'status=+E', 'status=-I+E', 'status=+H', 'status=+N', 'status=+R', 'status=D-I', 'status=+D-D', 'status=+C'],
  ...['route=r1', 'redirect=r2', 'lbset=1', 'loadfactor=3'],
]

const OTHER = ['', '', '', 'nocanon', 'interpolate', 'noquery']

/** Lines that define the worker of a host and set its parameters, by one of the ways. */
function workerLines(rng, number) {
  const name = rng.weighted([
    [8, 'app'],
    [2, 'broken'],
    [2, 'drop'],
    [2, 'long'],
    [1, 'mute'],
  ])
  const authority = rng.chance(0.15) ? `127.0.0.1:${1 + rng.below(9)}` : `@BACKEND:${name}@`
  const url = `http://${authority}/w${number}/`
  const parameters = Array.from({ length: rng.below(4) }, () => rng.pick(PARAMETERS))
  const words = parameters.join(' ')
  const sets = (target) => parameters.map((word) => `ProxySet ${target}${word}`)
  return rng.weighted([
    [5, () => [`ProxyPass "/w" "${url}" ${words} ${rng.pick(OTHER)}`]],
    [2, () => ['<Location "/w">', `  ProxyPass "${url}" ${words}`, '</Location>']],
    [2, () => [`<Proxy "${url}" ${words}>`, '</Proxy>', `ProxyPass "/w" "${url}"`]],
    [2, () => [`<Proxy "${url}">`, ...sets('  '), '</Proxy>', `ProxyPass "/w" "${url}"`]],
    [2, () => [`ProxyPass "/w" "${url}"`, ...sets(`"${url}" `)]],
    [1, () => [`ProxyPass "/w" "${url}" ${words}`, `ProxyPass "/w2" "${url}2/" ${rng.pick(PARAMETERS)}`]],
    [1, () => [`ProxyPassMatch "^/w(.*)$" "${url}$1" ${words}`]],
    [1, () => [`<Proxy "${url}">`, ...sets('  '), '</Proxy>', 'RewriteEngine On', `RewriteRule "^/w(.*)$" "${url}$1" [P]`]],
    [1, () => [`<Proxy "${url}" ${words}>`, '</Proxy>', '<Location "/w">', `  SetHandler "proxy:${url}"`, '</Location>']],
  ])()
}

function request(rng, number) {
  const path = rng.pick(['x', 'x', 'x', 'slow', 'long', 'gone', 'late', 'upgrade', 'interim'])
  const method = rng.pick(['GET', 'GET', 'GET', 'POST', 'HEAD'])
  const fields = []
  const add = (chance, ...lines) => void (rng.chance(chance) && fields.push(...lines))
  add(path === 'upgrade' ? 0.8 : 0.05, `Upgrade: ${rng.pick(['websocket', 'other'])}`, 'Connection: Upgrade')
  if (fields.length === 0) fields.push('Connection: close')
  if (method === 'POST') fields.push('Content-Length: 3')
  if (method === 'POST') add(0.2, 'Expect: 100-continue')
  const head = [`${method} /w${rng.pick(['', '/', '2/'])}${path} HTTP/1.1`, `Host: h${number}.test`, ...fields].join('\r\n')
  return { raw: [`${head}\r\n\r\n${method === 'POST' ? 'abc' : ''}`, 100], end: true, methods: [method] }
}

/** A case of test/conformance: workers with random parameters. */
export function workers({ seed, hosts = 30, requests = 8 }) {
  const rng = random(seed)
  const modules = 'authz_core,headers,rewrite,dir,proxy,proxy_http'
  const conf = ['@BASE@', `@LOADMODULES:${modules}@`, 'ProxyTimeout 3']
  const probes = []
  for (let number = 0; number < hosts; number++) {
    const lines = [...workerLines(rng, number)]
    if (rng.chance(0.2)) lines.push('ProxyTimeout 1')
    if (rng.chance(0.2)) lines.push(`ProxyErrorOverride ${rng.pick(['On', 'On 503', 'On 502 504'])}`)
    conf.push('<VirtualHost *:@PORT@>', `  ServerName h${number}.test`, ...lines.map((line) => `  ${line}`), '</VirtualHost>')
    for (let left = requests; left > 0; left--) probes.push(request(rng, number))
  }
  const answers = {}
  for (let number = 0; number < hosts; number++) {
    for (const start of [`/w${number}/`, `/w${number}//`, `/w${number}/2/`, `/w${number}/w/`]) {
      answers[`${start}slow`] = [1300, 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nslow']
      answers[`${start}long`] = { headers: { 'X-Long': 'y'.repeat(9000) }, body: 'long' }
      answers[`${start}gone`] = [{ close: true }]
      answers[`${start}late`] = ['HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\none ', 300, 'two ']
      answers[`${start}upgrade`] = [
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
        'hello',
        { close: true },
      ]
      answers[`${start}interim`] = ['HTTP/1.1 103 Early Hints\r\n\r\n', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok']
    }
  }
  return {
    compare: ['status', 'body', 'error', 'backend'],
    mask: [
      ['^X-Forwarded-.*', ''],
      // How a connection that breaks shows itself depends on what arrives first.
      ['\\((?:104|32|20014|70007|70008|70014)\\)[^:]*: ', ''],
    ],
    concurrency: 1,
    conf,
    backends: {
      app: { answers },
      broken: { answers, default: { status: '503 Away', body: 'away' } },
      mute: { answers, interim: false },
      drop: { answers, default: [{ close: true }] },
      long: { answers, default: { headers: { 'X-A': 'z'.repeat(300) }, body: 'long' } },
    },
    probes,
  }
}
