// Directives that decide who gets in.
import { section } from '../../oracle/tree.mjs'
import { condition, METHOD_SETS, VARIABLES } from './words.mjs'

const REQUIREMENTS = [
  [3, () => 'all granted'],
  [3, () => 'all denied'],
  [7, (rng) => `expr "${condition(rng)}"`],
  [4, (rng) => `env ${rng.pick(VARIABLES)}`],
  [2, (rng) => `method ${rng.pick(['GET', 'GET POST', 'GET HEAD OPTIONS', 'POST', 'PUT FOO'])}`],
  [2, (rng) => `ip ${rng.pick(['127.0.0.1', '127.0.0.2', '127.0.0.0/30', '10.0.0.0/8', '::1', '192.0.2.7', 'fe80::/10'])}`],
  [1, () => 'local'],
  [2, () => 'valid-user'],
  [1.5, (rng) => `user ${rng.pick(['alice', 'bob', 'bob carol'])}`],
  [1, (rng) => `group ${rng.pick(['admins', 'staff'])}`],
]

function requirement(rng) {
  return rng.weighted(REQUIREMENTS)(rng)
}

/** Require lines and containers as httpd accepts them at start. */
export function requires(rng) {
  const lines = Array.from(
    {
      length: rng.weighted([
        [5, 1],
        [2, 2],
        [1, 3],
      ]),
    },
    () => (rng.chance(0.72) ? `Require ${requirement(rng)}` : container(rng, 1)),
  )
  return rng.chance(0.1) ? [section(rng.pick(['Limit', 'LimitExcept']), rng.pick(METHOD_SETS), lines)] : lines
}

function container(rng, depth) {
  const kind = rng.pick(['RequireAll', 'RequireAny', 'RequireAll'])
  const body = [`Require ${requirement(rng)}`]
  const more = rng.below(3)
  for (let index = 0; index < more; index++) {
    const negative = kind === 'RequireAll' && rng.chance(0.5)
    if (negative && rng.chance(0.4)) body.push(section('RequireNone', '', [`Require ${requirement(rng)}`]))
    else if (negative) body.push(`Require not ${withoutAll(rng)}`)
    else body.push(depth < 3 && rng.chance(0.3) ? container(rng, depth + 1) : `Require ${requirement(rng)}`)
  }
  return section(kind, '', body)
}

/** `Require not all ...` is a mistake. */
function withoutAll(rng) {
  const text = requirement(rng)
  return text.startsWith('all ') ? 'env bad' : text
}

const HOST_WORDS = [
  'all',
  '127.0.0.1',
  '127.0.0.2',
  '10',
  '192.0.2.0/24',
  '::1',
  'env=bad',
  'env=good',
  'env=!bad',
  'env=!good',
  'env=flag',
  'env=REDIRECT_STATUS',
]

/** Order, Allow, Deny, Satisfy. */
export function hostControl(rng) {
  const lines = [`Order ${rng.pick(['allow,deny', 'deny,allow', 'deny,allow', 'mutual-failure'])}`]
  if (rng.chance(0.75)) lines.push(`Allow from ${rng.chance(0.5) ? 'all' : rng.pick(HOST_WORDS)}`)
  if (rng.chance(0.7)) lines.push(`Deny from ${rng.chance(0.6) ? rng.pick(['env=bad', 'env=!good']) : rng.pick(HOST_WORDS)}`)
  const body = rng.chance(0.12) ? [section(rng.pick(['Limit', 'LimitExcept']), rng.pick(METHOD_SETS), lines)] : lines
  if (rng.chance(0.3)) body.push(`Satisfy ${rng.pick(['Any', 'All', 'any'])}`)
  return body
}

/** AuthType and related directives. */
export function authentication(rng) {
  const type = rng.weighted([
    [6, 'Basic'],
    [1, 'None'],
  ])
  const lines = [`AuthType ${type}`]
  if (type === 'Basic' && rng.chance(0.95)) lines.push(`AuthName "${rng.pick(['door', 'of @H@', 'a "b"'.replaceAll('"', "'")])}"`)
  if (rng.chance(0.9)) lines.push('AuthUserFile "@B@/auth/users"')
  if (rng.chance(0.6)) lines.push('AuthGroupFile "@B@/auth/groups"')
  if (rng.chance(0.3)) lines.push(`AuthBasicProvider ${rng.pick(['file', 'anon', 'file anon', 'anon file'])}`)
  if (rng.chance(0.15)) lines.push('Anonymous guest anonymous', ...(rng.chance(0.5) ? ['Anonymous_MustGiveEmail Off'] : []))
  if (rng.chance(0.06)) lines.push('AuthBasicFake alice secret')
  if (rng.chance(0.06)) lines.push('AuthBasicAuthoritative Off')
  return lines
}

/** Any of these, as the server of a world may have them. */
export function access(rng, { oldStyle }) {
  const out = []
  if (oldStyle && rng.chance(0.5)) out.push(...hostControl(rng))
  if (rng.chance(0.25)) out.push(...authentication(rng))
  if (rng.chance(0.2)) out.push(`AuthMerging ${rng.pick(['Off', 'And', 'Or'])}`)
  if (rng.chance(0.08)) out.push('AuthzSendForbiddenOnFailure On')
  if (oldStyle && rng.chance(0.1)) out.push(`Satisfy ${rng.pick(['Any', 'All'])}`)
  if (out.length === 0 || rng.chance(0.75)) out.push(...requires(rng))
  return out
}
