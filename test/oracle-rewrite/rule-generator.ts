import type { Random } from '../fixtures/random.ts'

/** The context of a case's rules: a virtual host, or the .htaccess file of its folder. */
export type RulePlace = 'host' | 'folder'

/** Random rules with conditions, of which most can be applied to the requests of {@link randomPath}. */
export class RuleGenerator {
  readonly #random: Random
  /** DocumentRoot. */
  readonly #tree: string

  constructor(random: Random, tree: string) {
    this.#random = random
    this.#tree = tree
  }

  /** The lines of one case. */
  lines(place: RulePlace): string[] {
    const random = this.#random
    const lines = ['RewriteEngine On']
    if (place === 'folder' && random.percent(30)) lines.push(`RewriteBase ${random.pick(['/', '/base', '/base/', '/page.html'])}`)
    if (random.percent(15)) lines.push(`RewriteOptions ${random.pick(OPTIONS)}`)
    const rules = random.several(1, 4, () => this.#rule(place))
    return [...lines, ...rules.flat()]
  }

  #rule(place: RulePlace): string[] {
    const random = this.#random
    const conditions = random.percent(40) ? random.several(1, 3, () => this.#condition()) : []
    const pattern = `${random.percent(8) ? '!' : ''}${place === 'host' && random.percent(50) ? '^/' : ''}${random.pick(PATTERNS)}`
    const flags = random.several(0, 3, () => this.#flag())
    const list = flags.length === 0 ? '' : ` "[${flags.join(',')}]"`
    return [...conditions, `RewriteRule "${pattern}" "${this.#substitution(place)}"${list}`]
  }

  #substitution(place: RulePlace): string {
    const random = this.#random
    if (random.percent(15)) return '-'
    const front = random.pick(place === 'host' ? HOST_FRONTS : FOLDER_FRONTS)
    const middle = random.several(0, 2, () => this.#piece()).join('')
    const query = random.percent(35) ? `?${random.several(0, 2, () => this.#piece()).join('')}` : ''
    return (front + middle + query).replaceAll('@TREE@', this.#tree)
  }

  #piece(): string {
    return this.#random.pick(PIECES)
  }

  #flag(): string {
    const random = this.#random
    return random.percent(30) ? 'L' : random.pick(FLAGS)
  }

  #condition(): string {
    const random = this.#random
    const text = random.pick(TEXTS).replaceAll('@TREE@', this.#tree)
    const flags = random.several(0, 2, () => random.pick(['NC', 'OR', 'NV']))
    return `RewriteCond "${text}" "${random.percent(20) ? '!' : ''}${random.pick(TESTS)}"${flags.length === 0 ? '' : ` [${flags.join(',')}]`}`
  }
}

/** A random request path below a folder. */
export function randomPath(random: Random): string {
  const path = random.several(1, 3, () => random.pick(SEGMENTS)).join(random.pick(['/', '/', '//', '/./']))
  return path + random.pick(['', '', '', '/', '?', '?a=1', '?b=2&a=%20x', '?%3f', '?a&'])
}

const OPTIONS: readonly string[] = [
  'Inherit',
  'InheritBefore',
  'AllowNoSlash',
  'MergeBase',
  'IgnoreContextInfo',
  'LegacyPrefixDocRoot',
  'UnsafePrefixStat',
  'IgnoreInherit',
]

const PATTERNS: readonly string[] = [
  '(.*)',
  '.',
  '^',
  'page',
  '(p.*)$',
  '(\\w+)/(.*)$',
  '([^/]+)$',
  'a|b',
  '(x)?',
  '\\.html$',
  '(.)(.*)',
  'none',
  '%',
  '(.*) (.*)',
  'sub/?(.*)',
]

const HOST_FRONTS: readonly string[] = [
  '/',
  '/page.html',
  '/sub/',
  'page.html',
  '',
  '$1',
  '/$1',
  '//x/',
  '@TREE@/page.html',
  '@TREE@/',
  'http://other.test/',
  'https://other.test',
  'ftp://other.test/',
  '%{REQUEST_URI}',
  '/aliased/',
  '%{DOCUMENT_ROOT}/',
]

const FOLDER_FRONTS: readonly string[] = [...HOST_FRONTS, 'sub/', '../page.html', '/base/']

const PIECES: readonly string[] = [
  '$1',
  '$2',
  '$0',
  '%1',
  'x',
  '/',
  'a=',
  '&',
  '%{QUERY_STRING}',
  '%{REQUEST_METHOD}',
  '%{HTTP:X-A}',
  '%{ENV:V}',
  '${lower:$1}',
  '${escape:$0}',
  '${table:$1|none}',
  '\\$1',
  '#f',
  ' ',
  'page.html',
  '%{REQUEST_FILENAME}',
]

const FLAGS: readonly string[] = [
  'R',
  'R=301',
  'R=307',
  'R=404',
  'F',
  'G',
  'END',
  'C',
  'S=1',
  'S=2',
  'N=4',
  'QSA',
  'QSD',
  'QSL',
  'B',
  'B=?',
  'BNP',
  'BCTLS',
  'BNE=/',
  'NE',
  'NC',
  'NS',
  'PT',
  'DPI',
  'E=V:$1',
  'E=V:%{ENV:V}x',
  'E=!V',
  'CO=n:$1:d.test',
  'CO=m:v:d.test:0:/p:secure:HttpOnly:lax',
  'T=text/x-$1',
  'UnsafeAllow3F',
  'UnsafePrefixStat',
  'UNC',
  'P',
]

const TEXTS: readonly string[] = [
  '%{REQUEST_URI}',
  '%{REQUEST_FILENAME}',
  '%{QUERY_STRING}',
  '%{HTTP:X-A}',
  '%{HTTP:X-None}',
  '%{HTTP_USER_AGENT}',
  '%{HTTP_HOST}',
  '%{ENV:V}',
  '%{ENV:REDIRECT_STATUS}',
  '%{IS_SUBREQ}',
  '%{PATH_INFO}',
  '%{CONTEXT_PREFIX}|%{CONTEXT_DOCUMENT_ROOT}',
  '%{LA-U:REQUEST_FILENAME}',
  '%{LA-F:REQUEST_URI}',
  '%{THE_REQUEST}',
  '%{SCRIPT_FILENAME}',
  '@TREE@/$1',
  '$1',
  '$1%1',
  '%2',
  '${lower:$1}',
  '/page.html',
  '@TREE@/page.html',
  '',
]

const TESTS: readonly string[] = [
  '.',
  '^$',
  '(.*)',
  '(p)age',
  '^/(\\w*)',
  '-f',
  '-d',
  '-s',
  '-l',
  '-x',
  '-F',
  '-U',
  '=',
  '=b',
  '<m',
  '>m',
  '>=/page.html',
  '<=x',
  '-eq1',
  '-ne0',
  '-lt5',
  '-ge1',
]

const SEGMENTS: readonly string[] = [
  'page.html',
  'sub',
  'sub/page.html',
  'a',
  'b',
  'x',
  'none',
  'A%20b',
  '%3f',
  'p%25',
  'link',
  'aliased/page.html',
  'p%c3%bc',
  'a+b',
  'a:b',
]
