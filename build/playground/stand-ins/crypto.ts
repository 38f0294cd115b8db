import { Buffer } from 'node:buffer'
import { hkdf } from '@noble/hashes/hkdf.js'
import { hmac } from '@noble/hashes/hmac.js'
import { md5, sha1 } from '@noble/hashes/legacy.js'
import { pbkdf2Async } from '@noble/hashes/pbkdf2.js'
import { sha224, sha256, sha384, sha512 } from '@noble/hashes/sha2.js'

const HASHES = { md5, sha1, sha224, sha256, sha384, sha512 }

type Data = string | Uint8Array

/** The part of a hash object of Node that is used here. */
class Digest {
  readonly #state: { update(bytes: Uint8Array): unknown; digest(): Uint8Array; clone(): unknown }

  constructor(state: { update(bytes: Uint8Array): unknown; digest(): Uint8Array; clone(): unknown }) {
    this.#state = state
  }

  update(data: Data, encoding?: BufferEncoding): this {
    this.#state.update(bytesOf(data, encoding))
    return this
  }

  digest(encoding?: BufferEncoding): Buffer | string {
    const bytes = Buffer.from(this.#state.digest())
    return encoding === undefined ? bytes : bytes.toString(encoding)
  }
}

export function createHash(name: string): Digest {
  return new Digest(algorithm(name).create())
}

export function createHmac(name: string, key: Data | { readonly bytes: Uint8Array }): Digest {
  const bytes = typeof key === 'object' && 'bytes' in key ? key.bytes : bytesOf(key)
  return new Digest(hmac.create(algorithm(name), bytes))
}

export function createSecretKey(key: Data, encoding?: BufferEncoding): { readonly type: 'secret'; readonly bytes: Uint8Array } {
  return { type: 'secret', bytes: bytesOf(key, encoding) }
}

export function hash(name: string, data: Data, encoding: BufferEncoding | 'buffer' = 'hex'): Buffer | string {
  return createHash(name)
    .update(data)
    .digest(encoding === 'buffer' ? undefined : encoding)
}

export function hkdfSync(name: string, key: Data, salt: Data, info: Data, length: number): ArrayBuffer {
  const bytes = hkdf(algorithm(name), bytesOf(key), bytesOf(salt), bytesOf(info), length)
  return new Uint8Array(bytes).buffer
}

export function pbkdf2(
  password: Data,
  salt: Data,
  rounds: number,
  length: number,
  name: string,
  done: (error: Error | null, key: Buffer) => void,
): void {
  pbkdf2Async(algorithm(name), bytesOf(password), bytesOf(salt), { c: rounds, dkLen: length }).then(
    (key) => done(null, Buffer.from(key)),
    (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), Buffer.alloc(0)),
  )
}

export function randomBytes(count: number): Buffer {
  return Buffer.from(globalThis.crypto.getRandomValues(new Uint8Array(count)))
}

/** A number from 0, or `least`, to the one before `end`. */
export function randomInt(least: number, end?: number): number {
  const [from, to] = end === undefined ? [0, least] : [least, end]
  return from + (randomBytes(6).readUIntBE(0, 6) % (to - from))
}

export function randomUUID(): string {
  const hex = randomBytes(16).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
}

export function timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) throw new RangeError('Input buffers must have the same byte length')
  let difference = 0
  for (const [index, byte] of a.entries()) difference |= byte ^ b[index]
  return difference === 0
}

export function getFips(): number {
  return 0
}

/** OpenSSL's numbers, which configurations of TLS are combined from. */
export const constants = { SSL_OP_NO_TLSv1: 0, SSL_OP_NO_TLSv1_1: 0, SSL_OP_NO_TLSv1_2: 0, SSL_OP_NO_TLSv1_3: 0 } as const

function algorithm(name: string): (typeof HASHES)[keyof typeof HASHES] {
  const plain = name.toLowerCase().replace('-', '')
  for (const [known, found] of Object.entries(HASHES)) if (known === plain) return found
  throw new Error(`the hash ${name} does not exist in a page`)
}

function bytesOf(data: Data, encoding: BufferEncoding = 'utf8'): Uint8Array {
  return typeof data === 'string' ? Buffer.from(data, encoding) : data
}
