/**
 * The selections that include a module: `few` means nearly all of them, `reallyall` means only if all
 * modules, or this one by name, are selected.
 */
export type ModuleClass = 'few' | 'most' | 'all' | 'reallyall'

/** Selections by word; each includes all classes up to its own. */
export const SELECTIONS = ['none', 'few', 'most', 'all', 'reallyall'] as const

export type Selection = (typeof SELECTIONS)[number]

export function selects(selection: Selection, of: ModuleClass): boolean {
  return SELECTIONS.indexOf(of) <= SELECTIONS.indexOf(selection)
}

/** Class of a module that httpd does not have: one of our own, or one that was added to modules/. */
export const CLASS_OF_STRANGERS: ModuleClass = 'most'

/**
 * The modules of httpd 2.4.71 with their classes, in the order in which httpd builds, lists and loads them.
 * The list includes modules that this server does not provide, because a command can name them.
 */
export const HTTPD_MODULES: ReadonlyMap<string, ModuleClass> = new Map([
  ...rows('few', 'authn_file'),
  ...rows('most', 'authn_dbm authn_anon authn_dbd authn_socache'),
  ...rows('few', 'authn_core authz_host authz_groupfile authz_user'),
  ...rows('most', 'authz_dbm authz_owner authz_dbd'),
  ...rows('few', 'authz_core'),
  ...rows('most', 'authnz_ldap'),
  ...rows('all', 'authnz_fcgi'),
  ...rows('few', 'access_compat auth_basic'),
  ...rows('most', 'auth_form auth_digest allowmethods'),
  ...rows('reallyall', 'isapi'),
  ...rows('most', 'file_cache cache cache_disk cache_socache socache_shmcb socache_dbm socache_memcache socache_redis'),
  ...rows('reallyall', 'socache_dc'),
  ...rows('few', 'so'),
  ...rows('most', 'watchdog macro dbd'),
  ...rows('reallyall', 'bucketeer'),
  ...rows('most', 'dumpio'),
  ...rows('all', 'echo'),
  ...rows('reallyall', 'example_hooks case_filter case_filter_in example_ipc'),
  ...rows('most', 'buffer'),
  ...rows('all', 'data'),
  ...rows('most', 'ratelimit'),
  ...rows('few', 'reqtimeout'),
  ...rows('most', 'ext_filter request include'),
  ...rows('few', 'filter'),
  ...rows('all', 'reflector'),
  ...rows('most', 'substitute sed'),
  ...rows('all', 'charset_lite'),
  ...rows('most', 'deflate'),
  ...rows('all', 'xml2enc proxy_html'),
  ...rows('most', 'brotli'),
  ...rows('few', 'http mime'),
  ...rows('most', 'ldap'),
  ...rows('few', 'log_config'),
  ...rows('most', 'log_debug'),
  ...rows('all', 'log_forensic'),
  ...rows('most', 'logio'),
  ...rows('all', 'lua'),
  ...rows('few', 'env'),
  ...rows('all', 'mime_magic'),
  ...rows('reallyall', 'cern_meta'),
  ...rows('most', 'expires'),
  ...rows('few', 'headers'),
  ...rows('reallyall', 'ident'),
  ...rows('all', 'usertrack'),
  ...rows('most', 'unique_id'),
  ...rows('few', 'setenvif version'),
  ...rows(
    'most',
    'remoteip proxy proxy_connect proxy_ftp proxy_http proxy_fcgi proxy_scgi proxy_uwsgi proxy_fdpass proxy_wstunnel',
  ),
  ...rows(
    'most',
    'proxy_ajp proxy_balancer proxy_express proxy_hcheck session session_cookie session_crypto session_dbd slotmem_shm',
  ),
  ...rows('all', 'slotmem_plain'),
  ...rows('most', 'ssl'),
  ...rows('reallyall', 'optional_hook_export optional_hook_import optional_fn_import optional_fn_export'),
  ...rows('all', 'dialup'),
  ...rows('most', 'http2 proxy_http2 md lbmethod_byrequests lbmethod_bytraffic lbmethod_bybusyness lbmethod_heartbeat'),
  ...rows('few', 'unixd'),
  ...rows('reallyall', 'privileges systemd'),
  ...rows('all', 'heartbeat heartmonitor'),
  ...rows('most', 'dav'),
  ...rows('few', 'status autoindex'),
  ...rows('all', 'asis'),
  ...rows('most', 'info'),
  ...rows('reallyall', 'suexec'),
  ...rows('most', 'cgid'),
  ...rows('reallyall', 'cgi'),
  ...rows('most', 'dav_fs'),
  ...rows('all', 'dav_lock'),
  ...rows('most', 'vhost_alias negotiation'),
  ...rows('few', 'dir'),
  ...rows('reallyall', 'imagemap'),
  ...rows('most', 'actions speling userdir'),
  ...rows('few', 'alias'),
  ...rows('most', 'rewrite'),
])

/** Modules that are part of every server, regardless of the options. */
export const ALWAYS_THERE: readonly string[] = ['core', 'so', 'http', 'mpm_event', 'mpm_worker', 'mpm_prefork']

/**
 * Modules of httpd that this server's configurations may load although no such file exists: their function is
 * built in.
 */
export const NOT_NEEDED: readonly string[] = []

function rows(of: ModuleClass, names: string): (readonly [string, ModuleClass])[] {
  return names.split(' ').map((name) => [name, of])
}
