// The configuration under which both servers serve a site.
import { readdirSync } from 'node:fs'

/** httpd needs a shared cache for mod_authn_socache. */
const NEEDED_BY_HTTPD = ['socache_shmcb']

/** Modules that both servers have, in or beside the program. */
export function sharedModules(servers) {
  const [first, ...others] = servers.map(modulesOf)
  return [...first].filter((name) => others.every((names) => names.has(name))).sort()
}

/**
 * The configuration file's text. All modules that both servers have are loaded. Scripts are served as files, with a path
 * after their name, as a PHP module would accept them. The site is the document root, and also below /site.
 */
export function configuration({ server, servers, site, port, options }) {
  const needed = NEEDED_BY_HTTPD.filter((name) => modulesOf(server).has(name))
  return `ServerRoot "@ROOT@"
ServerName localhost
Listen 127.0.0.1:${port}
PidFile logs/httpd.pid
ErrorLog logs/error.log
LogLevel ${options.logLevel}
${[...needed, ...sharedModules(servers)].map(server.loadModule).join('\n')}
TypesConfig /etc/mime.types
DirectoryIndex index.html index.php
AccessFileName .htaccess
<Directory "/">
  Require all denied
</Directory>
<Directory "${site.tree}">
  Options ${options.options}
  AllowOverride ${options.override}
  Require all granted
  AddType text/html .php
  <FilesMatch "\\.php$">
    AcceptPathInfo On
  </FilesMatch>
</Directory>
DocumentRoot "${site.tree}"
Alias "/site" "${site.tree}"
${site.extra}
`
}

function modulesOf({ moduleDir, staticModules }) {
  const beside = readdirSync(moduleDir).flatMap((file) => /^mod_(\w+)\.(?:so|mjs)$/.exec(file)?.[1] ?? [])
  return new Set([...beside, ...staticModules])
}
