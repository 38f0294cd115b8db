// Random Require lines and trees.
import { section } from '../tree.mjs'
import { expression } from './expressions.mjs'
import { limited } from './limits.mjs'

const ADDRESSES = [
  '127.0.0.1',
  '127.0.0.2',
  '::1',
  '127.0.0',
  '127.0.0.',
  '127',
  '127.0.0.0/30',
  '127.0.0.3/31',
  '127.0.0.4/255.255.255.252',
  '127.0.0.1/255.255.255.253',
  '126.0.0.0/7',
  '127.0.0.5',
  '::1/128',
  '::/1',
  '0:0:0:0:0:0:0:1',
  '10.1',
  '10.0.0.0/8',
  '192.168.0.0/16',
  '127.0.0.01',
  '127.0.0.0/255.0.0.254',
  '2001:db8::/32',
  '127.0',
  '127.1',
  '8000::/1',
  '127.0.0.2/32',
  '"127.0.0.1"',
]
const USERS = [
  'alice',
  'bob',
  'carol',
  'dave',
  'zoe',
  '"al ice"',
  'Alice',
  "'bob'",
  '%{HTTP:X-User}',
  '%{tolower:ALICE}',
  'bob\\ by',
]
const GROUPS = ['admins', 'staff', 'everybody', 'nosuch', 'Admins', '"two words"', '%{HTTP:X-Group}', 'empty']
const DBM_GROUPS = ['ops', 'dev', 'web', 'night', 'nosuch', 'OPS', '"dev"', '%{HTTP:X-Group}']
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS', 'DELETE', 'PATCH', 'TRACE']
const VARIABLES = ['flag', 'flag_off', 'nosuch', 'near', 'late', 'named']

/** Providers by name: how often each is asked, and how its argument is made. */
const PROVIDERS = [
  [3, () => 'all granted'],
  [3, () => 'all denied'],
  [7, (rng) => `ip ${some(rng, ADDRESSES, 3)}`],
  [1.5, (rng) => rng.pick(['local', 'local', 'local x'])],
  [3, (rng) => `env ${some(rng, VARIABLES, 2)}`],
  [3, (rng) => `method ${some(rng, METHODS, 3)}`],
  [4, (rng) => `user ${some(rng, USERS, 3)}`],
  [4, (rng) => rng.pick(['valid-user', 'valid-user', 'valid-user', 'valid-user x y'])],
  [3, (rng) => `group ${some(rng, GROUPS, 2)}`],
  [3, (rng) => `dbm-group ${some(rng, DBM_GROUPS, 2)}`],
]
/** Providers that may have to wait for a name server. */
const OF_NAMES = [
  [
    1,
    (rng) =>
      `host ${rng.pick(['localhost', 'example.org', 'example.org localhost', 'ocalhost', '.localhost', 'LOCALHOST', '127.0.0.1'])}`,
  ],
  [
    0.7,
    (rng) =>
      `forward-dns ${rng.pick(['localhost', '127.0.0.1', '127.0.0.2', '127.0.0.9 localhost', '%{HTTP:X-User} localhost', 'localhost #x'])}`,
  ],
]
/** Joined when their module is there. */
const OF_OTHER_MODULES = {
  authz_owner: [
    [1, () => 'file-owner'],
    [1, () => 'file-group'],
    [1, () => 'dbm-file-group'],
  ],
}

/** The Require lines of one section, as httpd accepts them at start. */
export function requires(rng, site) {
  const out = []
  const terms = rng.weighted([
    [5, 1],
    [4, 2],
    [2, 3],
    [1, 5],
  ])
  for (let index = 0; index < terms; index++) {
    const node = rng.chance(0.55) ? leaf(rng, site) : container(rng, site, 1, false)
    out.push(rng.chance(0.1) ? limited(rng, [node]) : node)
  }
  return out
}

/** A line `Require ...`, negated if that is allowed. */
export function leaf(rng, site, { negatable = false } = {}) {
  const expr = [4, () => exprArgument(rng, site)]
  const others = site.modules.flatMap((name) => OF_OTHER_MODULES[name] ?? [])
  const aliases = site.aliases.map((name) => [2, () => `${name}${rng.chance(0.2) ? ' ignored' : ''}`])
  const argument = rng.weighted([...PROVIDERS, expr, ...(site.subrequests ? [] : OF_NAMES), ...others, ...aliases])(rng)
  return `Require ${negatable && rng.chance(0.35) ? rng.pick(['not ', 'not ', 'NOT ']) : ''}${argument}`
}

// A "not" or a RequireNone is allowed only in a RequireAll, and only next to a member that can grant.
function container(rng, site, depth, inAll) {
  const kind = rng.weighted([
    [5, 'RequireAll'],
    [4, 'RequireAny'],
    [inAll ? 3 : 0, 'RequireNone'],
  ])
  const all = kind === 'RequireAll'
  const size = rng.weighted([
    [3, 1],
    [4, 2],
    [3, 3],
    [1, 5],
  ])
  const body = Array.from({ length: size }, () => {
    const node = depth < 5 && rng.chance(0.4) ? container(rng, site, depth + 1, all) : leaf(rng, site, { negatable: all })
    return rng.chance(0.05) && !isNegative(node) ? limited(rng, [node]) : node
  })
  if (all) body.splice(rng.below(2) * body.length, 0, leaf(rng, site))
  return section(kind, '', body)
}

function isNegative(node) {
  return typeof node === 'string' ? /^Require not /i.test(node) : node.name === 'RequireNone'
}

function exprArgument(rng, { subrequests }) {
  const text = expression(rng, { subrequests })
  return rng.chance(0.5) && !text.includes('"') ? `expr "${text}"` : `expr ${text}`
}

function some(rng, list, most) {
  return Array.from({ length: 1 + rng.below(most) }, () => rng.pick(list)).join(' ')
}
