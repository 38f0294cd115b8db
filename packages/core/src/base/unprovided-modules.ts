const PHP =
  'mod_php of this server runs PHP by PHP-FPM processes of its own: LoadModule php_module modules/mod_php.so in place of the line'

/**
 * Modules that make no sense in this server, by the name of their file without prefix and suffix, and what serves their
 * purpose.
 */
const ALTERNATIVES: readonly (readonly [name: RegExp, alternative: string])[] = [
  [/^lua$/, 'rules of mod_rewrite and expressions do much of what Lua hooks do, and a module in TypeScript the rest (apxs -g)'],
  [/^(?:mpm_)?itk$/, 'workers run as one User; run an instance of the server for each user, behind a proxy with ProxyPass'],
  [/^privileges$/, 'it needs Solaris; run an instance of the server for each user, behind a proxy with ProxyPass'],
  [/^security[23]?$/, 'let a firewall for web applications run before this server, and use Require and RewriteRule here'],
  [/^shib(?:2|_22|_24|boleth)?$/, 'let a proxy with Shibboleth or the application itself log users in, or use mod_auth_form'],
  [/^php\d?(?:\.\d+)?$/, PHP],
  [/^perl$/, 'run Perl scripts with mod_cgid, or an application of Plack with mod_proxy_fcgi'],
  [/^python$/, 'run Python applications with a server of their own, such as gunicorn or uwsgi, and ProxyPass'],
  [/^passenger$/, 'run the application with a server of its own, such as puma, and ProxyPass'],
  [/^(?:dav|authz)_svn$/, 'serve the repository with svnserve, or with httpd behind ProxyPass'],
  [/^proxy_fdpass$/, 'pass requests on with ProxyPass unix:PATH|http://localhost/ in place of their sockets'],
]

/** What to use in place of a module that makes no sense here; undefined for others. @param name without `mod_`, in lower case */
export function alternativeTo(name: string): string | undefined {
  return ALTERNATIVES.find(([pattern]) => pattern.test(name))?.[1]
}
