/** Writes of at most this many bytes in total become one. */
const MOST_BYTES = 16 * 1024

/**
 * Small writes between cork and uncork, which are joined into one buffer: Node passes several pieces to the system with
 * considerably more effort than the copy costs, and TLS makes a record of each.
 */
export class SmallWrites {
  readonly #pieces: (Buffer | string)[] = []
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  /** Keeps a write until `take`. @returns false if it is too large */
  add(data: Buffer | string): boolean {
    if (this.#bytes + data.length > MOST_BYTES) return false
    this.#pieces.push(data)
    this.#bytes += data.length
    return true
  }

  /** All of them. @returns null without any */
  take(): Buffer | string | null {
    const pieces = this.#pieces
    if (pieces.length === 0) return null
    const joined = pieces.length === 1 ? pieces[0] : join(pieces, this.#bytes)
    pieces.length = 0
    this.#bytes = 0
    return joined
  }
}

function join(pieces: readonly (Buffer | string)[], bytes: number): Buffer {
  const joined = Buffer.allocUnsafe(bytes)
  let at = 0
  for (const piece of pieces) {
    if (typeof piece === 'string') joined.write(piece, at, 'latin1')
    else joined.set(piece, at)
    at += piece.length
  }
  return joined
}
