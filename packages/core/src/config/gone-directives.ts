const REQUIRE_LINES = 'combine Require lines with <RequireAny>, <RequireAll> and <RequireNone>'
const MUTEX = 'it is gone since 2.4: use Mutex'
const ACCESS_LOG = 'it is gone since 2.0: use CustomLog'

/** Directives of former lines of httpd, and what says the same now. */
const GONE: Readonly<Record<string, string>> = {
  acceptmutex: MUTEX,
  accessconfig: 'it is gone since 2.0: use Include',
  addmodule: 'it is gone since 2.0: LoadModule alone adds a module',
  agentlog: `${ACCESS_LOG} with %{User-agent}i`,
  authauthoritative: 'it is gone since 2.2: use AuthBasicAuthoritative',
  authdbmauthoritative: 'it is gone since 2.2: use AuthBasicAuthoritative',
  authdigestfile: 'it is gone since 2.2: use AuthDigestProvider file and AuthUserFile',
  authdigestgroupfile: 'it is gone since 2.2: use AuthGroupFile',
  authldapauthoritative: 'it is gone since 2.2: use AuthBasicAuthoritative',
  authldapenabled: 'it is gone since 2.2: use AuthBasicProvider ldap',
  authzdbdauthoritative: `it is gone since 2.4: ${REQUIRE_LINES}`,
  authzdbmauthoritative: `it is gone since 2.4: combine Require dbm-group and others with <RequireAny>, <RequireAll> and <RequireNone>`,
  authzdefaultauthoritative: 'it is gone since 2.4: without a Require that grants, access is denied',
  authzgroupfileauthoritative:
    'it is gone since 2.4: combine Require group and others with <RequireAny>, <RequireAll> and <RequireNone>',
  authzldapauthoritative: `it is gone since 2.4: ${REQUIRE_LINES}`,
  authzownerauthoritative:
    'it is gone since 2.4: combine Require file-owner and others with <RequireAny>, <RequireAll> and <RequireNone>',
  authzuserauthoritative:
    'it is gone since 2.4: combine Require user and others with <RequireAny>, <RequireAll> and <RequireNone>',
  bindaddress: 'it is gone since 2.0: use Listen',
  clearmodulelist: 'it is gone since 2.0: LoadModule alone adds a module',
  cookielog: 'it is gone since 2.4: use CustomLog with %{Apache}n',
  forcelanguage: 'it is gone since 2.0: use ForceLanguagePriority',
  lockfile: MUTEX,
  maxspareservers: 'it belongs to the process model prefork, which is not there: use MaxSpareThreads, or take the line out',
  mcachemaxobjectcount: 'mod_mem_cache is gone since 2.4',
  mcachemaxobjectsize: 'mod_mem_cache is gone since 2.4',
  mcachemaxstreamingbuffer: 'mod_mem_cache is gone since 2.4',
  mcacheminobjectsize: 'mod_mem_cache is gone since 2.4',
  mcacheremovalalgorithm: 'mod_mem_cache is gone since 2.4',
  mcachesize: 'mod_mem_cache is gone since 2.4',
  minspareservers: 'it belongs to the process model prefork, which is not there: use MinSpareThreads, or take the line out',
  refererignore: `${ACCESS_LOG} with a condition`,
  refererlog: `${ACCESS_LOG} with %{Referer}i`,
  resourceconfig: 'it is gone since 2.0: use Include',
  rewritelock: 'it is gone since 2.4: use Mutex with rewrite-map',
  rewritelog: 'it is gone since 2.4: use LogLevel, as in LogLevel warn rewrite:trace3',
  rewriteloglevel: 'it is gone since 2.4: use LogLevel, as in LogLevel warn rewrite:trace3',
  servertype: 'it is gone since 2.0: take the line out',
  ssllog: 'it is gone since 2.0: use ErrorLog',
  sslloglevel: 'it is gone since 2.0: use LogLevel, as in LogLevel warn ssl:info',
  sslmutex: MUTEX,
  watchdogmutexpath: MUTEX,
}

/** Beginnings of directives of modules that never came with httpd. */
const STRANGERS: readonly (readonly [beginning: string, what: string])[] = [
  ['php_', 'mod_php, which this server has not: say it in php.ini, or in a .user.ini file'],
  ['passenger', 'Phusion Passenger, which this server has not'],
  ['perl', 'mod_perl, which this server has not'],
  ['python', 'mod_python, which this server has not'],
  ['rails', 'Phusion Passenger, which this server has not'],
  ['sec', 'mod_security, which this server has not'],
  ['svn', 'mod_dav_svn, which this server has not'],
  ['wsgi', 'mod_wsgi, which this server has not'],
]

/** What became of a directive that former lines of httpd had, or undefined. @param name in lower case */
export function replacementOf(name: string): string | undefined {
  return GONE[name]
}

/** Which module of somebody else a directive belongs to, or undefined. @param name in lower case */
export function strangerOf(name: string): string | undefined {
  return STRANGERS.find(([beginning]) => name.startsWith(beginning) && name.length > beginning.length)?.[1]
}
