const TYPEABLE: readonly number[] = Array.from({ length: 256 }, (_, code) => code).filter((code) => code >= 32 && code !== 127)

/**
 * Bytes without NUL, CR and LF, which cannot be passed to the tools' standard input; the same in every run,
 * half of them above 127.
 */
export function bytePassword(length: number): Buffer {
  const bytes = Buffer.alloc(length)
  let state = length * 2654435761 + 1
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    bytes[at] = TYPEABLE[(state >>> 16) % TYPEABLE.length]
  }
  return bytes
}

/**
 * Lengths around every block and limit of the schemes, and texts that an intermediate encoding would damage.
 */
export const PASSWORDS: readonly Buffer[] = [
  ...[0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 64, 71, 72, 73, 100].map(bytePassword),
  Buffer.from('Gate-w8!'),
  Buffer.from('pässwörd €'),
  Buffer.from('pässwörd', 'latin1'),
  Buffer.from('\ufeffwith a byte order mark'),
  Buffer.from('ffffa3', 'hex'),
  Buffer.from('eda080', 'hex'),
]

/** Another password, different in a bit that every scheme uses. */
export function otherThan(password: Buffer): Buffer {
  if (password.length === 0) return Buffer.from('x')
  const other = Buffer.from(password)
  other[0] = other[0] === 1 ? 2 : other[0] ^ 1
  return other
}

/** The description of a password in a failing assertion. */
export function describePassword(password: Buffer): string {
  return `${password.length} bytes ${password.toString('hex').slice(0, 24)}`
}
