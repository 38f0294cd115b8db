import { nearest } from './nearest.ts'
import { isModuleName } from './selection.ts'
import type { ConfigureWord } from './words.ts'

/** How this server treats an option. */
export type Meaning =
  | 'understood'
  /** It concerns C, or a library that httpd takes from the system. */
  | 'none here'
  /** Unknown to every httpd: accepted, as httpd accepts it, and reported. */
  | 'unknown'

const FEATURES = 'layout modules mods_shared mods_static mpms_shared load_all_modules maintainer_mode so'.split(' ')
const PACKAGES = 'mpm port sslport program_name'.split(' ')

const FEATURES_OF_C: readonly string[] = [
  ...'pie exception_hook debugger_mode hook_probes dtrace v4_mapped reduced_exports bsd_makefiles test_suite threads'.split(' '),
  ...'shared static fast_install libtool_lock option_checking dependency_tracking nonportable_atomics other_child lfs'.split(' '),
  ...'suexec_capabilities static_support static_htpasswd static_htdigest static_rotatelogs static_logresolve'.split(' '),
  ...'static_htdbm static_ab static_checkgid static_htcacheclean static_httxt2dbm static_fcgistarter ssl_staticlib_deps'.split(
    ' ',
  ),
  ...'nghttp2_staticlib_deps luajit distcache'.split(' '),
]
const PACKAGES_OF_C: readonly string[] = [
  ...'apr apr_util apu included_apr pcre pcre2 ssl sslc openssl z zlib nghttp2 libxml2 lua jansson curl brotli systemd'.split(
    ' ',
  ),
  ...'ldap ldap_include ldap_lib crypto expat dbm berkeley_db gdbm ndbm sqlite2 sqlite3 mysql pgsql oracle freetds odbc'.split(
    ' ',
  ),
  ...'iconv devrandom egd perl valgrind test_suite distcache pic gnu_ld sysroot rsa efence'.split(' '),
  ...'suexec_bin suexec_caller suexec_userdir suexec_docroot suexec_uidmin suexec_gidmin suexec_logfile'.split(' '),
  ...'suexec_syslog suexec_safepath suexec_umask'.split(' '),
]

/** @param available names of the modules whose sources are present */
export function meaningOf(word: ConfigureWord, available: readonly string[]): Meaning {
  switch (word.kind) {
    case 'folder':
      return 'understood'
    case 'variable':
    case 'script option':
      return 'none here'
    case 'feature':
      if (FEATURES.includes(word.name) || isModuleName(word.name, available)) return 'understood'
      return FEATURES_OF_C.includes(word.name) ? 'none here' : 'unknown'
    case 'package':
      if (PACKAGES.includes(word.name)) return 'understood'
      return PACKAGES_OF_C.includes(word.name) ? 'none here' : 'unknown'
  }
}

/**
 * The option that a misspelled one probably meant, `--enable-rewrite`. @param modules names valid in
 * `--enable-NAME`
 */
export function nearestOption(
  { kind, name, value }: Extract<ConfigureWord, { value: string }>,
  modules: readonly string[],
): string | undefined {
  const known = kind === 'package' ? PACKAGES : [...FEATURES, ...modules]
  const found = nearest(name, known)?.replaceAll('_', '-')
  if (found === undefined) return undefined
  const verb = kind === 'package' ? ['with', 'without'] : ['enable', 'disable']
  return `--${value === 'no' ? verb[1] : verb[0]}-${found}`
}
