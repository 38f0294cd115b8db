import type { ModuleRegistry } from '../modules/registry.ts'

/** Directives of 2.2 that are gone, and what says the same now. */
const GONE: Readonly<Record<string, string>> = {
  authzldapauthoritative: 'it is gone since 2.4: combine Require lines with <RequireAny>, <RequireAll> and <RequireNone>',
  authzdbdauthoritative: 'it is gone since 2.4: combine Require lines with <RequireAny>, <RequireAll> and <RequireNone>',
  authzdbmauthoritative:
    'it is gone since 2.4: combine Require dbm-group and others with <RequireAny>, <RequireAll> and <RequireNone>',
  authzgroupfileauthoritative:
    'it is gone since 2.4: combine Require group and others with <RequireAny>, <RequireAll> and <RequireNone>',
  authzuserauthoritative:
    'it is gone since 2.4: combine Require user and others with <RequireAny>, <RequireAll> and <RequireNone>',
  authzownerauthoritative:
    'it is gone since 2.4: combine Require file-owner and others with <RequireAny>, <RequireAll> and <RequireNone>',
  authzdefaultauthoritative: 'it is gone since 2.4: without a Require that grants, access is denied',
  lockfile: 'it is gone since 2.4: use Mutex',
  acceptmutex: 'it is gone since 2.4: use Mutex',
}

/** Which module has a directive, for those that configurations use before they load it. */
const HOMES: readonly (readonly [directive: string, module: string])[] = [
  ['Require', 'authz_core'],
  ['<RequireAll', 'authz_core'],
  ['<RequireAny', 'authz_core'],
  ['<RequireNone', 'authz_core'],
  ['AuthMerging', 'authz_core'],
  ['<AuthzProviderAlias', 'authz_core'],
  ['Order', 'access_compat'],
  ['Allow', 'access_compat'],
  ['Deny', 'access_compat'],
  ['Satisfy', 'access_compat'],
  ['AuthType', 'authn_core'],
  ['AuthName', 'authn_core'],
  ['AuthUserFile', 'authn_file'],
  ['AuthGroupFile', 'authz_groupfile'],
  ['Anonymous', 'authn_anon'],
  ['Anonymous_MustGiveEmail', 'authn_anon'],
  ['Anonymous_NoUserId', 'authn_anon'],
  ['Anonymous_VerifyEmail', 'authn_anon'],
  ['Anonymous_LogEmail', 'authn_anon'],
  ['AuthnCacheSOCache', 'authn_socache'],
  ['AuthnCacheEnable', 'authn_socache'],
  ['AuthnCacheProvideFor', 'authn_socache'],
  ['AuthnCacheTimeout', 'authn_socache'],
  ['AuthnCacheContext', 'authn_socache'],
  ['AuthDBMUserFile', 'authn_dbm'],
  ['AuthDBMType', 'authn_dbm'],
  ['AuthDBMGroupFile', 'authz_dbm'],
  ['AuthzDBMType', 'authz_dbm'],
  ['AuthBasicProvider', 'auth_basic'],
  ['AuthDigestProvider', 'auth_digest'],
  ['Alias', 'alias'],
  ['ScriptAlias', 'alias'],
  ['Redirect', 'alias'],
  ['RedirectMatch', 'alias'],
  ['DirectoryIndex', 'dir'],
  ['FallbackResource', 'dir'],
  ['AddType', 'mime'],
  ['TypesConfig', 'mime'],
  ['AddHandler', 'mime'],
  ['AddEncoding', 'mime'],
  ['AddLanguage', 'mime'],
  ['AddCharset', 'mime'],
  ['SetEnv', 'env'],
  ['UnsetEnv', 'env'],
  ['PassEnv', 'env'],
  ['SetEnvIf', 'setenvif'],
  ['BrowserMatch', 'setenvif'],
  ['Header', 'headers'],
  ['RequestHeader', 'headers'],
  ['RewriteEngine', 'rewrite'],
  ['RewriteRule', 'rewrite'],
  ['ExpiresActive', 'expires'],
  ['IndexOptions', 'autoindex'],
  ['AddIcon', 'autoindex'],
  ['LanguagePriority', 'negotiation'],
  ['AddOutputFilterByType', 'filter'],
  ['UserDir', 'userdir'],
  ['VirtualDocumentRoot', 'vhost_alias'],
  ['VirtualDocumentRootIP', 'vhost_alias'],
  ['AddModuleInfo', 'info'],
  ['RemoteIPHeader', 'remoteip'],
  ['RemoteIPTrustedProxy', 'remoteip'],
  ['RemoteIPInternalProxy', 'remoteip'],
  ['RemoteIPProxyProtocol', 'remoteip'],
  ['RequestReadTimeout', 'reqtimeout'],
]

/** Modules of httpd that do not come with this server yet: advice to load one would lead to the next error. */
const ABSENT: ReadonlySet<string> = new Set(['rewrite', 'expires', 'autoindex', 'filter', 'reqtimeout'])

const HOME: ReadonlyMap<string, readonly [directive: string, module: string]> = new Map(
  HOMES.map((row) => [row[0].toLowerCase(), row]),
)

/** Advice about a name that no loaded module declares: what replaced it, which module has it, or the nearest name. */
export function hintForUnknown(name: string, registry: ModuleRegistry): string | undefined {
  const lower = name.toLowerCase()
  const gone = GONE[lower]
  if (gone !== undefined) return gone
  const missing = missingModule(lower, registry)
  if (missing !== undefined) return `${name.replace('<', '')} belongs to ${missing}`
  const near = nearest(lower, [...registry.directiveNames(), ...HOME.keys()])
  if (near === undefined) return undefined
  const spelled = registry.directive(near)?.[0].name ?? HOME.get(near)?.[0] ?? near
  const meant = `did you mean ${spelled}${spelled.startsWith('<') ? '>' : ''}?`
  const home = missingModule(near, registry)
  return home === undefined ? meant : `${meant} It belongs to ${home}`
}

/** The module that has a directive, and how to load it, when it is not loaded. */
function missingModule(directive: string, registry: ModuleRegistry): string | undefined {
  const home = HOME.get(directive)?.[1]
  if (home === undefined || registry.find(`${home}_module`) !== undefined) return undefined
  if (ABSENT.has(home)) return `mod_${home}, which does not come with this server yet`
  return `mod_${home}: LoadModule ${home}_module modules/mod_${home}.so`
}

/** The known name at the smallest edit distance, when it is near enough to be meant. */
function nearest(name: string, known: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(name.length / 4))
  let best: string | undefined
  let bestDistance = limit + 1
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue
    const distance = editDistance(name, candidate)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)))
    }
    row = next
  }
  return row[b.length]
}
