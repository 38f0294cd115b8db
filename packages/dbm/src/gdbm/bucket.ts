import type { FileBytes } from '../file-bytes.ts'
import { gdbmHash } from './hash.ts'
import type { GdbmHeader } from './header.ts'
import { KEY_START, KEY_START_SIZE, readOffset } from './layout.ts'

/** The result of a look-up in a bucket: a slot, or one of these. */
export const ABSENT = -1
export const DAMAGED = -2

/** A bucket: a hash table with linear probing. Each element holds the position of one record in the file. */
export class GdbmBucket {
  /** The number of leading bits that the hashes of its keys have in common. */
  readonly bits: number
  readonly #header: GdbmHeader
  readonly #file: FileBytes
  readonly #bytes: Buffer

  private constructor(header: GdbmHeader, file: FileBytes, bytes: Buffer) {
    this.#header = header
    this.#file = file
    this.#bytes = bytes
    this.bits = bytes.readUInt32LE(header.layout.bucketBits)
  }

  /** @returns undefined if there cannot be a bucket at that offset */
  static read(header: GdbmHeader, file: FileBytes, offset: number): GdbmBucket | undefined {
    const bytes = offset === 0 ? undefined : file.read(offset, header.bucketSize)
    if (bytes === undefined) return undefined
    const bucket = new GdbmBucket(header, file, bytes)
    const sound = bucket.bits <= header.bits && bytes.readUInt32LE(header.layout.bucketCount) <= header.elements
    return sound ? bucket : undefined
  }

  /**
   * @returns the slot of the key, ABSENT, or DAMAGED if an element that may be the key's points outside the
   *   file
   */
  find(key: Buffer, hash: number): number {
    const { elements } = this.#header
    for (let probe = 0; probe < elements; probe++) {
      const slot = (hash + probe) % elements
      const found = this.hash(slot)
      if (found === -1) return ABSENT
      if (found !== hash || this.#keySize(slot) !== key.length || !this.#startsLike(slot, key)) continue
      const stored = this.key(slot)
      if (stored === undefined) return DAMAGED
      if (stored.equals(key)) return slot
    }
    return ABSENT
  }

  /** -1 if the slot is free. */
  hash(slot: number): number {
    return this.#bytes.readInt32LE(this.#element(slot))
  }

  key(slot: number): Buffer | undefined {
    return this.#file.read(this.#data(slot), this.#keySize(slot))
  }

  value(slot: number): Buffer | undefined {
    const size = this.#bytes.readUInt32LE(this.#element(slot) + this.#header.layout.valueSize)
    return this.#file.read(this.#data(slot) + this.#keySize(slot), size)
  }

  /** Whether a look-up of the key of this slot ends at this slot. */
  isConsistent(slot: number, key: Buffer): boolean {
    const hash = gdbmHash(key)
    return this.hash(slot) === hash && this.find(key, hash) === slot
  }

  /**
   * Whether a look-up finds every record of the bucket, and whether each belongs to this entry of the
   * directory. Checked when a key is absent, because damage may have hidden it.
   */
  isSound(entry: number): boolean {
    const { elements, bits } = this.#header
    let count = 0
    for (let slot = 0; slot < elements; slot++) {
      const hash = this.hash(slot)
      if (hash === -1) continue
      count++
      const key = this.key(slot)
      const isHere = hash >>> (31 - this.bits) === entry >>> (bits - this.bits)
      if (key === undefined || !isHere || !this.isConsistent(slot, key)) return false
    }
    return count === this.#bytes.readUInt32LE(this.#header.layout.bucketCount)
  }

  #startsLike(slot: number, key: Buffer): boolean {
    const start = this.#element(slot) + KEY_START
    for (let index = 0; index < KEY_START_SIZE && index < key.length; index++) {
      if (this.#bytes[start + index] !== key[index]) return false
    }
    return true
  }

  #keySize(slot: number): number {
    return this.#bytes.readUInt32LE(this.#element(slot) + this.#header.layout.keySize)
  }

  #data(slot: number): number {
    return readOffset(this.#header.layout, this.#bytes, this.#element(slot) + this.#header.layout.dataOffset)
  }

  #element(slot: number): number {
    return this.#header.layout.elements + slot * this.#header.layout.elementSize
  }
}
