import { SELECTIONS } from './module-classes.ts'
import type { ConfigureWord } from './words.ts'

/** Line of httpd whose configure recorded a command. */
export type HttpdLine = '2.2' | '2.4'

/** Modules that 2.2 had and 2.4 has not, each with what stands in its place. */
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
 * Which line a recorded command comes from: 2.4 when it has an option, or a selection of modules, that came with 2.4; else 2.2 when it names a module that
 * went with 2.2; else it cannot be told. A 2.2 file that was used with 2.4 since counts as the latter's.
 */
export function recognizeLine(words: readonly ConfigureWord[]): HttpdLine | undefined {
  const features = words.filter((word) => word.kind === 'feature')
  if (features.some(({ name, value }) => ONLY_IN_2_4.has(name) || selectsAs2_4(name, value))) return '2.4'
  return namedModules(words).some((name) => GONE_SINCE_2_2.has(name)) ? '2.2' : undefined
}

/** What a command names by options of its own or in lists, where hyphens may stand in names: modules, and whatever other feature there is. */
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
