import { visible } from '../../render/visible.ts'

/**
 * The same data with bytes that are UTF-8 made characters, and control characters shown by their numbers: what stands in a configuration must not talk to the
 * terminal of whoever reads of it.
 */
export function readable<T>(data: T): T {
  return JSON.parse(JSON.stringify(visible(data)), (_key, value: unknown) => (typeof value === 'string' ? decoded(value) : value))
}

/** Bytes that are no UTF-8 stay characters of Latin-1. */
function decoded(text: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(text, 'latin1'))
  } catch {
    return text
  }
}
