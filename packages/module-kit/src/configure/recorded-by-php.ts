import { HTTPD_MODULES } from './module-classes.ts'

/** Options that PHP's configure has and httpd's never had: a command with one of them is PHP's. */
const OF_PHP_ALONE: ReadonlySet<string> = new Set(
  [
    'apxs apxs2 apxs2filter apxs2handler config_file_path config_file_scan_dir fpm fpm_user fpm_group fpm_systemd embed phpdbg litespeed',
    'maintainer_zts zts zend_signals zend_multibyte pear exec_dir magic_quotes safe_mode discard_path force_cgi_redirect fastcgi',
  ].flatMap((names) => names.split(' ')),
)

/** Extensions of PHP. A command for httpd may contain one by mistake; httpd ignores it. */
const EXTENSIONS_OF_PHP: ReadonlySet<string> = new Set(
  [
    'bcmath calendar ctype dba dom exif fileinfo ftp gd gd_native_ttf gettext gmp hash imap intl json mbregex mbstring mcrypt mhash',
    'mysqli mysqlnd opcache pcntl pdo pdo_mysql pdo_pgsql pdo_sqlite phar posix pspell readline shmop simplexml snmp soap sockets sodium',
    'sysvmsg sysvsem sysvshm tidy tokenizer wddx xml xmlreader xmlrpc xmlwriter xsl zip cli ffi enchant',
  ].flatMap((names) => names.split(' ')),
)

/** Modules of httpd whose names are also options of PHP. */
const OF_BOTH: ReadonlySet<string> = new Set(['cgi', 'filter', 'session', 'ldap', 'brotli'])

const OF_HTTPD_ALONE =
  /^(?:modules|mods_shared|mods_static|mpms_shared|load_all_modules|layout|so|mpm|apr|apr_util|included_apr|sslport|program_name|suexec_\w+)$/

/**
 * The option that shows that PHP's configure recorded a command; undefined if httpd's may have recorded it.
 * @param text of config.nice, whose format differs between versions of PHP
 */
export function optionOfPhp(text: string): string | undefined {
  const options = [...text.matchAll(/(["'])(--(?:enable|disable|with|without)-([\w-]+))/g)].map(([, , option, name]) => ({
    option,
    name: name.replaceAll('-', '_'),
  }))
  const certain = options.find(({ name }) => OF_PHP_ALONE.has(name))
  if (certain !== undefined) return certain.option
  if (options.some(({ name }) => OF_HTTPD_ALONE.test(name) || (HTTPD_MODULES.has(name) && !OF_BOTH.has(name)))) return undefined
  return options.find(({ name }) => EXTENSIONS_OF_PHP.has(name))?.option
}
