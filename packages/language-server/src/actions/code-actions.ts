import { type CodeAction, CodeActionKind, type Diagnostic, type TextEdit } from 'vscode-languageserver/node'
import type { Outline } from '../documents/outline.ts'
import type { DiagnosticData } from '../server/diagnostics.ts'

/** The lines that a person has marked, from 0. */
export interface Marked {
  readonly uri: string
  readonly startLine: number
  readonly endLine: number
  readonly diagnostics: readonly Diagnostic[]
  readonly outline: Outline
  lineText(line: number): string
}

/** What `codeAction/resolve` needs for a migration. */
export interface MigrationData {
  readonly uri: string
  /** Lines from 0, both included; null for the whole file. */
  readonly lines: readonly [number, number] | null
}

export function codeActions(marked: Marked): CodeAction[] {
  return [...marked.diagnostics.flatMap((one) => actionsFor(one, marked)), ...migrations(marked)]
}

function actionsFor(diagnostic: Diagnostic, marked: Marked): CodeAction[] {
  const data = dataOf(diagnostic)
  if (data === null) return []
  const { line } = diagnostic.range.start
  const text = marked.lineText(line)
  const actions: CodeAction[] = []
  const fix = (title: string, edit: TextEdit): void => {
    actions.push({ title, kind: CodeActionKind.QuickFix, diagnostics: [diagnostic], edit: { changes: { [marked.uri]: [edit] } } })
  }
  const meant = /did you mean (\S+?)\??(?:\s|$)/.exec(data.hint ?? '')?.[1]
  if (meant !== undefined) {
    const wrong = wrongWord(typeof diagnostic.message === 'string' ? diagnostic.message : diagnostic.message.value, text, meant)
    if (wrong !== null) fix(`Replace by ${meant}`, replacement(line, wrong.start, wrong.end, bare(meant)))
  }
  const load = /LoadModule \S+ \S+/.exec(data.hint ?? '')?.[0]
  if (load !== undefined) fix(`Insert ${load}`, insertion(0, `${load}\n`))
  if (/write no blank after the comma/.test(data.hint ?? ''))
    fix('Remove the blank after the comma', replacement(line, 0, text.length, text.replace(/,\s+/g, ',')))
  if (/^remove the line\b|: remove the line\b/.test(data.hint ?? '')) fix('Remove the line', deletion(line))
  if (/^IPv6|::1/.test(data.hint ?? '') && /\b127\.0\.0\.1\b/.test(text) && data.rule === 'GW010')
    fix('Add ::1', insertion(line, text.length, ' ::1'))
  if (data.rule !== null) {
    const indent = /^\s*/.exec(text)?.[0] ?? ''
    fix(`Silence ${data.rule} here`, insertion(line, `${indent}# gatewright-ignore ${data.rule} reason\n`))
  }
  return actions
}

/** The word of a line that a message is about. */
function wrongWord(message: string, text: string, meant: string): { readonly start: number; readonly end: number } | null {
  const named = /^Invalid command '<?([^',]+)'/.exec(message)?.[1] ?? nearest(message, text)
  if (named === undefined || named === bare(meant)) return null
  const start = text.indexOf(named)
  return start < 0 ? null : { start, end: start + named.length }
}

/** The longest word of the line that the first line of the message repeats. */
function nearest(message: string, text: string): string | undefined {
  const [first = ''] = message.split('\n')
  const words = text
    .trim()
    .split(/\s+/)
    .slice(1)
    .flatMap((word) => [word, word.replace(/^.*[:=]/, '')])
  return (
    words.filter((word) => word.length > 1 && first.includes(word)).sort((a, b) => b.length - a.length)[0] ??
    (words.length === 1 ? words[0] : undefined)
  )
}

function bare(word: string): string {
  return word.replace(/^<|>$/g, '')
}

const OLD = /^(?:order|allow|deny|satisfy)$/i

/** Rewriting of access rules in the old form, which is computed when a person chooses it. */
function migrations({ uri, startLine, endLine, outline }: Marked): CodeAction[] {
  const old = outline.lines.filter(({ name }) => OLD.test(name))
  const marked = old.find(({ line }) => startLine <= line && line <= endLine)
  if (marked === undefined) {
    const section = outline.blocks.find(({ start }) => start === startLine)
    const inside = section === undefined ? undefined : old.find(({ line }) => section.start < line && line < section.end)
    return section === undefined || inside === undefined
      ? []
      : [migration('section', { uri, lines: [section.start, section.end] })]
  }
  const section = outline.enclosing(marked.line).at(-1)
  return [
    ...(section === undefined ? [] : [migration('section', { uri, lines: [section.start, section.end] })]),
    migration('file', { uri, lines: null }),
  ]
}

function migration(what: 'section' | 'file', data: MigrationData): CodeAction {
  return { title: `Rewrite the access rules of this ${what} for 2.4 (Require)`, kind: CodeActionKind.RefactorRewrite, data }
}

function dataOf({ data }: Diagnostic): DiagnosticData | null {
  if (typeof data !== 'object' || data === null || !('rule' in data) || !('hint' in data)) return null
  const { rule, hint }: { readonly rule: unknown; readonly hint: unknown } = data
  return { rule: typeof rule === 'string' ? rule : null, hint: typeof hint === 'string' ? hint : null }
}

function replacement(line: number, start: number, end: number, newText: string): TextEdit {
  return { range: { start: { line, character: start }, end: { line, character: end } }, newText }
}

function insertion(line: number, text: string): TextEdit
function insertion(line: number, character: number, text: string): TextEdit
function insertion(line: number, at: string | number, text?: string): TextEdit {
  return typeof at === 'string' ? replacement(line, 0, 0, at) : replacement(line, at, at, text ?? '')
}

function deletion(line: number): TextEdit {
  return { range: { start: { line, character: 0 }, end: { line: line + 1, character: 0 } }, newText: '' }
}
