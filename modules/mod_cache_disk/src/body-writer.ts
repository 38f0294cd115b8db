import { type FileHandle, open, rm } from 'node:fs/promises'
import { bytesOf } from '@gatewright/disk-cache'

/** How long a body may be. */
export interface BodyLimits {
  readonly minSize: number
  readonly maxSize: number
  /** There is none: the response answers HEAD. */
  readonly isEmpty: boolean
}

/** Writes a body to a file aside. The file is made with the first bytes. */
export class BodyWriter {
  readonly #path: string
  readonly #limits: BodyLimits
  readonly #committed: (file: string | null, size: number) => void
  #file: FileHandle | null = null
  #size = 0

  /** @param committed moves the complete file; null if there is no body */
  constructor(path: string, limits: BodyLimits, committed: (file: string | null, size: number) => void) {
    this.#path = path
    this.#limits = limits
    this.#committed = committed
  }

  /**
   * @returns false if the body is too long: it is forgotten
   * @throws the error of the system
   */
  async write(bytes: Uint8Array): Promise<boolean> {
    this.#size += bytes.length
    if (this.#size > this.#limits.maxSize) {
      await this.abort()
      return false
    }
    this.#file ??= await open(bytesOf(this.#path), 'wx', 0o600)
    await this.#file.writeFile(bytes)
    return true
  }

  /** @throws the error of the system */
  async commit(): Promise<void> {
    const { minSize, isEmpty } = this.#limits
    if (isEmpty) return this.#committed(null, 0)
    if (this.#size < minSize) return this.abort()
    this.#file ??= await open(bytesOf(this.#path), 'wx', 0o600)
    const file = this.#file
    this.#file = null
    await file.close()
    this.#committed(this.#path, this.#size)
  }

  async abort(): Promise<void> {
    const file = this.#file
    this.#file = null
    await file?.close().catch(() => undefined)
    await rm(bytesOf(this.#path), { force: true }).catch(() => undefined)
  }
}
