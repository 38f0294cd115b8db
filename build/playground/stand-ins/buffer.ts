import { Buffer as Plain } from 'buffer/'

/** Node's encoding `base64url`, which the library does not know. */
const toText = Plain.prototype.toString
Plain.prototype.toString = function (this: Plain, encoding?: string, start?: number, end?: number): string {
  if (encoding !== 'base64url') return Reflect.apply(toText, this, [encoding, start, end])
  const text: string = Reflect.apply(toText, this, ['base64', start, end])
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

const fromText = Plain.from
function from(this: unknown, value: unknown, encoding?: unknown, length?: unknown): Plain {
  const known = encoding === 'base64url' ? 'base64' : encoding
  return Reflect.apply(fromText, Plain, [value, known, length])
}
Object.defineProperty(Plain, 'from', { value: from, configurable: true, writable: true })

export { Plain as Buffer }

export const constants = { MAX_LENGTH: 2 ** 31 - 1, MAX_STRING_LENGTH: 2 ** 29 - 24 } as const

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

export function isAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 128)
}
