import { read } from 'node:fs'
import type { Body, FileBody, FilteredBody } from '@gatewright/api'
import { wireBytes } from '@gatewright/http'
import { type FileCache, SMALL_FILE, SmallFile } from '../services/file-cache.ts'
import { OpenFile } from '../services/open-file.ts'

const EMPTY = Buffer.alloc(0)

/** Bytes read from a file at a time: a filter processes one block while others wait. */
const BLOCK = 64 * 1024

/** A response body as filters see it; a stream or a large file is not read before a filter asks for it. */
export function filterable(body: Body | null, files: FileCache): FilteredBody {
  if (body === null || body === '') return EMPTY
  if (typeof body === 'string') return wireBytes(body)
  if (body instanceof Uint8Array) return body
  if (body instanceof SmallFile) return body.content
  if (Symbol.asyncIterator in body) return bytesOf(body)
  if (body.info.size <= SMALL_FILE) return files.small(body.path, body.info).content
  return fileBlocks(body)
}

async function* bytesOf(body: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) yield typeof chunk === 'string' ? wireBytes(chunk) : chunk
}

/** @throws if the file has changed, because its length or version may already have been sent */
async function* fileBlocks({ path, info }: FileBody): AsyncGenerator<Uint8Array> {
  const file = new OpenFile(path, info)
  try {
    for (let offset = 0; offset < info.size; ) {
      const block = await readBlock(file.fd, offset, Math.min(BLOCK, info.size - offset))
      offset += block.length
      const fault = block.length === 0 || offset === info.size ? file.fault() : null
      if (fault !== null) throw fault
      if (block.length === 0) throw new Error(`${path} ended too early`)
      yield block
    }
  } finally {
    file.close()
  }
}

function readBlock(fd: number, offset: number, length: number): Promise<Buffer> {
  const block = Buffer.allocUnsafeSlow(length)
  return new Promise((resolve, reject) => {
    read(fd, block, 0, length, offset, (error, count) => (error === null ? resolve(block.subarray(0, count)) : reject(error)))
  })
}
