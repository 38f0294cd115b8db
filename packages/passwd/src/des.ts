import { BOX_PERMUTATION, BOXES, FINAL_PERMUTATION, KEY_BITS, KEY_TURNS, ROUND_KEY_BITS } from './des-tables.ts'

/**
 * Encrypts a block of zeros `times` times with DES whose expansion is changed by a salt, as crypt(3) does.
 *
 * @param key eight bytes; the lowest bit of each is ignored
 * @param salt 12 bits; bit n exchanges bits n + 1 and n + 25 of the expanded half block
 */
export function desRepeated(key: Uint8Array, salt: number, times: number): bigint {
  const keys = roundKeys(key)
  const exchange = exchangeMask(salt)
  // Between two encryptions, the final permutation and the next initial one cancel out. The initial
  // permutation of zeros is zeros.
  let left = 0
  let right = 0
  for (let time = 0; time < times; time++) {
    for (let round = 0; round < 2 * ROUNDS; round += 2) {
      const next = left ^ mangle(right, exchange, keys[round], keys[round + 1])
      left = right
      right = next
    }
    const last = left
    left = right
    right = last
  }
  return finish(left, right)
}

const ROUNDS = 16

/**
 * The round function: expansion to twice 24 bits, exchange by salt, addition of the key, S-boxes and
 * permutation P by table.
 */
function mangle(half: number, exchange: number, keyHigh: number, keyLow: number): number {
  const turned = (half >>> 1) | (half << 31)
  let high = ((turned >>> 26) << 18) | (sixBits(turned, 4) << 12) | (sixBits(turned, 8) << 6) | sixBits(turned, 12)
  let low = (sixBits(turned, 16) << 18) | (sixBits(turned, 20) << 12) | (sixBits(turned, 24) << 6) | sixBits(turned, 28)
  const swapped = (high ^ low) & exchange
  high ^= swapped ^ keyHigh
  low ^= swapped ^ keyLow
  return (
    PERMUTED_BOXES[high >>> 18] |
    PERMUTED_BOXES[64 + ((high >>> 12) & 63)] |
    PERMUTED_BOXES[128 + ((high >>> 6) & 63)] |
    PERMUTED_BOXES[192 + (high & 63)] |
    PERMUTED_BOXES[256 + (low >>> 18)] |
    PERMUTED_BOXES[320 + ((low >>> 12) & 63)] |
    PERMUTED_BOXES[384 + ((low >>> 6) & 63)] |
    PERMUTED_BOXES[448 + (low & 63)]
  )
}

/**
 * Six bits of a word, starting `from` bits below its most significant bit and wrapping around at the other
 * end.
 */
function sixBits(word: number, from: number): number {
  return ((word << from) | (word >>> (32 - from))) >>> 26
}

/** Sixteen round keys as pairs of 24-bit numbers. */
function roundKeys(key: Uint8Array): Int32Array {
  const keys = new Int32Array(2 * ROUNDS)
  let register = KEY_BITS.map((bit) => (key[(bit - 1) >>> 3] >>> (7 - ((bit - 1) & 7))) & 1)
  for (let round = 0; round < ROUNDS; round++) {
    register = [...turn(register.slice(0, 28), KEY_TURNS[round]), ...turn(register.slice(28), KEY_TURNS[round])]
    for (let at = 0; at < ROUND_KEY_BITS.length; at++) {
      const word = 2 * round + (at < 24 ? 0 : 1)
      keys[word] = (keys[word] << 1) | register[ROUND_KEY_BITS[at] - 1]
    }
  }
  return keys
}

function turn(half: readonly number[], by: number): number[] {
  return [...half.slice(by), ...half.slice(0, by)]
}

/** The salt's bits in the order of the expanded half block: its lowest bit belongs to the most significant of the 24. */
function exchangeMask(salt: number): number {
  let mask = 0
  for (let bit = 0; bit < 12; bit++) mask |= ((salt >>> bit) & 1) << (23 - bit)
  return mask
}

function finish(left: number, right: number): bigint {
  let block = 0n
  for (const bit of FINAL_PERMUTATION) {
    const word = bit <= 32 ? left : right
    block = (block << 1n) | BigInt((word >>> (31 - ((bit - 1) & 31))) & 1)
  }
  return block
}

/**
 * The four output bits of each S-box, already at the positions given by permutation P: eight tables of 64
 * words.
 */
const PERMUTED_BOXES: Int32Array = permuteBoxes()

function permuteBoxes(): Int32Array {
  const tables = new Int32Array(BOXES.length * 64)
  for (let box = 0; box < BOXES.length; box++) {
    for (let input = 0; input < 64; input++) {
      // The outer two bits choose the row, the inner four the column.
      const row = ((input >>> 4) & 2) | (input & 1)
      const nibble = Number.parseInt(BOXES[box][16 * row + ((input >>> 1) & 15)], 16)
      tables[64 * box + input] = permute(nibble << (28 - 4 * box))
    }
  }
  return tables
}

function permute(word: number): number {
  let result = 0
  for (const bit of BOX_PERMUTATION) result = (result << 1) | ((word >>> (32 - bit)) & 1)
  return result
}
