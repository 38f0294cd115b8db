// Finds the smallest policy that still differs: tries every single cut at once, keeps the best, and begins again.
import { runBatch } from './batch.mjs'
import { kindOf } from './differences.mjs'
import { count, smaller } from './tree.mjs'

const MOST_ROUNDS = 40
const AT_ONCE = 100
/** A check at start costs a run of both programs. */
const CHECKS_AT_ONCE = 12
const PLAIN = { method: 'GET', from: '127.0.0.1' }

/**
 * Resolves to `{ policy, differences }` of the smallest policy found that differs in the same way as the first of `differences`.
 * @param options as for runBatch
 */
export async function shrink(policy, differences, options) {
  // A cut may uncover another difference, which is not wanted.
  const wanted = kindOf(differences[0])
  let best = { policy, differences }
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const candidates = [...cuts(best.policy)]
      .filter(isAcceptable)
      .sort((a, b) => size(a) - size(b))
      .slice(0, best.policy.startCheck ? CHECKS_AT_ONCE : AT_ONCE)
    if (candidates.length === 0) return best
    const results = await runBatch(candidates, options)
    const index = results.findIndex(
      (result) => !result.refused && result.differences.some((difference) => kindOf(difference) === wanted),
    )
    if (index < 0) return best
    best = { policy: candidates[index], differences: results[index].differences }
  }
  return best
}

function* cuts(policy) {
  for (const [index, request] of policy.requests.entries()) {
    if (policy.requests.length > 1) yield { ...policy, requests: [request] }
    if (policy.requests.length > 1) yield { ...policy, requests: policy.requests.toSpliced(index, 1) }
    for (const simpler of simplerRequests(request)) yield { ...policy, requests: policy.requests.with(index, simpler) }
  }
  if (policy.virtualHost) yield { ...policy, virtualHost: false }
  for (const prelude of smaller(policy.prelude)) yield { ...policy, prelude }
  for (const main of smaller(policy.main)) yield { ...policy, main }
  for (const [folder, nodes] of Object.entries(policy.htaccess)) {
    const { [folder]: _, ...others } = policy.htaccess
    yield { ...policy, htaccess: others }
    for (const body of smaller(nodes)) yield { ...policy, htaccess: { ...others, [folder]: body } }
  }
}

function* simplerRequests(request) {
  for (const [name, value] of Object.entries(PLAIN))
    if (request[name] !== value) yield { ...request, [name]: value, body: name === 'method' ? undefined : request.body }
  if (request.body !== undefined) yield { ...request, body: undefined }
  for (const name of Object.keys(request.headers)) {
    const { [name]: _, ...headers } = request.headers
    yield { ...request, headers }
  }
  const [path, query] = request.target.split('?')
  if (query !== undefined) yield { ...request, target: path }
  if (path !== '/@P@/f.txt') yield { ...request, target: '/@P@/f.txt' }
}

/** Few directives first, then few and simple requests, then short lines. */
function size({ prelude, main, htaccess, requests, virtualHost }) {
  const nodes = [prelude, main, ...Object.values(htaccess)]
  const directives = nodes.reduce((sum, list) => sum + count(list), 0)
  const asked = requests.reduce(
    (sum, { method, from, headers, target, body }) =>
      sum +
      5 +
      (method === 'GET' ? 0 : 1) +
      (from === '127.0.0.1' ? 0 : 1) +
      Object.keys(headers).length +
      target.length / 20 +
      (body === undefined ? 0 : 1),
    0,
  )
  return directives * 10 + asked + (virtualHost ? 5 : 0) + JSON.stringify(nodes).length / 1000
}

/**
 * False for what httpd would reject at start, and for directives outside of the sections that separate policies. A
 * .htaccess file may contain anything.
 */
function isAcceptable({ prelude, main, startCheck, virtualHost }) {
  if (startCheck) return true
  const areSeparate = prelude.every(isSeparate) && (virtualHost || main.every(isSeparate))
  return areSeparate && main.every((node) => accepts(node, 'RequireAny'))
}

/** Whether it is about one policy only: it names it, outside of what a section holds. */
function isSeparate(node) {
  return (typeof node === 'string' ? node : node.argument).includes('@P@')
}

function accepts(node, container) {
  if (typeof node === 'string') return container === 'RequireAll' || !isNegative(node)
  const { name, body } = node
  if (isNegative(node) && container !== 'RequireAll') return false
  const isContainer = /^Require/.test(name)
  if (isContainer && body.length === 0) return false
  if (name === 'RequireAll' && body.every(isNegative)) return false
  return body.every((child) =>
    accepts(child, isContainer || /^Limit/.test(name) ? (isContainer ? name : container) : 'RequireAny'),
  )
}

function isNegative(node) {
  return typeof node === 'string' ? /^Require not /i.test(node) : node.name === 'RequireNone'
}
