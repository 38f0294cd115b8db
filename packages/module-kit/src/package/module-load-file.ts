/** Modules that a module needs in order to start, or to have any effect: what a2enmod of Debian enables with it. */
const NEEDED: ReadonlyMap<string, string> = new Map([
  ['auth_basic', 'authn_core'],
  ['auth_digest', 'authn_core'],
  ['auth_form', 'session request authn_core'],
  ['authn_anon', 'authn_core'],
  ['authn_dbd', 'dbd authn_core'],
  ['authn_dbm', 'authn_core'],
  ['authn_file', 'authn_core'],
  ['authn_socache', 'authn_core'],
  ['authnz_ldap', 'ldap authz_core authn_core'],
  ['authz_dbd', 'dbd authz_core'],
  ['authz_dbm', 'authz_core'],
  ['authz_groupfile', 'authz_core authn_core'],
  ['authz_host', 'authz_core'],
  ['authz_owner', 'authz_core'],
  ['authz_user', 'authz_core authn_core'],
  ['access_compat', 'authn_core'],
  ['brotli', 'filter'],
  ['dav_fs', 'dav'],
  ['dav_lock', 'dav'],
  ['deflate', 'filter'],
  ['include', 'mime'],
  ['lbmethod_bybusyness', 'proxy_balancer'],
  ['lbmethod_byrequests', 'proxy_balancer'],
  ['lbmethod_bytraffic', 'proxy_balancer'],
  ['lbmethod_heartbeat', 'proxy_balancer'],
  ['md', 'ssl watchdog'],
  ['proxy_ajp', 'proxy'],
  ['proxy_balancer', 'proxy slotmem_shm'],
  ['proxy_connect', 'proxy'],
  ['proxy_express', 'proxy'],
  ['proxy_fcgi', 'proxy'],
  ['proxy_hcheck', 'proxy watchdog'],
  ['proxy_http', 'proxy'],
  ['proxy_http2', 'proxy'],
  ['proxy_scgi', 'proxy'],
  ['proxy_uwsgi', 'proxy'],
  ['proxy_wstunnel', 'proxy'],
  ['session_cookie', 'session'],
  ['session_crypto', 'session'],
  ['session_dbd', 'dbd session'],
  ['ssl', 'setenvif mime socache_shmcb'],
])

/**
 * `mods-available/NAME.load` in the form of Debian: a comment with the modules that gwenmod enables first, and the LoadModule line.
 * @param folder the folder of the module files
 * @param shared the modules that have files: needed ones that are compiled in are not named
 */
export function moduleLoadFile(name: string, folder: string, shared: readonly string[]): string {
  const needed = (NEEDED.get(name) ?? '').split(' ').filter((other) => shared.includes(other))
  const depends = needed.length === 0 ? '' : `# Depends: ${needed.join(' ')}\n`
  return `${depends}LoadModule ${name}_module ${folder}/mod_${name}.mjs\n`
}
