import { random } from '../conformance/gen/random.mjs'

const BACKENDS = {
  a: {},
  b: {},
  c: {},
  d: {},
  e: {},
  away: { default: { status: '503 Away', body: 'away' } },
  broken: { default: { status: '500 Broken', body: 'broken' } },
  drop: { default: [{ close: true }] },
}
const ROUTES = ['r1', 'r2', 'r3', 'a.b', 'R1']
const STATES = ['+D', '+S', '+H', '+H', '+R', '+R', '+N', '+I', '+E', '+D+H', '+H+R', '+E+I', '-E', '+N+H', '+E+S']
const FACTORS = ['1', '2', '3', '1.5', '10', '2.25']

/** The URL of a member; each member of a balancer has a path of its own, because the longer URL would share the shorter one's. */
function memberUrl(rng, index) {
  const name = rng.weighted([
    [10, () => `@BACKEND:${rng.pick(['a', 'b', 'c', 'd', 'e'])}@`],
    [2, () => `@BACKEND:${rng.pick(['away', 'broken', 'drop'])}@`],
    [4, () => `127.0.0.1:${1 + rng.below(9)}`],
  ])()
  return `http://${name}/m${index}`
}

function member(rng, index) {
  const words = [`BalancerMember ${memberUrl(rng, index)}`, 'retry=60']
  if (rng.chance(0.3)) words.push(`loadfactor=${rng.pick(FACTORS)}`)
  if (rng.chance(0.3)) words.push(`lbset=${rng.below(3)}`)
  if (rng.chance(0.4)) words.push(`status=${rng.pick(STATES)}`)
  if (rng.chance(0.6)) words.push(`route=${rng.pick(ROUTES)}`)
  if (rng.chance(0.3)) words.push(`redirect=${rng.pick(ROUTES)}`)
  return `  ${words.join(' ')}`
}

function parameters(rng) {
  const words = []
  const add = (chance, word) => void (rng.chance(chance) && words.push(word))
  add(0.6, `stickysession=${rng.pick(['SID', 'SID|sid', 'sid'])}`)
  add(0.15, 'stickysessionsep=-')
  add(0.15, 'scolonpathdelim=On')
  add(0.3, 'nofailover=On')
  add(0.25, `maxattempts=${rng.below(4)}`)
  add(0.25, 'forcerecovery=Off')
  add(0.25, `failonstatus=${rng.pick(['503', '500', '500,503', '502', '404'])}`)
  add(0.5, `lbmethod=${rng.pick(['byrequests', 'bybusyness', 'bytraffic'])}`)
  return words.length === 0 ? [] : [`  ProxySet ${words.join(' ')}`]
}

function request(rng, number) {
  const session = `${rng.pick(['x', '', 'x.y'])}${rng.pick(['.', '.', '.', '-'])}${rng.pick(ROUTES)}`
  const cookie = rng.chance(0.4)
    ? { Cookie: rng.pick([`SID=${session}`, `a=1; SID=${session}; b=2`, `XSID=${session}`, `sid=${session}`]) }
    : {}
  const query = rng.weighted([
    [6, ''],
    [1, `?sid=${session}`],
    [1, `;sid=${session}`],
    [1, `;sid=${session};x=1`],
    [1, `?a=1&SID=${session}`],
  ])
  const body = rng.chance(0.15) ? { method: 'POST', body: 'abc' } : {}
  return { target: `/b${number}/x${query}`, headers: cookie, ...body }
}

/** A case of test/conformance: random balancers, and sequences of requests to each. */
export function balancers({ seed, hosts = 12, requests = 8 }) {
  const rng = random(seed)
  const conf = [
    '@BASE@',
    '@LOADMODULES:authz_core,dir,headers,env,slotmem_shm,proxy,proxy_http,proxy_balancer,lbmethod_byrequests,lbmethod_bytraffic,lbmethod_bybusyness@',
    'LogFormat "%{remote}p|%r %>s name=%{BALANCER_NAME}e worker=%{BALANCER_WORKER_NAME}e route=%{BALANCER_WORKER_ROUTE}e session=%{BALANCER_SESSION_STICKY}e sroute=%{BALANCER_SESSION_ROUTE}e changed=%{BALANCER_ROUTE_CHANGED}e" lb',
    'CustomLog logs/access-lb.log lb',
  ]
  const probes = []
  for (let number = 0; number < hosts; number++) {
    conf.push(`<Proxy balancer://b${number}>`)
    const count = 1 + rng.below(5)
    for (let index = 0; index < count; index++) conf.push(member(rng, index))
    conf.push(...parameters(rng), '</Proxy>', `ProxyPass /b${number} balancer://b${number}`)
    for (let left = requests; left > 0; left--) probes.push(request(rng, number))
  }
  return {
    compare: ['status', 'body', 'access', 'error', 'backend'],
    mask: [
      ['^X-Forwarded-.*', ''],
      ['\\((20014|70008|70014)\\)[^:]*: ', ''],
    ],
    concurrency: 1,
    conf,
    backends: BACKENDS,
    probes,
  }
}
