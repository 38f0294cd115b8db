import { hash } from 'node:crypto'

/**
 * The rounds that MD5-crypt and sha-crypt share. Round `i` hashes up to four pieces: the password (odd
 * rounds) or the previous digest (even rounds); the salt unless 3 divides `i`; the password unless 7 divides
 * `i`; and the digest if the round began with the password, or else the password. Returns the digest of the
 * last round.
 */
export function stretch(algorithm: string, first: Uint8Array, password: Uint8Array, salt: Uint8Array, rounds: number): Buffer {
  const layouts = LAYOUTS.map((layout) => layOut(layout, first.length, password, salt))
  let digest = Buffer.from(first).toString('latin1')
  for (let round = 0; round < rounds; round++) {
    const { input, digestAt } = layouts[layoutNumber(round)]
    input.write(digest, digestAt, 'latin1')
    // One-shot hashing into a binary string takes less than half the time of hashing into a Buffer.
    digest = hash(algorithm, input, 'binary')
  }
  return Buffer.from(digest, 'latin1')
}

/** Whether a round begins with the password, and whether the salt and the second password follow. */
interface Layout {
  odd: boolean
  salted: boolean
  repeated: boolean
}

const ODD = 1
const SALTED = 2
const REPEATED = 4

const LAYOUTS: readonly Layout[] = Array.from({ length: 8 }, (_, number) => ({
  odd: (number & ODD) !== 0,
  salted: (number & SALTED) !== 0,
  repeated: (number & REPEATED) !== 0,
}))

function layoutNumber(round: number): number {
  return (round & ODD) | (round % 3 === 0 ? 0 : SALTED) | (round % 7 === 0 ? 0 : REPEATED)
}

/** A round's input, complete except for the digest. Only eight layouts exist, so the loop joins nothing. */
function layOut(
  layout: Layout,
  digestLength: number,
  password: Uint8Array,
  salt: Uint8Array,
): { input: Buffer; digestAt: number } {
  const gap = Buffer.alloc(digestLength)
  const middle = [...(layout.salted ? [salt] : []), ...(layout.repeated ? [password] : [])]
  const pieces = layout.odd ? [password, ...middle, gap] : [gap, ...middle, password]
  const input = Buffer.concat(pieces)
  return { input, digestAt: layout.odd ? input.length - digestLength : 0 }
}
