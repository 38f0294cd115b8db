import type { LogItem, LogItemMaker, LogItemSubject, Request, Transaction } from '@gatewright/api'
import type { FormatPart, ItemSpec } from './parse-format.ts'

/** Creates an item, and the request it describes unless the format specifies one. */
export interface ItemDefinition {
  readonly make: LogItemMaker
  readonly subject: LogItemSubject
}

/** Creates the line of a transaction, with its line feed. */
export type LineWriter = (transaction: Transaction) => string

/** Appends literal text and an item to a line. */
type Step = (line: string, final: Request, original: Request, transaction: Transaction) => string

/**
 * Compiles a format to one function per item, which appends the text before the item and its value. No item
 * is looked up by letter while requests are logged.
 * @returns an error text for an undefined item
 */
export function compileFormat(parts: readonly FormatPart[], items: ReadonlyMap<string, ItemDefinition>): LineWriter | string {
  const steps: Step[] = []
  let text = ''
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part
      continue
    }
    const definition = items.get(part.letter)
    if (definition === undefined) return `Unrecognized LogFormat directive %${part.letter[0]}`
    steps.push(stepFor(text, part, definition))
    text = ''
  }
  const ending = `${text}\n`
  return (transaction) => {
    const { final, original } = transaction
    let line = ''
    for (const step of steps) line = step(line, final, original, transaction)
    return line + ending
  }
}

function stepFor(text: string, spec: ItemSpec, definition: ItemDefinition): Step {
  const item = definition.make(spec.argument)
  const step = appendOf(text, item, spec.subject ?? definition.subject)
  if (spec.statuses.length === 0) return step
  const statuses = new Set(spec.statuses)
  const omitted = `${text}-`
  return (line, final, original, transaction) =>
    statuses.has(final.status) === spec.negated ? line + omitted : step(line, final, original, transaction)
}

function appendOf(text: string, item: LogItem, subject: LogItemSubject): Step {
  if (subject === 'final') return (line, final, _original, transaction) => line + text + (item(final, transaction) ?? '-')
  return (line, _final, original, transaction) => line + text + (item(original, transaction) ?? '-')
}
