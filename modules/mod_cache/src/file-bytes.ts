import { open } from 'node:fs/promises'
import type { FilteredBody } from '@gatewright/api'
import type { StoredBody } from './stored-body.ts'

/** A body up to this length is read at once, so that ranges of it can be sent. */
const WHOLE = 1024 * 1024
const BLOCK = 64 * 1024

/** The bytes of a stored body, for filters. */
export async function bytesOfBody(body: StoredBody): Promise<FilteredBody> {
  if (body instanceof Uint8Array || Symbol.asyncIterator in body) return body
  const { path, info } = body
  const blocks = blocksOf(path, info.size)
  if (info.size > WHOLE) return blocks
  const read: Uint8Array[] = []
  for await (const block of blocks) read.push(block)
  return Buffer.concat(read)
}

/** @throws Error if the file is shorter */
async function* blocksOf(path: string, size: number): AsyncGenerator<Uint8Array> {
  const file = await open(Buffer.from(path, 'latin1'), 'r')
  try {
    for (let offset = 0; offset < size; ) {
      const block = Buffer.allocUnsafe(Math.min(BLOCK, size - offset))
      const { bytesRead } = await file.read(block, 0, block.length, offset)
      if (bytesRead === 0) throw new Error(`${path} ended too early`)
      offset += bytesRead
      yield block.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}
