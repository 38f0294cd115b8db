const PHP =
  'mod_php of this server runs PHP by PHP-FPM processes of its own: LoadModule php_module modules/mod_php.so in place of the line'
const PER_USER = 'workers run as one User; run an instance of the server for each user, behind a proxy with ProxyPass'
const RATES = 'limit the requests of an address with mod_request_rate, and slow ones with mod_reqtimeout'
const GEO = 'let a proxy in front set a field with the country, and use Require expr here'
const LOGIN_PROXY = 'let a login service decide with mod_auth_forward, or use mod_auth_form, mod_auth_bearer or mod_authnz_ldap'
const ACCOUNTS = 'keep the accounts in LDAP or a database, and use mod_authnz_ldap or mod_authn_dbd'

/**
 * Modules that this server does not provide, by the name of their file without prefix and suffix, and what serves their
 * purpose: those of httpd that make no sense here, and those that Debian packages as libapache2-mod-NAME.
 */
const ALTERNATIVES: readonly (readonly [name: RegExp, alternative: string])[] = [
  [/^lua$/, 'rules of mod_rewrite and expressions do much of what Lua hooks do, and a module in TypeScript the rest (apxs -g)'],
  [/^proxy_ftp$/, 'browsers no longer use FTP; serve the files with rclone serve http, and ProxyPass to it'],
  [/^proxy_fdpass$/, 'pass requests on with ProxyPass unix:PATH|http://localhost/ in place of their sockets'],
  [/^privileges$/, 'it needs Solaris; run an instance of the server for each user, behind a proxy with ProxyPass'],
  [/^(?:(?:mpm_)?itk|ruid2)$/, PER_USER],
  [/^apparmor$/, 'confine the whole server with a profile of AppArmor'],
  [/^security[23]?$/, 'let a firewall for web applications run before this server, and use Require and RewriteRule here'],
  [/^(?:evasive(?:20|24)?|qos|limitipconn|bw|bandwidth|cband)$/, RATES],
  [/^(?:geoip2?|maxminddb)$/, GEO],

  [/^shib(?:2|_22|_24|boleth)?$/, 'let a proxy with Shibboleth or the application itself log users in, or use mod_auth_form'],
  [/^auth_(?:cas|gssapi|kerb|mellon|ntlm_winbind|openidc|pubtkt|tkt)$/, LOGIN_PROXY],
  [/^oauth2$/, 'mod_auth_bearer checks bearer tokens'],
  [/^(?:authn_(?:sasl|yubikey|yolo)|auth(?:nz)?_(?:pam|external)|auth_plain|intercept_form_submit)$/, ACCOUNTS],
  [/^(?:authz_unixgroup|lookup_identity)$/, 'list the groups in a file for mod_authz_groupfile, or keep them in LDAP'],

  [/^php\d?(?:\.\d+)?$/, PHP],
  [/^(?:perl|apreq2?)$/, 'run Perl scripts with mod_cgid or mod_fcgid, or an application of Plack with mod_proxy_fcgi'],
  [/^python$/, 'run Python applications with mod_wsgi, or with a server of their own and ProxyPass'],
  [/^passenger$/, 'run the application with a server of its own, such as puma, and ProxyPass'],
  [/^fastcgi$/, 'mod_fcgid runs FastCGI programs, and mod_proxy_fcgi asks FastCGI servers'],
  [/^mono$/, 'run the application with fastcgi-mono-server4 and mod_proxy_fcgi'],
  [/^(?:r?uwsgi)$/, 'use mod_proxy_uwsgi: ProxyPass uwsgi://127.0.0.1:PORT/'],
  [/^jk$/, 'use mod_proxy_ajp: ProxyPass ajp://HOST:8009/ in place of JkMount and workers.properties'],
  [
    /^(?:lisp|neko|netcgi_apache|parser3|rivet|tile|mapcache)$/,
    'run its programs with mod_fcgid or mod_cgid, or with a server of their own and ProxyPass',
  ],
  [/^(?:dav_svn|authz_svn|dontdothat)$/, 'serve the repository with svnserve, or with httpd behind ProxyPass'],

  [/^(?:rpaf|removeip|cloudflare)$/, 'use mod_remoteip: RemoteIPHeader and RemoteIPInternalProxy'],
  [
    /^(?:xsendfile|xforward)$/,
    'let the application answer with a Location field that begins with a slash, which mod_cgid and mod_fcgid follow inside the server',
  ],
  [/^(?:vhost_ldap|ldap_userdir)$/, 'write the hosts with a template and mod_macro, or use mod_vhost_alias and mod_userdir'],
  [/^log_(?:slow|sql(?:_\w+)?)$/, 'write the items to a piped log program with CustomLog, %D for the time'],
  [/^upload_progress$/, 'browsers report the progress of uploads to the page themselves (XMLHttpRequest.upload)'],
  [/^mime_xattr$/, 'name the types with AddType and ForceType'],
  [/^encoding$/, 'clients of WebDAV send file names as UTF-8 today: remove the line'],
  [/^musicindex$/, 'list the files with mod_autoindex, or run a music server behind ProxyPass'],
  [/^dnssd$/, 'announce the server with avahi-publish or a file in /etc/avahi/services'],
  [/^form$/, 'it serves other modules in C only: remove the line'],
  [/^watchcat$/, 'let systemd restart the server, with WatchdogSec'],
  [/^pagespeed$/, 'it is no longer developed; compress with mod_brotli, and let the build of the site shrink its files'],
]

/** What to use in place of a module that this server does not provide; undefined for others. @param name without `mod_`, in lower case */
export function alternativeTo(name: string): string | undefined {
  return ALTERNATIVES.find(([pattern]) => pattern.test(name))?.[1]
}
