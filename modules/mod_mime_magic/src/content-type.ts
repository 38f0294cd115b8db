import { constants, gunzip } from 'node:zlib'
import type { MagicEntry } from './magic-entry.ts'
import { matchMagic } from './match-magic.ts'
import { matchText } from './match-text.ts'

/** Of a file, as far as its content says; '' for what it does not say. */
export interface FoundType {
  readonly type: string
  readonly encoding: string
}

/** The file begins like a compressed one, but cannot be decompressed. */
export class DamagedArchive extends Error {
  override readonly name = 'DamagedArchive'
}

/** In bytes; more of a file is not looked at. */
export const LOOKED_AT = 4096

const NOTHING: FoundType = { type: '', encoding: '' }

/** @param bytes the beginning of a file, at most {@link LOOKED_AT} bytes @throws DamagedArchive */
export async function typeOf(entries: readonly MagicEntry[], bytes: Buffer): Promise<FoundType> {
  if (bytes.length === 0) return { type: 'text/plain', encoding: '' }
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    const { type, encoding } = typeOfBytes(entries, await decompress(bytes))
    return { type, encoding: encoding === '' ? 'x-gzip' : encoding }
  }
  return typeOfBytes(entries, bytes)
}

function typeOfBytes(entries: readonly MagicEntry[], bytes: Buffer): FoundType {
  // httpd looks at the NUL at the end of its buffer, too.
  const text = Buffer.concat([bytes, Buffer.alloc(1)])
  const found = matchMagic(entries, text) ?? matchText(text)
  return found === null ? NOTHING : splitResult(found)
}

/** `TYPE/SUBTYPE ENCODING`: the encoding is optional, and a result without a slash is none. */
function splitResult(result: string): FoundType {
  const [, type = '', encoding = ''] = /^\s*([^/\s]+\/\S*)(?:\s+(\S+))?/.exec(result) ?? []
  return { type, encoding }
}

function decompress(bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The beginning of an archive decompresses to the beginning of its content.
    gunzip(bytes, { finishFlush: constants.Z_SYNC_FLUSH }, (error, content) => {
      if (error !== null || content.length === 0) reject(new DamagedArchive('the archive cannot be decompressed'))
      else resolve(content.subarray(0, LOOKED_AT))
    })
  })
}
