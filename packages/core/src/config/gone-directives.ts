const REQUIRE_LINES = 'combine Require lines with <RequireAny>, <RequireAll> and <RequireNone>'
const MUTEX = 'removed in 2.4: use Mutex'
const ACCESS_LOG = 'removed in 2.0: use CustomLog'

/** Directives of former lines of httpd, and their replacements. */
const GONE: Readonly<Record<string, string>> = {
  acceptmutex: MUTEX,
  accessconfig: 'removed in 2.0: use Include',
  addmodule: 'removed in 2.0: remove the line; LoadModule alone adds a module',
  agentlog: `${ACCESS_LOG} with %{User-agent}i`,
  authauthoritative: 'removed in 2.2: use AuthBasicAuthoritative',
  authdbmauthoritative: 'removed in 2.2: use AuthBasicAuthoritative',
  authdigestfile: 'removed in 2.2: use AuthDigestProvider file and AuthUserFile',
  authdigestgroupfile: 'removed in 2.2: use AuthGroupFile',
  authldapauthoritative: 'removed in 2.2: use AuthBasicAuthoritative',
  authldapenabled: 'removed in 2.2: use AuthBasicProvider ldap',
  authzdbdauthoritative: `removed in 2.4: ${REQUIRE_LINES}`,
  authzdbmauthoritative: `removed in 2.4: combine Require dbm-group and others with <RequireAny>, <RequireAll> and <RequireNone>`,
  authzdefaultauthoritative: 'removed in 2.4: remove the line; access is denied unless a Require line grants it',
  authzgroupfileauthoritative:
    'removed in 2.4: combine Require group and others with <RequireAny>, <RequireAll> and <RequireNone>',
  authzldapauthoritative: `removed in 2.4: ${REQUIRE_LINES}`,
  authzownerauthoritative:
    'removed in 2.4: combine Require file-owner and others with <RequireAny>, <RequireAll> and <RequireNone>',
  authzuserauthoritative: 'removed in 2.4: combine Require user and others with <RequireAny>, <RequireAll> and <RequireNone>',
  bindaddress: 'removed in 2.0: use Listen',
  clearmodulelist: 'removed in 2.0: remove the line; LoadModule alone adds a module',
  cookielog: 'removed in 2.4: use CustomLog with %{Apache}n',
  forcelanguage: 'removed in 2.0: use ForceLanguagePriority',
  lockfile: MUTEX,
  mcachemaxobjectcount: 'mod_mem_cache was removed in 2.4: remove the line',
  mcachemaxobjectsize: 'mod_mem_cache was removed in 2.4: remove the line',
  mcachemaxstreamingbuffer: 'mod_mem_cache was removed in 2.4: remove the line',
  mcacheminobjectsize: 'mod_mem_cache was removed in 2.4: remove the line',
  mcacheremovalalgorithm: 'mod_mem_cache was removed in 2.4: remove the line',
  mcachesize: 'mod_mem_cache was removed in 2.4: remove the line',
  refererignore: `${ACCESS_LOG} with a condition`,
  refererlog: `${ACCESS_LOG} with %{Referer}i`,
  resourceconfig: 'removed in 2.0: use Include',
  rewritelock: 'removed in 2.4: use Mutex with rewrite-map',
  rewritelog: 'removed in 2.4: use LogLevel, as in LogLevel warn rewrite:trace3',
  rewriteloglevel: 'removed in 2.4: use LogLevel, as in LogLevel warn rewrite:trace3',
  servertype: 'removed in 2.0: remove the line',
  ssllog: 'removed in 2.0: use ErrorLog',
  sslloglevel: 'removed in 2.0: use LogLevel, as in LogLevel warn ssl:info',
  sslmutex: MUTEX,
  watchdogmutexpath: MUTEX,
}

/** Prefixes of directives of modules that never belonged to httpd. */
const STRANGERS: readonly (readonly [beginning: string, what: string])[] = [
  ['passenger', 'Phusion Passenger, which this server does not provide: remove the line'],
  ['perl', 'mod_perl, which this server does not provide: remove the line'],
  ['python', 'mod_python, which this server does not provide: remove the line'],
  ['rails', 'Phusion Passenger, which this server does not provide: remove the line'],
  ['sec', 'mod_security, which this server does not provide: remove the line'],
  ['svn', 'mod_dav_svn, which this server does not provide: remove the line'],
]

/** The replacement of a directive of former lines of httpd, or undefined. @param name in lower case */
export function replacementOf(name: string): string | undefined {
  return GONE[name]
}

/** The third-party module to which a directive belongs, or undefined. @param name in lower case */
export function strangerOf(name: string): string | undefined {
  return STRANGERS.find(([beginning]) => name.startsWith(beginning) && name.length > beginning.length)?.[1]
}
