import type { Rewriter } from './rewriter.ts'

/** Rewrites small ASCII letters as capitals. */
export class UpperCase implements Rewriter {
  *push(piece: Uint8Array): Generator<Uint8Array> {
    const bytes = Buffer.from(piece)
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]
      if (byte >= SMALL_A && byte <= SMALL_Z) bytes[at] = byte - (SMALL_A - CAPITAL_A)
    }
    yield bytes
  }

  *end(): Generator<Uint8Array> {}
}

const SMALL_A = 0x61
const SMALL_Z = 0x7a
const CAPITAL_A = 0x41
