import { variableUses } from '../documents/variable-uses.ts'

/** What a name in a configuration stands for; each kind has names of its own. */
export type NameKind = 'variable' | 'macro' | 'authn provider' | 'authz provider'

/** A name that a configuration defines. */
export interface DefinedName {
  readonly kind: NameKind
  readonly name: string
}

/** A place of a name; line and characters count from 0, the end is after its last character. */
export interface Occurrence extends DefinedName {
  readonly line: number
  readonly start: number
  readonly end: number
  /** Whether it is defined here, by Define, `<Macro>` or a provider alias. */
  readonly defines: boolean
}

/** The directives with names, each with the position of the first name in its words, and whether all after it are names. */
const NAMED: ReadonlyMap<
  string,
  { readonly kind: NameKind; readonly index: number; readonly isList?: true; readonly defines?: true }
> = new Map([
  ['define', { kind: 'variable', index: 1, defines: true }],
  ['undefine', { kind: 'variable', index: 1 }],
  ['<ifdefine', { kind: 'variable', index: 1 }],
  ['<macro', { kind: 'macro', index: 1, defines: true }],
  ['use', { kind: 'macro', index: 1 }],
  ['undefmacro', { kind: 'macro', index: 1 }],
  ['<authnprovideralias', { kind: 'authn provider', index: 2, defines: true }],
  ['authbasicprovider', { kind: 'authn provider', index: 1, isList: true }],
  ['authdigestprovider', { kind: 'authn provider', index: 1, isList: true }],
  ['authformprovider', { kind: 'authn provider', index: 1, isList: true }],
  ['authncacheprovidefor', { kind: 'authn provider', index: 1, isList: true }],
  ['<authzprovideralias', { kind: 'authz provider', index: 2, defines: true }],
  ['require', { kind: 'authz provider', index: 1 }],
])

const ALIASES = /^<auth[nz]provideralias$/

/** Longer lines contain no names that a person wrote. */
const LONGEST = 8192

/** All names in a text, in order. Comments contain none. */
export function namesIn(text: string): Occurrence[] {
  const found: Occurrence[] = []
  let continued: Row | null = null
  for (const [line, whole] of text.split(/\r?\n/).entries()) {
    const row = whole.slice(0, LONGEST)
    const isComment: boolean = continued === null ? /^\s*#/.test(row) : continued.isComment
    const before: readonly string[] = continued?.words ?? []
    const words: readonly Word[] = isComment ? [] : wordsOf(row)
    if (!isComment) found.push(...[...variablesIn(row, line), ...named(before, words, line)].sort((a, b) => a.start - b.start))
    continued = row.endsWith('\\') ? { isComment, words: [...before, ...words.map(({ text: word }) => word)] } : null
  }
  return found
}

/** The beginning of a line that continues. */
interface Row {
  readonly isComment: boolean
  readonly words: readonly string[]
}

interface Word {
  readonly text: string
  readonly start: number
}

/** The words of a row, without quotes and without the end of a tag. */
function wordsOf(row: string): Word[] {
  const matches = row.matchAll(/"((?:\\.|[^"\\])*)"?|'((?:\\.|[^'\\])*)'?|((?:\\(?!$)|[^\s\\])+)/g)
  return [...matches].map((match) => {
    const quoted = match[1] ?? match[2]
    if (quoted !== undefined) return { text: quoted, start: match.index + 1 }
    return { text: (match[3] ?? '').replace(/(?<=.)>$/, ''), start: match.index }
  })
}

function variablesIn(row: string, line: number): Occurrence[] {
  return variableUses(row).map(({ name, start }) => {
    return { kind: 'variable', name, line, start, end: start + name.length, defines: false }
  })
}

/** @param before the words of the same directive in former rows */
function named(before: readonly string[], words: readonly Word[], line: number): Occurrence[] {
  const directive = (before[0] ?? words[0]?.text ?? '').toLowerCase()
  const rule = NAMED.get(directive)
  if (rule === undefined) return []
  const all = [...before, ...words.map(({ text }) => text)]
  // Require not NAME
  const first = directive === 'require' && all[1]?.toLowerCase() === 'not' ? rule.index + 1 : rule.index
  return words.flatMap(({ text, start }, at): Occurrence[] => {
    const index = before.length + at
    // The provider that an alias is made of may be an alias itself.
    const isBase = ALIASES.test(directive) && index === 1
    if (index !== first && !isBase && !(rule.isList === true && index > first)) return []
    const skipped = directive === '<ifdefine' && text.startsWith('!') ? 1 : 0
    const name = text.slice(skipped)
    // Neither a name that a variable completes, nor a parameter of a macro.
    if (name === '' || name.includes('${') || /^[$%@]/.test(name)) return []
    const from = start + skipped
    return [{ kind: rule.kind, name, line, start: from, end: from + name.length, defines: rule.defines === true && !isBase }]
  })
}

/** Whether two names are one: macros have names in any case. */
export function isSameName(one: DefinedName, other: DefinedName): boolean {
  if (one.kind !== other.kind) return false
  return one.kind === 'macro' ? one.name.toLowerCase() === other.name.toLowerCase() : one.name === other.name
}

/** Why a name of this kind cannot be called so; null if it can. */
export function wrongName({ kind }: DefinedName, name: string): string | null {
  if (kind === 'variable') return /^\w+$/.test(name) ? null : 'a variable consists of letters, digits and underscores'
  return /^[^\s"'<>\\$%#]+$/.test(name) ? null : 'the name must not contain blanks, quotes, or one of < > \\ $ % #'
}
