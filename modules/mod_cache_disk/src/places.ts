import { createHash, randomBytes } from 'node:crypto'
import { basename, join } from 'node:path'
import { type DiskServerConfig, STANDARD_LENGTH, STANDARD_LEVELS } from './config.ts'

/** Where the responses of a server are stored: the files of a key have the same name, by its digest. */
export class Places {
  readonly root: string
  readonly #levels: number
  readonly #length: number

  constructor(root: string, { levels = STANDARD_LEVELS, length = STANDARD_LENGTH }: Readonly<DiskServerConfig>) {
    this.root = root
    this.#levels = levels
    this.#length = length
  }

  /** The path of a key without extension. */
  of(key: string): string {
    let rest = createHash('sha256').update(key, 'latin1').digest('base64url').replaceAll('-', '@')
    const folders: string[] = []
    for (let level = 0; level < this.#levels; level++) {
      folders.push(rest.slice(0, this.#length))
      rest = rest.slice(this.#length)
    }
    return join(this.root, ...folders, rest)
  }

  /** A path that no other file has, for a file that is being written. */
  aside(): string {
    return join(this.root, `${ASIDE}${randomBytes(12).toString('hex')}`)
  }
}

/** What the names of files that are being written begin with. */
export const ASIDE = 'aptmp'

/** A name for the body beside the head of a path; every body has its own, so that a file never changes. */
export function newBodyName(path: string): string {
  return `${basename(path)}.${randomBytes(6).toString('hex')}.data`
}

/** A path in the form of the system, which is bytes. */
export function bytesOf(path: string): Buffer {
  return Buffer.from(path, 'latin1')
}
