import { type FileHandle, open } from 'node:fs/promises'
import { fsPath } from '../request/file-info.ts'
import type { LongWork } from './long-work.ts'
import { READ_WITHOUT_WAITING } from './read-whole.ts'

/** Bytes of a block: what is done with one must not take longer than a slice. */
export const BLOCK: number = 128 * 1024

/** Large files, read block by block. However many are read at a time, there is one block in memory. */
export class FileBlocks {
  readonly #work: LongWork
  readonly #block = Buffer.allocUnsafeSlow(BLOCK)

  constructor(work: LongWork) {
    this.#work = work
  }

  /**
   * Reads a file to its end, or as far as `take` wants it.
   * @param take is given each block, in a slice of its own, and must not keep it; false ends the reading
   * @throws the system's error
   */
  async read(path: string, take: (block: Buffer) => boolean): Promise<void> {
    const file = await open(fsPath(path), READ_WITHOUT_WAITING)
    try {
      let offset = 0
      while (await this.#work.slice(() => this.#takeBlock(file, offset, take))) offset += BLOCK
    } finally {
      await file.close()
    }
  }

  /** @returns whether there is more, and wanted */
  async #takeBlock(file: FileHandle, offset: number, take: (block: Buffer) => boolean): Promise<boolean> {
    let filled = 0
    while (filled < BLOCK) {
      const { bytesRead } = await file.read(this.#block, filled, BLOCK - filled, offset + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return filled > 0 && take(this.#block.subarray(0, filled)) && filled === BLOCK
  }
}
