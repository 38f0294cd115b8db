import { randomBytes } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PART = 64 * 1024

/** A body that is longer than FcgidMaxRequestLen. */
export class BodyTooLong extends Error {
  readonly length: number

  constructor(length: number) {
    super('the request body is too long')
    this.length = length
  }
}

/** The temporary file cannot be written. */
export class SpoolError extends Error {}

/**
 * A whole request body: as in mod_fcgid, it has arrived before a process is occupied by it. What is longer than the part in
 * memory is in a file without a name.
 */
export class SpooledBody {
  readonly length: number
  readonly #memory: Buffer
  readonly #file: FileHandle | null

  private constructor(length: number, memory: Buffer, file: FileHandle | null) {
    this.length = length
    this.#memory = memory
    this.#file = file
  }

  /**
   * @param most bytes
   * @param inMemory bytes
   * @throws BodyTooLong, SpoolError, and the errors of the body
   */
  static async read(body: AsyncIterable<Uint8Array>, most: number, inMemory: number): Promise<SpooledBody> {
    const kept: Buffer[] = []
    let length = 0
    let file: FileHandle | null = null
    try {
      for await (const chunk of body) {
        length += chunk.length
        if (length > most) throw new BodyTooLong(length)
        if (file === null && length <= inMemory) {
          // A filter may use the bytes of a chunk again.
          kept.push(Buffer.from(chunk))
          continue
        }
        file ??= await unnamedFile()
        await writeAll(file, chunk)
      }
      return new SpooledBody(length, Buffer.concat(kept), file)
    } catch (error) {
      await file?.close()
      throw error
    }
  }

  async *parts(): AsyncGenerator<Uint8Array> {
    if (this.#memory.length > 0) yield this.#memory
    if (this.#file === null) return
    for (let at = 0; ; ) {
      const { bytesRead, buffer } = await this.#file.read(Buffer.allocUnsafe(PART), 0, PART, at)
      if (bytesRead === 0) return
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  }

  async close(): Promise<void> {
    await this.#file?.close()
  }
}

async function unnamedFile(): Promise<FileHandle> {
  const path = join(tmpdir(), `fcgid.tmp.${randomBytes(12).toString('hex')}`)
  try {
    const file = await open(path, 'wx+', 0o600)
    await unlink(path)
    return file
  } catch (error) {
    throw new SpoolError(`can't open ${path}`, { cause: error })
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  try {
    for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten
  } catch (error) {
    throw new SpoolError("can't write", { cause: error })
  }
}
