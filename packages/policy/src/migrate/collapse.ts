import type { DocumentItem, SectionItem } from '@gatewright/config'
import { dialectOf, isCompatElse, isCompatGuard } from '../site/guard.ts'
import { GUARDS } from '../site/read-nodes.ts'
import type { GuardReadings } from './guard-readings.ts'

/** A file in which guards between the dialects were resolved. */
export interface CollapsedFile {
  readonly text: string
  /** Guards that distinguish the dialects and are kept, and the reason. */
  readonly kept: readonly { readonly line: number; readonly reason: string }[]
}

/**
 * Resolves the guards that distinguish the dialects: the lines of a branch that is read replace the guard,
 * with its indentation; the other branch is removed. Only guards that contain nothing except access rules are
 * changed.
 */
export function collapse(items: readonly DocumentItem[], readings: GuardReadings): CollapsedFile {
  const printer = new Printer(readings)
  printer.print(items, 0)
  return { text: printer.text, kept: printer.kept }
}

class Printer {
  text = ''
  readonly kept: { readonly line: number; readonly reason: string }[] = []
  readonly #readings: GuardReadings
  #hasJustDropped = false

  constructor(readings: GuardReadings) {
    this.#readings = readings
  }

  /** @param depth blanks and tabs that lines lose at their beginning */
  print(items: readonly DocumentItem[], depth: number): void {
    for (const item of items) {
      if (item.kind !== 'section') this.#line(item, depth)
      else if (isBetweenDialects(item)) this.#guard(item, depth)
      else this.#section(item, depth)
    }
  }

  #section({ raw = '', items, closing }: SectionItem, depth: number): void {
    this.#put(raw, depth)
    this.print(items, depth)
    this.#put(closing?.raw ?? '', depth)
  }

  #guard(guard: SectionItem, depth: number): void {
    const fate = this.#fateOf(guard)
    if (fate === 'gone') this.#hasJustDropped = true
    else if (fate === 'opened') this.print(guard.items, depth + innerDepth(guard))
    else {
      if (fate.reason !== '') this.kept.push({ line: guard.line ?? 1, reason: fate.reason })
      this.#section(guard, depth)
    }
  }

  #fateOf(guard: SectionItem): 'gone' | 'opened' | { readonly reason: string } {
    if (guard.closing === null) return { reason: '' }
    const reading = this.#readings.of(guard)
    const name = `<${guard.name} ${guard.text}>`
    if (reading === null)
      return { reason: guard.items.length === 0 ? '' : `${name} is kept: no request shows whether it always holds` }
    const other = firstOther(guard.items)
    if (other !== undefined) return { reason: `${name} is kept: it contains ${other}, which is not an access rule` }
    if (reading === 'failed') return 'gone'
    return isCompatGuard(guard) && holdsOldRules(guard.items) ? { reason: `${name} is kept: so are old rules in it` } : 'opened'
  }

  #line(item: Exclude<DocumentItem, SectionItem>, depth: number): void {
    // Of two empty lines around a removed branch, one remains, and none at the start of a section.
    const isSurplus =
      item.kind === 'blank' && this.#hasJustDropped && /(?:^|\n[ \t]*\r?\n|(?:^|\n)[ \t]*<[^/\n][^\n]*\n)$/.test(this.text)
    if (!isSurplus) this.#put(item.raw ?? '', depth)
  }

  #put(raw: string, depth: number): void {
    if (raw === '') return
    this.#hasJustDropped = false
    this.text += depth === 0 ? raw : raw.replace(new RegExp(`^[ \\t]{0,${depth}}`, 'gm'), '')
  }
}

function isBetweenDialects(section: SectionItem): boolean {
  return dialectOf(section) !== null || isCompatGuard(section) || isCompatElse(section)
}

/** The additional indentation of the lines in a guard. */
function innerDepth({ raw, items }: SectionItem): number {
  const first = items.find(({ kind }) => kind !== 'blank')
  return Math.max(0, indentOf(first?.raw) - indentOf(raw))
}

function indentOf(raw = ''): number {
  return /^[ \t]*/.exec(raw)?.[0].length ?? 0
}

/** The name of the first item that is not an access rule. */
function firstOther(items: readonly DocumentItem[]): string | undefined {
  for (const item of items) {
    if (item.kind === 'blank' || item.kind === 'comment') continue
    if (item.kind === 'section') {
      const name = item.name.toLowerCase()
      const inner = SECTIONS.has(name) || GUARDS.has(name) ? firstOther(item.items) : `<${item.name}>`
      if (inner !== undefined) return inner
    } else if (item.kind !== 'directive' || !RULES.test(item.name)) return item.name
  }
  return undefined
}

function holdsOldRules(items: readonly DocumentItem[]): boolean {
  return items.some((item) =>
    item.kind === 'section'
      ? holdsOldRules(item.items)
      : item.kind === 'directive' && /^(?:order|allow|deny|satisfy)$/i.test(item.name),
  )
}

const RULES = /^(?:order|allow|deny|satisfy|require|auth\w+)$/i
const SECTIONS: ReadonlySet<string> = new Set(
  'directory directorymatch location locationmatch files filesmatch limit limitexcept requireall requireany requirenone'.split(
    ' ',
  ),
)
