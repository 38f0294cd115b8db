import { BOX_WORDS, PI_FRACTION_BASE64, SUBKEY_WORDS } from './blowfish-tables.ts'

/**
 * The digest inside a bcrypt text, computed from bytes: 24 bytes, of which bcrypt stores the first 23.
 *
 * @param key the password expanded to 18 words, 72 bytes
 * @param firstWord what to add to the first subkey once, before the salt: see `expandPassword`
 * @param salt four words, 16 bytes
 * @param cost binary logarithm of the number of rounds, 4..31
 */
export function bcryptDigest(key: Int32Array, firstWord: number, salt: Int32Array, cost: number): Uint8Array {
  const subkeys = Int32Array.from(INITIAL.subarray(0, SUBKEY_WORDS))
  const boxes = Int32Array.from(INITIAL.subarray(SUBKEY_WORDS))
  addKey(subkeys, key)
  subkeys[0] ^= firstWord
  scheduleSalted(subkeys, boxes, salt)
  for (let round = 2 ** cost; round > 0; round--) {
    addKey(subkeys, key)
    schedule(subkeys, boxes)
    addKey(subkeys, salt)
    schedule(subkeys, boxes)
  }
  return encryptMagic(subkeys, boxes)
}

const INITIAL: Int32Array = decodeInitial()

function decodeInitial(): Int32Array {
  const bytes = Buffer.from(PI_FRACTION_BASE64, 'base64')
  return Int32Array.from({ length: SUBKEY_WORDS + BOX_WORDS }, (_, word) => bytes.readInt32BE(4 * word))
}

function addKey(subkeys: Int32Array, words: Int32Array): void {
  for (let at = 0; at < SUBKEY_WORDS; at++) subkeys[at] ^= words[at % words.length]
}

/** Replaces all subkeys and boxes by encrypting a block repeatedly with the values replaced so far. */
function schedule(subkeys: Int32Array, boxes: Int32Array): void {
  const block = new Int32Array(2)
  replace(subkeys, block, subkeys, boxes)
  replace(boxes, block, subkeys, boxes)
}

function replace(target: Int32Array, block: Int32Array, subkeys: Int32Array, boxes: Int32Array): void {
  for (let at = 0; at < target.length; at += 2) {
    encrypt(block, 0, subkeys, boxes)
    target[at] = block[0]
    target[at + 1] = block[1]
  }
}

/** Like {@link schedule}, but adds the two halves of the salt to the block in turn. */
function scheduleSalted(subkeys: Int32Array, boxes: Int32Array, salt: Int32Array): void {
  const block = new Int32Array(2)
  let half = 0
  for (const target of [subkeys, boxes]) {
    for (let at = 0; at < target.length; at += 2) {
      block[0] ^= salt[half]
      block[1] ^= salt[half + 1]
      half ^= 2
      encrypt(block, 0, subkeys, boxes)
      target[at] = block[0]
      target[at + 1] = block[1]
    }
  }
}

/**
 * Blowfish's sixteen rounds over the two words at `at`. Each iteration runs two rounds, so that the halves
 * need not be exchanged.
 */
function encrypt(block: Int32Array, at: number, subkeys: Int32Array, boxes: Int32Array): void {
  let left = block[at] ^ subkeys[0]
  let right = block[at + 1]
  for (let round = 1; round <= 16; round += 2) {
    right ^= mix(left, boxes) ^ subkeys[round]
    left ^= mix(right, boxes) ^ subkeys[round + 1]
  }
  block[at] = right ^ subkeys[17]
  block[at + 1] = left
}

function mix(word: number, boxes: Int32Array): number {
  const sum = (boxes[word >>> 24] + boxes[256 + ((word >>> 16) & 255)]) ^ boxes[512 + ((word >>> 8) & 255)]
  return (sum + boxes[768 + (word & 255)]) | 0
}

const MAGIC = 'OrpheanBeholderScryDoubt'

function encryptMagic(subkeys: Int32Array, boxes: Int32Array): Uint8Array {
  const bytes = Buffer.from(MAGIC, 'latin1')
  const words = Int32Array.from({ length: MAGIC.length / 4 }, (_, word) => bytes.readInt32BE(4 * word))
  for (let time = 0; time < 64; time++) {
    for (let at = 0; at < words.length; at += 2) encrypt(words, at, subkeys, boxes)
  }
  words.forEach((word, at) => {
    bytes.writeInt32BE(word, 4 * at)
  })
  return bytes
}
