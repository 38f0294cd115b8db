// Balancers by every way to them: mappings, sections, rewrite rules of servers and folders, handlers; and parameters on any line.
import { random } from '../conformance/gen/random.mjs'

const MEMBERS = ['a', 'b', 'c']
const BALANCER = [
  ...['stickysession=SID', 'stickysession=SID|sid', 'stickysession=sid|SID', 'nofailover=On', 'maxattempts=0', 'maxattempts=1'],
  ...['failonstatus=503', 'failonstatus=500,503', 'failontimeout=On', 'forcerecovery=Off', 'growth=5', 'nonce=none', 'timeout=1'],
  ...['lbmethod=byrequests', 'lbmethod=bytraffic', 'lbmethod=bybusyness', 'scolonpathdelim=On', 'stickysessionsep=-'],
]
const MEMBER = [
  ...['route=r1', 'route=r2', 'route=a.b', 'redirect=r2', 'lbset=1', 'loadfactor=2', 'loadfactor=5', 'status=+H', 'status=+R'],
  ...['status=+D', 'status=+N', 'status=+S', 'status=+I', 'status=+E', 'status=H-H', 'status=+D+H', 'timeout=1'],
]

const words = (rng, list, most) => Array.from({ length: rng.below(most + 1) }, () => rng.pick(list))

function members(rng, number, within) {
  const name = within ? '' : `balancer://b${number} `
  const lines = []
  for (let index = 0; index <= rng.below(4); index++) {
    const backEnd = rng.weighted([
      [6, () => `@BACKEND:${rng.pick(MEMBERS)}@`],
      [1, () => '@BACKEND:away@'],
      [1, () => '@BACKEND:slow@'],
      [1, () => `127.0.0.1:${1 + rng.below(9)}`],
    ])()
    const path = rng.pick([`/m${index}`, `/m${index}`, `/m${index}/`, `/m${index}/deep`])
    lines.push(`BalancerMember ${name}http://${backEnd}${path} retry=60 ${words(rng, MEMBER, 3).join(' ')}`)
  }
  return lines
}

/** Lines that define the balancer of a host, and set its parameters. */
function definition(rng, number) {
  const parameters = words(rng, BALANCER, 4)
  const inside = (lines) => lines.map((line) => `  ${line}`)
  return rng.weighted([
    [
      4,
      () => [
        `<Proxy "balancer://b${number}">`,
        ...inside(members(rng, number, true)),
        ...parameters.map((each) => `  ProxySet ${each}`),
        '</Proxy>',
      ],
    ],
    [2, () => [`<Proxy "balancer://b${number}" ${parameters.join(' ')}>`, ...inside(members(rng, number, true)), '</Proxy>']],
    [2, () => [...members(rng, number, false), ...parameters.map((each) => `ProxySet balancer://b${number} ${each}`)]],
    [
      1,
      () => [
        `<Proxy "balancer://B${number}/">`,
        ...inside(members(rng, number, true)),
        ...parameters.map((each) => `  ProxySet ${each}`),
        '</Proxy>',
      ],
    ],
  ])()
}

function ways(rng, number) {
  const url = `balancer://${rng.chance(0.1) ? 'B' : 'b'}${number}`
  const path = rng.pick(['', '/', '/in', '/in/'])
  const inline = words(rng, BALANCER, 1).join(' ')
  return rng.weighted([
    [4, () => [`ProxyPass "/x" "${url}${path}" ${inline}`]],
    [2, () => [`<Location "/x">`, `  ProxyPass "${url}${path}" ${inline}`, '</Location>']],
    [2, () => [`ProxyPassMatch "^/x/(.*)$" "${url}/$1" ${inline}`]],
    [2, () => ['RewriteEngine On', `RewriteRule "^/x(.*)$" "${url}${path}$1" [P${rng.pick(['', ',QSA'])}]`]],
    [2, () => ['<Location "/x">', '  RewriteEngine On', `  RewriteRule "/x/([^/]*)$" "${url}/l/$1" [P]`, '</Location>']],
    [2, () => ['<Directory "@DOCROOT@/x">', '  RewriteEngine On', `  RewriteRule "^(.*)$" "${url}/d/$1" [P]`, '</Directory>']],
    [2, () => ['<Location "/x">', `  SetHandler "proxy:${url}"`, '</Location>']],
    [1, () => ['<Location "/x">', `  SetHandler "proxy:balancer://unknown"`, '</Location>']],
    [1, () => ['RewriteEngine On', `RewriteRule "^/x(.*)$" "balancer://unknown$1" [P]`]],
  ])()
}

