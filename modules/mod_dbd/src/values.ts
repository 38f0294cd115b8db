import type { BoundValue, DatabaseStatement, DatabaseValue, DriverRows } from '@gatewright/api'

/** A text or number that a placeholder cannot take. */
export class UnsuitableValue extends Error {
  override readonly name = 'UnsuitableValue'
}

/**
 * The values for the placeholders of a statement: byte strings become Unicode, or bytes if they are not UTF-8; missing
 * values are NULL.
 * @throws UnsuitableValue for a text that is not a number where the statement demands one
 */
export function bindValues({ types }: DatabaseStatement, values: readonly DatabaseValue[]): BoundValue[] {
  return types.map((type, index) => {
    const value = values[index] ?? null
    if (typeof value !== 'string') return value
    if (type === 'text') return unicode(value)
    const form = type === 'integer' ? /^[-+]?\d{1,18}$/ : /^[-+]?\d{1,18}(?:\.\d{1,18})?$/
    if (!form.test(value))
      throw new UnsuitableValue(`value ${index + 1} is not ${type === 'integer' ? 'an integer' : 'a number'}`)
    return type === 'integer' ? BigInt(value) : Number(value)
  })
}

const NON_ASCII = /[\x80-\xff]/
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function unicode(text: string): string | Uint8Array {
  if (!NON_ASCII.test(text)) return text
  const bytes = Buffer.from(text, 'latin1')
  try {
    return UTF8.decode(bytes)
  } catch {
    return bytes
  }
}

/** A text of a driver as a byte string. */
export function byteText(value: string | Uint8Array): string {
  return typeof value === 'string'
    ? Buffer.from(value, 'utf8').toString('latin1')
    : Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('latin1')
}

/** The rows of a driver as byte strings. */
export function byteRows({ columns, rows }: DriverRows): { readonly columns: string[]; readonly rows: (string | null)[][] } {
  return {
    columns: columns.map(byteText),
    rows: rows.map((row) => row.map((value) => (value === null ? null : byteText(value)))),
  }
}
