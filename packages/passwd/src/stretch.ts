import { hash } from 'node:crypto'

/**
 * The rounds MD5-crypt and sha-crypt have in common. Round `i` hashes up to four pieces: password (odd rounds) or the previous
 * digest (even ones); the salt unless 3 divides `i`; the password unless 7 divides `i`; and whichever of digest and password
 * the round did not begin with. Returns the digest of the last round.
 */
export function stretch(algorithm: string, first: Uint8Array, password: Uint8Array, salt: Uint8Array, rounds: number): Buffer {
  const layouts = LAYOUTS.map((layout) => layOut(layout, first.length, password, salt))
  let digest = Buffer.from(first).toString('latin1')
  for (let round = 0; round < rounds; round++) {
    const { input, digestAt } = layouts[layoutNumber(round)]
    input.write(digest, digestAt, 'latin1')
    // One-shot hashing into a string of bytes takes less than half the time of one into a Buffer.
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

/** A round's input with everything in place but the digest: only eight layouts exist, so nothing is joined inside the loop. */
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
