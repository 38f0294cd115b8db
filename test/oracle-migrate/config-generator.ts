import type { Random } from '../fixtures/random.ts'

/** A configuration in the dialect of 2.2, or in both: sections for the server's file, files that it includes, and .htaccess files by folder. */
export interface OldConfig {
  /** `@DOCS@` is the document root. */
  readonly sections: string
  /** By name below the document root. */
  readonly included: Readonly<Record<string, string>>
  readonly accessFiles: Readonly<Record<string, string>>
}

/** Makes rules for a folder of its own below the document root: nested folders, places and files of a kind, each with random lines about access. */
export class ConfigGenerator {
  readonly #random: Random
  /** Words in variables, for lines of any file. */
  #variables: readonly string[] = []
  /** Lines that bring rules from elsewhere: from a macro or from another file. */
  #shared: readonly string[] = []

  constructor(random: Random) {
    this.#random = random
  }

  config(folder: string): OldConfig {
    const random = this.#random
    const sections: string[] = random.percent(30) ? this.#defineVariables(folder) : []
    const included: Record<string, string> = {}
    const shared: string[] = []
    if (random.percent(20)) sections.push(this.#defineRules(folder, shared))
    if (random.percent(20)) {
      included[`${folder}.inc`] = `${this.#rules().join('\n')}\n`
      shared.push(`Include "@DOCS@/${folder}.inc"`)
    }
    this.#shared = shared
    // AuthType without Require is a mistake in 2.4: now and then is enough.
    const require = random.percent(85) ? this.#requireLines() : []
    const top = random.percent(80) ? [...AUTH, ...require, ...this.#rules()] : this.#rules()
    sections.push(section(`Directory "@DOCS@/${folder}"`, top))
    if (random.percent(60)) sections.push(section(`Directory "@DOCS@/${folder}/a"`, this.#rules()))
    if (random.percent(25)) sections.push(section(`Directory "@DOCS@/${folder}/a/b"`, this.#rules()))
    if (random.percent(15)) sections.push(section(`DirectoryMatch "^@DOCS@/${folder}/(a|c)"`, this.#rules()))
    if (random.percent(20)) sections.push(section(`Location "/${folder}/c"`, this.#rules()))
    if (random.percent(10)) sections.push(section(`LocationMatch "^/${folder}/a/b"`, this.#rules()))
    const files = random.pick(['Files "*.inc"', 'FilesMatch "\\.(inc|bak)$"', 'Files ~ "^\\.ht"'])
    if (random.percent(20)) sections.push(section(`Directory "@DOCS@/${folder}"`, [section(files, this.#rules()).trimEnd()]))
    // A section in the new dialect, as the stock configuration of 2.4 has one: what an outer Satisfy Any makes of it must not be written down.
    if (random.percent(35))
      sections.push(section(`Directory "@DOCS@/${folder}"`, [section(random.pick(BANS), ['Require all denied']).trimEnd()]))
    if (random.percent(25)) sections.push(this.#voidedBan(folder))
    if (random.percent(15)) sections.push(this.#defineFolders(folder))
    this.#shared = []
    const accessFiles: Record<string, string> = {}
    for (const below of ['a', 'a/b', 'c']) if (random.percent(20)) accessFiles[`${folder}/${below}`] = this.#accessFile()
    if (random.percent(12)) sections.push(this.#condition(folder))
    return { sections: sections.join(''), included, accessFiles }
  }

  /** The .htaccess files of a tree on another person's server, by folder. */
  accessFilesOf(folders: readonly string[]): Readonly<Record<string, string>> {
    const random = this.#random
    const auth = random.percent(60) ? `${AUTH.join('\n')}\n` : ''
    const files: Record<string, string> = {}
    for (const [index, folder] of folders.entries())
      if (random.percent(index === 0 ? 70 : 45)) files[folder] = (index === 0 ? auth : '') + this.#accessFile()
    return files
  }

  /**
   * The same tree after an edit of one file: mostly with lines that have a different effect, or the same
   * effect in other words.
   */
  changed(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    const random = this.#random
    const folder = random.pick(['', ...Object.keys(files)])
    const rules = random.percent(50) ? `${random.pick(OPEN)}\n` : this.#accessFile()
    return { ...files, [folder]: random.percent(40) ? `${files[folder] ?? ''}${rules}` : rules }
  }

  #defineVariables(folder: string): string[] {
    const values: Readonly<Record<string, string>> = {
      NET: '10.1',
      NETS: '10.1.2.3 192.168.0.0/16',
      FLAG: 'env=flag',
      MIXED: 'all 10.1',
    }
    this.#variables = Object.keys(values).map((name) => `\${${name}_${folder}}`)
    const lines = Object.entries(values).map(([name, value]) => `Define ${name}_${folder} "${value}"\n`)
    // Sometimes a name with a second value for the lines after it.
    return this.#random.percent(20) ? [...lines, `Define NET_${folder} 10.2\n`] : lines
  }

  #defineRules(folder: string, shared: string[]): string {
    const random = this.#random
    for (let uses = 0; uses < 2; uses++)
      shared.push(`Use Rules_${folder} ${random.pick(['10.1', '10.1', '192.168.0.0/16', 'env=near'])}`)
    const lines = random.percent(70) ? [...this.#rules(), 'Allow from $net'] : this.#rules()
    return section(`Macro Rules_${folder} $net`, lines)
  }

  /** A macro with a section, for two folders. */
  #defineFolders(folder: string): string {
    const inner = section(`Directory "@DOCS@/${folder}/$dir"`, [
      ...this.#rules(),
      this.#random.pick(['Deny from $net', 'Require ip $net']),
    ])
    const uses = ['a', 'c'].map((dir) => `Use Folders_${folder} ${dir} ${this.#random.pick(['10.1', '10.1', '172.16'])}\n`)
    return section(`Macro Folders_${folder} $dir $net`, [inner.trimEnd()]) + uses.join('')
  }

  /** A folder in which Satisfy Any grants access despite a section in the new dialect. */
  #voidedBan(folder: string): string {
    const random = this.#random
    const ban = section(random.pick(BANS), ['Require all denied']).trimEnd()
    return section(`Directory "@DOCS@/${folder}/d"`, [random.pick(VOIDING), ban])
  }

  #accessFile(): string {
    if (this.#random.percent(20)) return `${this.#random.pick(VOIDING)}\n`
    const own = `${this.#rules().join('\n')}\n`
    return this.#random.percent(25)
      ? own + section(this.#random.pick(['Files "*.inc"', 'Files gatewright-sample']), this.#rules())
      : own
  }

  /** Rules for some requests only, by a field that no rule of a proof uses. */
  #condition(folder: string): string {
    const inner = section(`If "%{HTTP:X-If} == 'on'"`, this.#rules())
    return section(`Directory "@DOCS@/${folder}${this.#random.pick(['', '/a'])}"`, [inner.trimEnd()])
  }

  #rules(): string[] {
    const random = this.#random
    const lines: string[] = []
    if (random.percent(70)) lines.push(...this.#limited(this.#hostLines(), 12))
    if (random.percent(30)) lines.push(...this.#limited([`Satisfy ${random.pick(['any', 'Any', 'all', 'ALL'])}`], 10))
    if (random.percent(50)) lines.push(...this.#limited(this.#requireLines(), 15))
    if (random.percent(10)) lines.push('# a comment')
    if (random.percent(8)) lines.push(`AuthMerging ${random.pick(['And', 'Or', 'Off', 'And'])}`)
    if (this.#shared.length > 0 && random.percent(35)) lines.push(random.pick(this.#shared))
    if (random.percent(18)) return this.#guarded(lines)
    return lines.length === 0 ? ['Options None'] : this.#shuffled(lines)
  }

  /** After a guard, sometimes with its other half. */
  #guarded(lines: readonly string[]): string[] {
    const random = this.#random
    const [condition, other] = random.pick(GUARDS)
    const around = (guard: string, inner: readonly string[]): string[] =>
      inner.length === 0 ? [] : [[`<${guard}>`, ...inner, `</${guard.split(' ')[0]}>`].join('\n')]
    const second =
      other === '' || random.percent(50) ? [] : around(other, random.percent(50) ? this.#hostLines() : this.#requireLines())
    return this.#shuffled([...around(condition, lines), ...second])
  }

  #hostLines(): string[] {
    const random = this.#random
    const lines = random.percent(80) ? [`Order ${random.pick(ORDERS)}`] : []
    lines.push(
      ...random.several(0, 2, () => `Allow from ${this.#words()}`),
      ...random.several(0, 2, () => `Deny from ${this.#words()}`),
    )
    return lines.length === 0 ? ['Order deny,allow'] : lines
  }

  #words(): string {
    const random = this.#random
    const words = this.#variables.length > 0 && random.percent(30) ? this.#variables : WORDS
    return random.several(1, 3, () => random.pick(random.percent(35) ? ['all', 'ALL'] : words)).join(' ')
  }

  #requireLines(): string[] {
    const random = this.#random
    const lines = random.several(1, 2, () => `Require ${random.pick(REQUIRES)}`)
    if (!random.percent(15)) return lines
    const negative = random.percent(50) ? [`Require not ${random.pick(['ip 10.1', 'user bob', 'env flag'])}`] : []
    return [
      ['<RequireAll>', ...lines.map((line) => `  ${line}`), ...negative.map((line) => `  ${line}`), '</RequireAll>'].join('\n'),
    ]
  }

  #limited(lines: readonly string[], share: number): string[] {
    const random = this.#random
    if (!random.percent(share)) return [...lines]
    const opening = random.pick(['Limit GET', 'Limit POST PUT', 'Limit GET POST', 'LimitExcept GET', 'LimitExcept POST'])
    return [[`<${opening}>`, ...lines, `</${opening.split(' ')[0]}>`].join('\n')]
  }

  #shuffled(lines: readonly string[]): string[] {
    const rest = [...lines]
    return lines.map(() => rest.splice(this.#random.below(rest.length), 1)[0])
  }
}

/** A true condition and a false one. */
const GUARDS: readonly (readonly [string, string])[] = [
  ['IfModule mod_authz_core.c', 'IfModule !mod_authz_core.c'],
  ['IfModule mod_access_compat.c', 'IfModule !mod_access_compat.c'],
  ['IfVersion >= 2.4', 'IfVersion < 2.4'],
  ['IfModule !mod_nothing.c', ''],
]
const BANS = ['Files ".ht*"', 'Files ".ht*"', 'FilesMatch "^\\.ht"', 'FilesMatch "\\.(inc|bak)$"']
const VOIDING = ['Satisfy any', 'Satisfy any\nOrder allow,deny\nAllow from all', 'Satisfy any\nOrder allow,deny\nAllow from 10.1']
/** Ways to grant access to everyone, one of which also opens files of surrounding sections. */
const OPEN = ['Require all granted', 'Satisfy any', 'Order allow,deny\nAllow from all', 'Order deny,allow', '# nothing']
const ORDERS = ['deny,allow', 'allow,deny', 'Deny,Allow', 'Allow,Deny', 'mutual-failure']
const WORDS = [
  '10.0.0.0/8',
  '10.1',
  '10.1.2.3',
  '192.168.0.0/16',
  '172.16.0.0/255.240.0.0',
  '2001:db8:1::/48',
  'env=flag',
  'env=!flag',
  'env=near',
  'ENV=!near',
]
const REQUIRES = [
  'valid-user',
  'valid-user',
  'user bob',
  'user alice bob',
  'group staff',
  'group nobody staff',
  'ip 10.1',
  'all granted',
  'all denied',
  'env near',
]
const AUTH = ['AuthType Basic', 'AuthName "oracle"', 'AuthUserFile "@USERS@"', 'AuthGroupFile "@GROUPS@"']

function section(title: string, lines: readonly string[]): string {
  return `<${title}>\n${lines.map((line) => `${line.replace(/^/gm, '  ')}\n`).join('')}</${title.split(' ')[0]}>\n`
}

/**
 * The same with the names of real files.
 * @param root holds `users` and `groups`, and the document root under its name
 */
export function placed({ sections, included, accessFiles }: OldConfig, root: string, documentRoot: string = 'old'): OldConfig {
  const place = (text: string): string =>
    text
      .replaceAll('@DOCS@', `${root}/${documentRoot}`)
      .replaceAll('@USERS@', `${root}/users`)
      .replaceAll('@GROUPS@', `${root}/groups`)
  const all = (files: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(files).map(([name, text]) => [name, place(text)]))
  return { sections: place(sections), included: all(included), accessFiles: all(accessFiles) }
}
