/** The symbol that ends a text and never occurs in one. */
const END = 256

/** Lengths of the codes of all symbols in bits, in rows of 16 (RFC 7541 appendix B). The code is canonical. */
const LENGTHS: readonly number[] = [
  ...[13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28],
  ...[28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28],
  ...[6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6],
  ...[5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10],
  ...[13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7],
  ...[7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6],
  ...[15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5],
  ...[6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28],
  ...[20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23],
  ...[24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24],
  ...[22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23],
  ...[21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23],
  ...[26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25],
  ...[19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27],
  ...[20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23],
  ...[26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26],
  30,
]

/** Bits of one step of the decoder, and the steps that begin with each state. */
const STEP_BITS = 4
const STEPS = 1 << STEP_BITS

/** A step that no text takes. */
const IMPOSSIBLE = -1
/** In a step: a symbol is complete; the text may end after it. */
const EMITS = 1 << 16
const MAY_END = 1 << 17

/**
 * The decoder: for each state, an inner node of the tree, and each of the next four bits, the next state, the symbol that
 * they complete (none or one, because no code has fewer than five bits), and whether a text may end there.
 */
const DECODER: Int32Array = buildDecoder()

/**
 * Decodes bytes from `start` to `end`.
 * @returns the text in latin1; null if it is not a text of this code
 */
export function decodeHuffman(bytes: Buffer, start: number, end: number): string | null {
  const decoded = Buffer.allocUnsafe(((end - start) * 8) / 5 + 1)
  let length = 0
  let state = 0
  let mayEnd = true
  for (let at = start; at < end; at++) {
    const byte = bytes[at]
    let step = DECODER[state * STEPS + (byte >> STEP_BITS)]
    if (step === IMPOSSIBLE) return null
    if ((step & EMITS) !== 0) decoded[length++] = (step >> 8) & 255
    step = DECODER[(step & 255) * STEPS + (byte & (STEPS - 1))]
    if (step === IMPOSSIBLE) return null
    if ((step & EMITS) !== 0) decoded[length++] = (step >> 8) & 255
    state = step & 255
    mayEnd = (step & MAY_END) !== 0
  }
  return mayEnd ? decoded.toString('latin1', 0, length) : null
}

/** Encodes a text in latin1. For clients and tests: responses are sent without it, which takes less time. */
export function encodeHuffman(text: string): Buffer {
  const codes = canonicalCodes()
  const out: number[] = []
  let bits = 0n
  let count = 0
  for (const byte of Buffer.from(text, 'latin1')) {
    bits = (bits << BigInt(LENGTHS[byte])) | BigInt(codes[byte])
    count += LENGTHS[byte]
    for (; count >= 8; count -= 8) out.push(Number((bits >> BigInt(count - 8)) & 255n))
    bits &= (1n << BigInt(count)) - 1n
  }
  if (count > 0) out.push(Number((bits << BigInt(8 - count)) | (255n >> BigInt(count))))
  return Buffer.from(out)
}

/** In a canonical code, symbols with longer codes follow those with shorter ones, and equally long ones are in order. */
function canonicalCodes(): number[] {
  const symbols = LENGTHS.map((_, symbol) => symbol).sort((a, b) => LENGTHS[a] - LENGTHS[b] || a - b)
  const codes: number[] = []
  let code = 0
  let length = LENGTHS[symbols[0]]
  for (const symbol of symbols) {
    code *= 2 ** (LENGTHS[symbol] - length)
    length = LENGTHS[symbol]
    codes[symbol] = code++
  }
  return codes
}

function buildDecoder(): Int32Array {
  // A child is the number of an inner node, or the complement of a symbol.
  const children: number[] = [0, 0]
  const isPadding: boolean[] = [true]
  const codes = canonicalCodes()
  for (let symbol = 0; symbol <= END; symbol++) {
    let node = 0
    for (let bit = LENGTHS[symbol] - 1; bit >= 0; bit--) {
      const side = Math.floor(codes[symbol] / 2 ** bit) & 1
      const place = 2 * node + side
      if (bit === 0) children[place] = ~symbol
      else if (children[place] === 0) {
        const added = children.length / 2
        children.push(0, 0)
        // Padding is at most seven bits, all of them set: the start of the code of END.
        isPadding[added] = isPadding[node] && side === 1 && LENGTHS[symbol] - bit <= 7
        children[place] = added
      }
      node = children[place]
    }
  }
  const steps = new Int32Array((children.length / 2) * STEPS)
  for (let state = 0; state < children.length / 2; state++) {
    for (let bits = 0; bits < STEPS; bits++) steps[state * STEPS + bits] = stepFrom(children, isPadding, state, bits)
  }
  return steps
}

function stepFrom(children: readonly number[], isPadding: readonly boolean[], state: number, bits: number): number {
  let node = state
  let emitted = 0
  for (let bit = STEP_BITS - 1; bit >= 0; bit--) {
    const child = children[2 * node + ((bits >> bit) & 1)]
    if (child >= 0) {
      node = child
      continue
    }
    if (~child === END) return IMPOSSIBLE
    emitted = EMITS | (~child << 8)
    node = 0
  }
  return node | emitted | (isPadding[node] ? MAY_END : 0)
}
