import { createHash, randomBytes } from 'node:crypto'
import { basename, join } from 'node:path'

/** Where the responses of a server are stored: the files of a key have the same name, by its digest. */
export class Places {
  readonly root: string
  readonly #levels: number
  readonly #length: number

  /**
   * @param root absolute; one character per byte
   * @param levels folders inside each other, of CacheDirLevels
   * @param length characters of their names, of CacheDirLength
   */
  constructor(root: string, levels: number, length: number) {
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

/** How the name of a head ends. */
export const HEAD_END = '.header'

/** How the name of a body ends. */
const BODY_END = '.data'

/** A name for the body beside the head of a path; every body has its own, so that a file never changes. */
export function newBodyName(path: string): string {
  return `${basename(path)}.${randomBytes(6).toString('hex')}${BODY_END}`
}

/** The file of the head for a path of {@link Places}. */
export function headFile(path: string): string {
  return `${path}${HEAD_END}`
}

/** A path in the form of the system, which is bytes. */
export function bytesOf(path: string): Buffer {
  return Buffer.from(path, 'latin1')
}

/** Milliseconds for which the body of a response stays after its head has gone: who found the response has opened it by then. */
export const BODY_DELAY = 10_000
