/** Files that are executed rather than sent: their source contains passwords and the logic of a site. */
export interface ProgramKind {
  /** `PHP`, `CGI`. */
  readonly name: string
  /** Modules that can run them, as messages name them; one of them must be loaded. */
  readonly runners: readonly string[]
  /** Their file extensions, lower case, without the dot. */
  readonly extensions: ReadonlySet<string>
  /** Handlers and types that configurations assign to them. */
  readonly handler: RegExp
}

export const PROGRAM_KINDS: readonly ProgramKind[] = [
  {
    name: 'PHP',
    runners: ['mod_php', 'mod_proxy_fcgi', 'mod_fcgid'],
    extensions: new Set(['php', 'php3', 'php4', 'php5', 'php7', 'php8', 'phtml', 'phar']),
    handler: /^(?:application\/)?x-httpd-(?:php|ea-php|alt-php)[^-]*$|^php[\d.]*(?:-script|-fpm|-fcgi|-cgi)?$/i,
  },
  {
    name: 'CGI',
    runners: ['mod_cgi', 'mod_cgid', 'mod_fcgid'],
    extensions: new Set(['cgi', 'fcgi', 'pl']),
    handler: /^(?:cgi-script|fcgid-script|fastcgi-script|perl-script|application\/x-httpd-cgi)$/i,
  },
  { name: 'WSGI', runners: ['mod_wsgi'], extensions: new Set(['wsgi']), handler: /^wsgi-script$/i },
  {
    name: 'JSP',
    runners: ['mod_proxy_ajp', 'mod_proxy_http', 'mod_jk'],
    extensions: new Set(['jsp', 'jspx']),
    handler: /^(?:jakarta-servlet|application\/x-httpd-jsp)$/i,
  },
]

/**
 * The kind of a file by the extensions of its name: `x.php.bak` is none, `x.php.en` is one, and
 * `index.html.pl` is a page in Polish.
 */
export function programKindOfFile(name: string): ProgramKind | undefined {
  const extensions = name.toLowerCase().split('.').slice(1)
  const last = extensions.at(-1) ?? ''
  if (last === 'pl' && extensions.length > 1) return undefined
  return PROGRAM_KINDS.find(
    (kind) => kind.extensions.has(last) || (isLanguage(last) && kind.extensions.has(extensions.at(-2) ?? '')),
  )
}

function isLanguage(extension: string): boolean {
  return /^[a-z]{2}(?:-[a-z]{2})?$/.test(extension)
}

/**
 * Returns true if one of the loaded modules can run such files.
 * @param modules names such as `cgid_module`
 */
export function isRunHere({ runners }: ProgramKind, modules: Iterable<string>): boolean {
  const names = [...modules].map((name) => `mod_${name.replace(/_module$/, '').replace(/^php\d*$/, 'php')}`)
  return runners.some((runner) => names.includes(runner))
}
