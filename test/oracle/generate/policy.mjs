// A random policy: what its administrator wrote, in configuration and .htaccess files of a folder of its own, and requests into it.
import { section } from '../tree.mjs'
import { authenticationLines, authType } from './authentication.mjs'
import { mistake, mutated } from './broken.mjs'
import { addDetour } from './detours.mjs'
import { hostControl } from './host-control.mjs'
import { LEVELS, place } from './places.mjs'
import { randomRequest } from './requests.mjs'
import { leaf, requires } from './requires.mjs'

const ASKS_FOR_NAMES = /\b(host|forward-dns) |from .*(localhost|example|None|REMOTE_ADDR)/

/**
 * Makes a policy. In its texts `@P@` is replaced by its name, so that it can be used anywhere.
 * - `prelude`: nodes for the server's own configuration, read first
 * - `main`: nodes for the configuration of the server, or of a virtual host if `virtualHost`
 * - `htaccess`: nodes of .htaccess files by folder
 * - `requests`: method, target, headers, body and client address (`from`)
 * - `startCheck`: it is invalid, and the messages of both servers at start are compared
 * @param modules names of the modules that both servers have
 */
export function randomPolicy(rng, { modules, requests = 8 }) {
  const policy = { prelude: [], main: [], htaccess: {}, requests: [], virtualHost: rng.chance(0.08), startCheck: false }
  // If expressions look up other URLs, no check may have to wait for a name: a deliberate difference.
  const site = { modules, subrequests: rng.chance(0.15), ...aliases(rng, policy) }
  for (const [level, path] of LEVELS.entries()) {
    if (level > 0 && !rng.chance(0.45)) continue
    put(policy, place(rng, `@P@${path}`, directives(rng, site, level)))
  }
  if (rng.chance(0.85)) policy.main.unshift(section('Directory', '"@DOCROOT@/@P@"', [authType(rng, site)]))
  if (rng.chance(0.12)) put(policy, place(rng, '@P@', extras(rng)))
  const detours = modules.includes('rewrite') && rng.chance(0.25)
  if (detours) addDetour(rng, policy)
  // A broken word may be a name.
  const broken = rng.chance(0.1)
  if (broken) breakHtaccess(rng, policy)
  if (rng.chance(0.006)) breakConfiguration(rng, policy)
  const hosts = broken || ASKS_FOR_NAMES.test(JSON.stringify(policy))
  policy.requests = Array.from({ length: requests }, () => randomRequest(rng, { hosts, detours }))
  return policy
}

function put(policy, { main = [], htaccess = {} }) {
  policy.main.push(...main)
  for (const [folder, body] of Object.entries(htaccess)) policy.htaccess[folder] = [...(policy.htaccess[folder] ?? []), ...body]
}

/** The directives of one level: any of old-style host control, Require, authentication, and merging. */
function directives(rng, site, level) {
  const out = []
  if (rng.chance(0.3)) out.push(...hostControl(rng, site))
  if (level > 0 && rng.chance(0.45)) out.push(`AuthMerging ${rng.pick(['Off', 'And', 'Or', 'And', 'Or', 'and'])}`)
  if (rng.chance(0.12)) out.push(`AuthzSendForbiddenOnFailure ${rng.pick(['On', 'On', 'Off'])}`)
  if (rng.chance(0.12)) out.push(authType(rng, site))
  if (rng.chance(0.15)) out.push(...authenticationLines(rng, site))
  if (rng.chance(0.1))
    out.push(
      rng.pick([
        'SetEnvIf X-Flag . near=1',
        'SetEnvIf Request_URI /a/ near',
        'SetEnv late 1',
        'SetEnvIf Remote_Addr ^127 near !flag',
      ]),
    )
  if (out.length === 0 || rng.chance(0.8)) out.push(...requires(rng, site))
  return out
}

/** Redirecting directives, and directives for additional logs. */
function extras(rng) {
  return rng.pick([
    ['ErrorDocument 403 /@P@/a/f.txt'],
    ['ErrorDocument 401 /@P@/a/b/f.txt'],
    ['ErrorDocument 401 /@P@/a/f.txt', 'ErrorDocument 403 /@P@/one.html'],
    ['ErrorDocument 404 /@P@/a/f.txt'],
    ['ErrorDocument 403 "Not you"'],
    ['ErrorDocument 403 /nosuch'],
    ['DirectoryIndex f.txt one.html'],
    ['DirectoryIndex nosuch one.html f.txt'],
    ['DirectoryIndex one.html /@P@/a/f.txt', section('Files', '"one.html"', ['Require ip 127.0.0.2'])],
    ['DirectoryIndex one.html f.txt', section('Files', '"one.html"', ['Require valid-user'])],
    ['DirectoryIndex f.txt one.html', section('Files', '"f.txt"', ['Require all denied'])],
    ['RedirectMatch "^(/[^/]*)/a/f" "$1/f.txt"'],
    ['LogLevel authz_core:debug'],
    ['LogLevel debug'],
    ['LogLevel authz_core:error access_compat:crit'],
  ])
}

/** One or two provider aliases, in the server's own configuration as httpd wants it. */
function aliases(rng, policy) {
  const names = { aliases: [], userAliases: [] }
  if (rng.chance(0.12)) {
    const bases = ['ip', 'user', 'group', 'env', 'method', 'all', 'local', 'expr']
    const values = {
      ip: '127.0.0.1',
      user: 'alice',
      group: 'staff',
      env: 'flag',
      method: 'GET',
      all: 'granted',
      local: '',
      expr: "%{REMOTE_USER}=='bob'",
    }
    const base = rng.pick(bases)
    names.aliases.push('mine-@P@')
    policy.prelude.push(
      section(
        'AuthzProviderAlias',
        `${base} mine-@P@ "${values[base]}"`,
        base === 'group' ? ['AuthGroupFile "@AUTH@/othergroups"'] : [],
      ),
    )
  }
  if (rng.chance(0.06)) {
    names.userAliases.push('others-@P@')
    policy.prelude.push(section('AuthnProviderAlias', 'file others-@P@', ['AuthUserFile "@AUTH@/others"']))
  }
  return names
}

function breakHtaccess(rng, policy) {
  const folder = `@P@${rng.pick(LEVELS)}`
  const nodes = policy.htaccess[folder] ?? [leaf(rng, { modules: [], aliases: [], subrequests: false })]
  const wrong = rng.chance(0.5) ? mutated(rng, nodes) : nodes.toSpliced(rng.below(2) * nodes.length, 0, ...mistake(rng))
  policy.htaccess[folder] = wrong
}

function breakConfiguration(rng, policy) {
  policy.startCheck = true
  if (rng.chance(0.5)) policy.main = mutated(rng, policy.main)
  else policy.main.push(section('Directory', '"@DOCROOT@/@P@"', mistake(rng)))
}
