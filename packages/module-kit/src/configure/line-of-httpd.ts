import { SELECTIONS } from './module-classes.ts'
import type { ConfigureWord } from './words.ts'

/** Line of the httpd whose configure recorded a command. */
export type HttpdLine = '2.2' | '2.4'

/** Modules that 2.2 had and that 2.4 no longer provides, each with its replacement. */
export const GONE_SINCE_2_2: ReadonlyMap<string, string> = new Map([
  ['authz_default', 'built into mod_authz_core'],
  ['authn_default', 'built into mod_authn_core'],
  ['authn_alias', 'part of mod_authn_core'],
  ['mem_cache', 'removed without a successor'],
  ['disk_cache', 'mod_cache_disk'],
  ['example', 'mod_example_hooks'],
])

const ONLY_IN_2_4: ReadonlySet<string> = new Set(
  [
    'authn_core authz_core access_compat unixd auth_form authn_socache authnz_fcgi allowmethods macro remoteip watchdog',
    'cache_disk cache_socache socache_shmcb socache_dbm socache_memcache socache_redis slotmem_shm slotmem_plain session',
    'session_cookie session_crypto session_dbd request ratelimit buffer data lua sed xml2enc proxy_html proxy_fcgi',
    'proxy_express proxy_fdpass proxy_wstunnel proxy_hcheck proxy_uwsgi http2 proxy_http2 md brotli systemd log_debug dialup',
    'heartbeat heartmonitor lbmethod_byrequests lbmethod_bytraffic lbmethod_bybusyness lbmethod_heartbeat',
    'mods_static mpms_shared load_all_modules debugger_mode',
  ].flatMap((names) => names.split(' ')),
)
/** Options that take a list of modules and selections. */
const LISTS = ['modules', 'mods_shared', 'mods_static']
const SELECTIONS_OF_2_2 = ['most', 'all']

/**
 * The line of httpd that recorded a command: 2.4 if it has an option, or a selection of modules, that 2.4
 * introduced; otherwise 2.2 if it names a module that 2.4 removed; otherwise unknown. A 2.2 file that was
 * later used with 2.4 counts as 2.4.
 */
export function recognizeLine(words: readonly ConfigureWord[]): HttpdLine | undefined {
  const features = words.filter((word) => word.kind === 'feature')
  if (features.some(({ name, value }) => ONLY_IN_2_4.has(name) || selectsAs2_4(name, value))) return '2.4'
  return namedModules(words).some((name) => GONE_SINCE_2_2.has(name)) ? '2.2' : undefined
}

/**
 * The modules and other features that a command names by options of their own or in lists, where names may
 * contain hyphens.
 */
export function namedModules(words: readonly ConfigureWord[]): string[] {
  return words.flatMap((word) => {
    if (word.kind !== 'feature') return []
    return LISTS.includes(word.name) ? word.value.split(/[\s,]+/).map((name) => name.replaceAll('-', '_')) : [word.name]
  })
}

function selectsAs2_4(name: string, value: string): boolean {
  if (name !== 'modules' && name !== 'mods_shared') return false
  return SELECTIONS.some((word) => !SELECTIONS_OF_2_2.includes(word) && value.split(/[\s,]+/).includes(word))
}
