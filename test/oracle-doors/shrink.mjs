// Finds the smallest host that still differs: tries many cuts at once, each as a host of its own, keeps the smallest that differs, and begins again.
import { count, smaller } from '../oracle/tree.mjs'
import { kindOf } from './compare.mjs'
import { runWorld } from './run-world.mjs'

const MOST_ROUNDS = 30
const AT_ONCE = 60

/**
 * Resolves to `{ world, host, differences }`: a world of one host with one request that differs in the same way, or null when the host alone
 * does not differ any more.
 */
export async function shrink(world, { host: index, request, differences }, options) {
  const wanted = kindOf(differences)
  const host = world.hosts[index]
  const alone = { ...host, requests: request < 0 ? [] : [host.requests[request]] }
  const test = (main, hosts) => tryHosts({ ...world, main }, hosts, wanted, options)
  const [found] = await test(world.main, [alone])
  if (found === undefined) return null
  let best = { main: world.main, host: alone, differences: found.differences }
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = best
    best = (await cutMain(best, test)) ?? best
    best = (await cutHost(best, test)) ?? best
    if (best === before) break
  }
  const rest = { ...world, main: best.main }
  const plain = await simplerWorld(rest, best.host, wanted, options)
  return { world: { ...plain, hosts: [best.host] }, host: best.host, differences: best.differences }
}

/** The cuts of the server's own part, each of which needs a start; large ones first. */
async function cutMain(best, test) {
  if (best.main.length === 0) return null
  for (const main of [...smaller(best.main)].sort((a, b) => count(a) - count(b)).slice(0, 6)) {
    const [found] = await test(main, [best.host])
    if (found !== undefined) return { ...best, main, differences: found.differences }
  }
  return null
}

async function cutHost(best, test) {
  const candidates = [...cuts(best.host)].sort((a, b) => size(a) - size(b)).slice(0, best.host.kind === 'name' ? AT_ONCE : 5)
  const groups = best.host.kind === 'name' && isForItsName(best.host) ? [candidates] : candidates.map((each) => [each])
  for (const group of groups) {
    const [found] = await test(best.main, group)
    if (found !== undefined) return { ...best, host: found.host, differences: found.differences }
  }
  return null
}

function isForItsName({ requests }) {
  return requests.every(({ fields, target }) => /@H@/.test(JSON.stringify([fields, target])))
}

/** The hosts that still differ in the wanted way, in the order given. */
async function tryHosts(world, hosts, wanted, options) {
  const many = hosts.length > 1
  const named = hosts.map((host, index) => (many ? { ...host, name: `v${String(index).padStart(2, '0')}` } : host))
  let result
  try {
    result = await runWorld({ ...world, hosts: named }, options)
  } catch {
    // A server rejects the rest of the configuration.
    return []
  }
  const matching = result.differing.filter(({ differences }) => kindOf(differences) === wanted)
  return matching.sort((a, b) => a.host - b.host).map(({ host, differences }) => ({ host: hosts[host], differences }))
}

async function simplerWorld(world, host, wanted, options) {
  let best = world
  for (const change of [{ allowMethods: false }, { oldStyle: false }, { logLevel: 'warn' }]) {
    const [name] = Object.keys(change)
    if (best[name] === change[name]) continue
    if ((await tryHosts({ ...best, ...change }, [host], wanted, options)).length > 0) best = { ...best, ...change }
  }
  return best
}

function* cuts(host) {
  if (host.kind !== 'name')
    yield {
      ...host,
      kind: 'name',
      address: '*:@P@',
      identity: ['ServerName @H@.test'],
      requests: host.requests.map((request) => ({ ...request, to: '127.0.0.1', port: 'P' })),
    }
  if (host.address !== '*:@P@' && host.kind === 'name') yield { ...host, address: '*:@P@' }
  if (host.identity.length > 0 && host.identity[0] !== 'ServerName @H@.test') yield { ...host, identity: ['ServerName @H@.test'] }
  for (const [index, request] of host.requests.entries())
    for (const simpler of simplerRequests(request)) yield { ...host, requests: host.requests.with(index, simpler) }
  for (const nodes of smaller(host.nodes)) yield { ...host, nodes }
  for (const [folder, nodes] of Object.entries(host.htaccess)) {
    const { [folder]: _, ...others } = host.htaccess
    yield { ...host, htaccess: others }
    for (const body of smaller(nodes)) yield { ...host, htaccess: { ...others, [folder]: body } }
  }
  if (count(host.nodes) < 12) yield* fewerFiles(host)
}

function* fewerFiles(host) {
  const names = Object.keys(host.files)
  for (const parts of [2, 4, 8]) {
    if (names.length < parts) continue
    for (let part = 0; part < parts; part++) {
      const kept = names.filter((_, index) => Math.floor((index * parts) / names.length) !== part)
      yield { ...host, files: Object.fromEntries(kept.map((name) => [name, host.files[name]])) }
    }
  }
  if (names.length <= 8)
    for (const name of names) {
      const { [name]: _, ...files } = host.files
      yield { ...host, files }
    }
}

function* simplerRequests(request) {
  if (request.method !== 'GET') yield { ...request, method: 'GET', body: undefined }
  if (request.body !== undefined) yield { ...request, body: undefined }
  if (request.version !== '1.1') yield { ...request, version: '1.1' }
  if (request.from !== '127.0.0.1') yield { ...request, from: '127.0.0.1' }
  if (request.port !== 'P') yield { ...request, port: 'P' }
  if (request.to !== '127.0.0.1') yield { ...request, to: '127.0.0.1' }
  for (const [index, [name, value]] of request.fields.entries()) {
    if (name === 'Host' && value !== '@H@.test') yield { ...request, fields: request.fields.with(index, ['Host', '@H@.test']) }
    if (name !== 'Host' && name !== 'Connection') yield { ...request, fields: request.fields.toSpliced(index, 1) }
  }
  const [path, query] = request.target.split('?')
  if (query !== undefined) yield { ...request, target: path }
  if (path.startsWith('//')) yield { ...request, target: request.target.slice(1) }
  const origin = /^\w+:\/\/[^/]*(\/.*)$/.exec(request.target)
  if (origin) yield { ...request, target: origin[1] }
}

function size({ nodes, htaccess, files, requests, identity, address, kind }) {
  const directives = [nodes, ...Object.values(htaccess)].reduce((sum, list) => sum + count(list), 0)
  const asked = JSON.stringify(requests).length / 10
  return (
    directives * 20 + asked + Object.keys(files).length + JSON.stringify([nodes, htaccess, identity, address, kind]).length / 100
  )
}
