import { visible } from '../../render/visible.ts'

/**
 * The same data with UTF-8 decoded to characters, and control characters shown by their numbers: the content
 * of a configuration must not control the reader's terminal.
 */
export function readable<T>(data: T): T {
  return JSON.parse(JSON.stringify(visible(data)), (_key, value: unknown) => (typeof value === 'string' ? decoded(value) : value))
}

/** Bytes that are not UTF-8 are kept as Latin-1 characters. */
function decoded(text: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(text, 'latin1'))
  } catch {
    return text
  }
}
