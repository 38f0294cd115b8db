// All policies of a seed, in batches: each is reproducible by seed and number, whatever else runs.
import { random } from '../conformance/gen/random.mjs'
import { runBatch } from './batch.mjs'
import { randomPolicy } from './generate/policy.mjs'

/** Decisions are taken alike whether they are logged or not, so batches take turns. */
const LOG_LEVELS = [
  'warn',
  'warn authz_core:debug',
  'info authz_core:debug authz_user:debug authz_groupfile:debug authz_dbm:debug authz_host:debug',
]

/** With it loaded, every redirect and lookup is authorized again, without it only where the configuration is another one. */
const DEPENDS_ON_THE_REQUEST = 'allowmethods'

/** Policy number `index` (from 0) of a seed. */
export function policyOf(seed, index, settings) {
  return randomPolicy(random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)), settings)
}

/**
 * Runs policies `first` to `first + count - 1` of a seed and yields after each batch what it found:
 * `{ policies, requests, unanswered (numbers of policies that httpd crashed on), differing: [{ seed, index, logLevel, sides, policy, differences }] }`.
 */
export async function* campaign({ seed, first = 0, count, batchSize, requests, sides, keep = false }) {
  for (let start = first; start < first + count; start += batchSize) {
    const indices = Array.from({ length: Math.min(batchSize, first + count - start) }, (_, offset) => start + offset)
    const policies = indices.map((index) => policyOf(seed, index, { modules: sides.modules, requests }))
    const logLevel = LOG_LEVELS[(seed + Math.floor(start / batchSize)) % LOG_LEVELS.length]
    const isOdd = (seed + Math.floor(start / batchSize)) % 2 === 1
    const loaded = { ...sides, modules: isOdd ? [...sides.modules, DEPENDS_ON_THE_REQUEST] : sides.modules }
    const results = await runBatch(policies, { sides: loaded, logLevel, keep })
    yield {
      policies: policies.length,
      requests: results.reduce((sum, result) => sum + result.requests, 0),
      unanswered: indices.filter((_, at) => results[at].unanswered),
      differing: results.flatMap(({ differences }, at) =>
        differences.length === 0
          ? []
          : [{ seed, index: indices[at], logLevel, sides: loaded, policy: policies[at], differences }],
      ),
    }
  }
}