function hostLines(rng, number) {
  const lines = [...definition(rng, number), ...ways(rng, number)]
  if (rng.chance(0.5)) lines.push(`ProxyPassReverse "/x" "balancer://b${number}${rng.pick(['', '/', '/in'])}"`)
  if (rng.chance(0.3)) lines.push('Header add Set-Cookie "SID=.%{BALANCER_WORKER_ROUTE}e; path=/" env=BALANCER_ROUTE_CHANGED')
  if (rng.chance(0.2)) lines.push(`ProxyErrorOverride On ${rng.pick(['503', '404', ''])}`)
  if (rng.chance(0.2)) lines.push('ProxyPreserveHost On')
  if (rng.chance(0.3))
    lines.push(
      `<Proxy "balancer://b${number}/*">`,
      `  ${rng.pick(['Require all denied', 'RequestHeader set X-In proxy', 'ProxyPreserveHost On'])}`,
      '</Proxy>',
    )
  return lines
}

function request(rng, number) {
  const session = `s${rng.pick(['.', '.', '-'])}${rng.pick(['r1', 'r2', 'a.b', 'none'])}`
  const fields = rng.chance(0.4) ? { Cookie: `${rng.pick(['SID', 'sid', 'SID'])}=${session}` } : {}
  const end = rng.pick(['', '', `;SID=${session}`, `;sid=${session}`, `?sid=${session}`, `?a=b&SID=${session}`, '?q'])
  const body = rng.chance(0.15) ? { method: 'POST', body: 'abc' } : {}
  const target = `/x/${rng.pick(['y', 'y', 'moved', 'odd%20path', 'a%2Fb', ''])}${end}`
  return { target, headers: { Host: `h${number}.test`, Connection: 'close', ...fields }, ...body }
}

/** A case of test/conformance: balancers by every way, and sequences of requests. */
export function balancerWays({ seed, hosts = 24, requests = 8 }) {
  const rng = random(seed)
  const modules =
    'authz_core,dir,headers,env,rewrite,slotmem_shm,proxy,proxy_http,proxy_balancer,lbmethod_byrequests,lbmethod_bytraffic,lbmethod_bybusyness'
  const conf = [
    '@BASE@',
    `@LOADMODULES:${modules}@`,
    'LogFormat "%{remote}p|%r %>s name=%{BALANCER_NAME}e worker=%{BALANCER_WORKER_NAME}e route=%{BALANCER_WORKER_ROUTE}e session=%{BALANCER_SESSION_STICKY}e sroute=%{BALANCER_SESSION_ROUTE}e changed=%{BALANCER_ROUTE_CHANGED}e" lb',
    'CustomLog logs/access-lb.log lb',
  ]
  const probes = []
  for (let number = 0; number < hosts; number++) {
    const lines = hostLines(rng, number).map((line) => `  ${line}`)
    conf.push(
      '<VirtualHost *:@PORT@>',
      `  ServerName h${number}.test`,
      '  CustomLog logs/access-lb.log lb',
      ...lines,
      '</VirtualHost>',
    )
    for (let left = requests; left > 0; left--) probes.push(request(rng, number))
  }
  const answers = {}
  for (const name of MEMBERS) {
    const answerOf = {}
    for (let index = 0; index < 4; index++) {
      const location = `http://@BACKEND:${name}@/m${index}${index % 2 === 0 ? '' : '/in'}/there`
      answerOf[`/m${index}/moved`] = { status: '302 Found', headers: { Location: location }, body: '' }
      answerOf[`/m${index}/in/moved`] = { status: '302 Found', headers: { Location: location }, body: '' }
    }
    answers[name] = { answers: answerOf }
  }
  return {
    compare: ['status', 'headers:location', 'headers:set-cookie', 'body', 'access', 'error', 'backend'],
    observe: ['location', 'set-cookie'],
    mask: [
      ['^X-Forwarded-.*', ''],
      ['\\((20014|70007|70008|70014)\\)[^:]*: ', ''],
    ],
    concurrency: 1,
    conf,
    files: { 'docs/x/y': 'a file\n' },
    backends: {
      ...answers,
      away: { default: { status: '503 Away', body: 'away' } },
      slow: { default: [1300, 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nslow'] },
    },
    probes,
  }
}
