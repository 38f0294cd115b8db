import { ConfigureError } from './configure-error.ts'
import { FOLDERS, type Folder, isFolder, UNUSED_FOLDERS } from './folders.ts'
import { hintFor } from './nearest.ts'

/** One option of configure's command line. `_` replaces `-` in names; `text` is the option as written. */
export type ConfigureWord =
  /** `--enable-NAME[=VALUE]`; `--disable-NAME` has the value `no`. */
  | { readonly kind: 'feature'; readonly name: string; readonly value: string; readonly text: string }
  /** `--with-NAME[=VALUE]`; `--without-NAME` has the value `no`. */
  | { readonly kind: 'package'; readonly name: string; readonly value: string; readonly text: string }
  | { readonly kind: 'folder'; readonly name: Folder; readonly value: string; readonly text: string }
  /** `NAME=value` */
  | { readonly kind: 'variable'; readonly name: string; readonly value: string; readonly text: string }
  /** An option that every configure script has and that does not affect the server. */
  | { readonly kind: 'script option'; readonly name: string; readonly text: string }

/** Options of every configure script that take a value, which may be the next word. */
const WITH_VALUE = [
  'build',
  'host',
  'target',
  'cache-file',
  'srcdir',
  'program-prefix',
  'program-suffix',
  'program-transform-name',
]
const BARE = ['config-cache', 'no-create', 'no-recursion', 'quiet', 'silent', 'verbose']
const SHORT = ['-C', '-n', '-q', '-v']

/**
 * Parses the words of a command line in order.
 * @throws ConfigureError for a word that a configure script rejects: an invalid option, or a folder that is
 * not absolute
 */
export function parseWords(words: readonly string[]): ConfigureWord[] {
  const parsed: ConfigureWord[] = []
  for (let at = 0; at < words.length; at++) {
    const written = words[at]
    const [, name, value] = /^--?([^=]+)(?:=(.*))?$/s.exec(written) ?? []
    if (name !== undefined && value === undefined && takesNextWord(name)) {
      const next = words[++at]
      if (next === undefined) throw new ConfigureError(`missing argument to ${written}`, `write ${written}=VALUE`)
      parsed.push(parseWord(`${written}=${next}`, `${written} ${next}`))
    } else parsed.push(parseWord(written, written))
  }
  return parsed
}

function takesNextWord(name: string): boolean {
  return WITH_VALUE.includes(name) || isFolderOption(name)
}

function isFolderOption(name: string): boolean {
  const folder = underscored(name)
  return isFolder(folder) || UNUSED_FOLDERS.includes(folder)
}

function parseWord(word: string, text: string): ConfigureWord {
  if (!word.startsWith('-')) return parseVariable(word)
  if (SHORT.includes(word)) return { kind: 'script option', name: word, text }
  const [, verb, rest] = /^--?(enable|disable|with|without)-(.+)$/s.exec(word) ?? []
  if (verb !== undefined && rest !== undefined) return parseFeature(verb, rest, text)
  const [, option = '', value = ''] = /^--?([^=]*)(?:=(.*))?$/s.exec(word) ?? []
  if (isFolderOption(option)) return parseFolder(option, value, text)
  if (WITH_VALUE.includes(option) || BARE.includes(option)) return { kind: 'script option', name: `--${option}`, text }
  const known = [...WITH_VALUE, ...BARE, ...FOLDERS.map((folder) => folder.replaceAll('_', '-'))]
  throw new ConfigureError(
    `unrecognized option: '${word}'`,
    hintFor(option, known, '--') ?? 'build/configure --help lists the options',
  )
}

function parseVariable(word: string): ConfigureWord {
  const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(word) ?? []
  if (name === undefined || value === undefined)
    throw new ConfigureError(`invalid word: '${word}'`, 'write an option, which begins with --, or a variable, NAME=value')
  return { kind: 'variable', name, value, text: word }
}

function parseFeature(verb: string, rest: string, text: string): ConfigureWord {
  const [, name = '', value] = /^([^=]*)(?:=(.*))?$/s.exec(rest) ?? []
  if (!/^[\w.+-]+$/.test(name)) throw new ConfigureError(`invalid feature name: '${name}'`, 'use letters, digits, - and _')
  const negative = verb === 'disable' || verb === 'without'
  const kind = verb === 'enable' || verb === 'disable' ? 'feature' : 'package'
  return { kind, name: underscored(name), value: negative ? 'no' : (value ?? 'yes'), text }
}

function parseFolder(option: string, value: string, text: string): ConfigureWord {
  const name = underscored(option)
  if (!isFolder(name)) return { kind: 'script option', name: `--${option}`, text }
  return { kind: 'folder', name, value: absoluteFolder(value, `--${option}`), text }
}

/**
 * A folder in the form used in scripts, configuration files and C-like defines: absolute, without a trailing
 * slash.
 * @throws ConfigureError naming `where` it was written
 */
export function absoluteFolder(value: string, where: string): string {
  if (!value.startsWith('/'))
    throw new ConfigureError(`expected an absolute directory name for ${where}: ${value}`, `write a path that begins with /`)
  if (/["'`$\\\x00-\x1f\x7f]/.test(value))
    throw new ConfigureError(
      `the directory name for ${where} cannot be used: ${value}`,
      'use a name without quotes, $, backslashes and control characters, which have a special meaning in the installed files',
    )
  return value.replace(/\/+$/, '')
}

function underscored(name: string): string {
  return name.replaceAll('-', '_')
}
