import { isUtf8 } from 'node:buffer'

/**
 * Data as JSON, one character for each byte of it. Bytes of names that are not UTF-8 are written as `\u00ff`,
 * because JSON is UTF-8.
 */
export function byteJson(data: unknown): string {
  return JSON.stringify(data, null, 2).replace(/[\x80-\xff]+/g, (bytes) =>
    isUtf8(Buffer.from(bytes, 'latin1')) ? bytes : escaped(bytes),
  )
}

function escaped(bytes: string): string {
  return Array.from(bytes, (byte) => `\\u00${byte.charCodeAt(0).toString(16)}`).join('')
}
