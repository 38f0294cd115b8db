/** The rounds of SipHash-2-4 per word of the message, and at its end. */
const ROUNDS = 2
const FINAL_ROUNDS = 4

/**
 * SipHash-2-4 (Aumasson, Bernstein 2012) of a message: 8 bytes.
 * @param key 16 bytes
 */
export function sipHash24(message: Uint8Array, key: Uint8Array): Buffer {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.length)
  const keyBytes = Buffer.from(key.buffer, key.byteOffset, key.length)
  const k0 = [keyBytes.readUInt32LE(0), keyBytes.readUInt32LE(4)]
  const k1 = [keyBytes.readUInt32LE(8), keyBytes.readUInt32LE(12)]
  // Four words of 64 bits, each as its lower and its upper half.
  const v = new Int32Array([
    k0[0] ^ 0x70736575,
    k0[1] ^ 0x736f6d65,
    k1[0] ^ 0x6e646f6d,
    k1[1] ^ 0x646f7261,
    k0[0] ^ 0x6e657261,
    k0[1] ^ 0x6c796765,
    k1[0] ^ 0x79746573,
    k1[1] ^ 0x74656462,
  ])
  const whole = bytes.length - (bytes.length % 8)
  for (let at = 0; at < whole; at += 8) absorb(v, bytes.readInt32LE(at), bytes.readInt32LE(at + 4))
  const last = Buffer.alloc(8)
  bytes.copy(last, 0, whole)
  last[7] = bytes.length & 0xff
  absorb(v, last.readInt32LE(0), last.readInt32LE(4))
  v[4] ^= 0xff
  for (let round = 0; round < FINAL_ROUNDS; round++) mix(v)
  const hash = Buffer.alloc(8)
  hash.writeInt32LE(v[0] ^ v[2] ^ v[4] ^ v[6], 0)
  hash.writeInt32LE(v[1] ^ v[3] ^ v[5] ^ v[7], 4)
  return hash
}

function absorb(v: Int32Array, low: number, high: number): void {
  v[6] ^= low
  v[7] ^= high
  for (let round = 0; round < ROUNDS; round++) mix(v)
  v[0] ^= low
  v[1] ^= high
}

/** SipRound. Words are numbered by the index of their lower half. */
function mix(v: Int32Array): void {
  add(v, 0, 2)
  rotate(v, 2, 13)
  xor(v, 2, 0)
  swapHalves(v, 0)
  add(v, 4, 6)
  rotate(v, 6, 16)
  xor(v, 6, 4)
  add(v, 0, 6)
  rotate(v, 6, 21)
  xor(v, 6, 0)
  add(v, 4, 2)
  rotate(v, 2, 17)
  xor(v, 2, 4)
  swapHalves(v, 4)
}

function add(v: Int32Array, to: number, from: number): void {
  const low = (v[to] >>> 0) + (v[from] >>> 0)
  v[to] = low
  v[to + 1] = v[to + 1] + v[from + 1] + (low > 0xffffffff ? 1 : 0)
}

function xor(v: Int32Array, to: number, from: number): void {
  v[to] ^= v[from]
  v[to + 1] ^= v[from + 1]
}

/** To the left, by less than 32 bits. */
function rotate(v: Int32Array, word: number, bits: number): void {
  const low = v[word]
  const high = v[word + 1]
  v[word] = (low << bits) | (high >>> (32 - bits))
  v[word + 1] = (high << bits) | (low >>> (32 - bits))
}

/** A rotation by 32 bits. */
function swapHalves(v: Int32Array, word: number): void {
  const low = v[word]
  v[word] = v[word + 1]
  v[word + 1] = low
}
