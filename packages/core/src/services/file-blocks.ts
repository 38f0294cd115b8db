import { type FileHandle, open } from 'node:fs/promises'
import { fsPath } from '../base/file-info.ts'
import { NotRegularFile } from './file-errors.ts'
import type { LongWork } from './long-work.ts'
import { READ_WITHOUT_WAITING } from './read-whole.ts'

/** Bytes of a block: processing a block must not take longer than a slice. */
export const BLOCK: number = 512 * 1024

/** A file that is read from its beginning. */
export interface OpenBlocks {
  /** The next part, one character for each byte; null at the end. */
  next(): Promise<string | null>
  close(): Promise<void>
}

/**
 * Reads large files block by block. However many files are read concurrently, only one block is in memory.
 */
export class FileBlocks {
  readonly #work: LongWork
  readonly #block = Buffer.allocUnsafeSlow(BLOCK)

  constructor(work: LongWork) {
    this.#work = work
  }

  /**
   * Reads a file to its end.
   * @param take receives each block, in a slice of its own, and must not keep it
   * @throws the system's error
   */
  async read(path: string, take: (block: Buffer) => void): Promise<void> {
    const file = await openFile(path)
    try {
      let offset = 0
      let count: number
      do {
        count = await this.#work.slice(() => this.#fill(file, offset, take))
        offset += count
      } while (count === BLOCK)
    } finally {
      await file.close()
    }
  }

  /**
   * For callers that process a file in parts.
   * @throws the system's error, or that the path is not a regular file
   */
  async open(path: string): Promise<OpenBlocks> {
    const file = await openFile(path)
    let offset = 0
    return {
      next: async () => {
        let text = ''
        offset += await this.#work.slice(() => this.#fill(file, offset, (block) => void (text = block.toString('latin1'))))
        return text === '' ? null : text
      },
      close: () => file.close(),
    }
  }

  /** @returns the number of bytes, fewer than a block only at the end of the file */
  async #fill(file: FileHandle, offset: number, take: (block: Buffer) => void): Promise<number> {
    let filled = 0
    while (filled < BLOCK) {
      const { bytesRead } = await file.read(this.#block, filled, BLOCK - filled, offset + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    if (filled > 0) take(this.#block.subarray(0, filled))
    return filled
  }
}

async function openFile(path: string): Promise<FileHandle> {
  const file = await open(fsPath(path), READ_WITHOUT_WAITING)
  const isFile = await file.stat().then(
    (stats) => stats.isFile(),
    () => false,
  )
  if (isFile) return file
  await file.close()
  throw new NotRegularFile(path)
}
