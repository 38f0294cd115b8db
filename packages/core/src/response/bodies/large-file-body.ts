import { read } from 'node:fs'
import type { FileBody, FilteredBody } from '@gatewright/api'
import type { Exchange, FilePart, ResponseHead } from '@gatewright/http'
import type { RequestRecord } from '../../model/request-record.ts'
import { OpenFile } from '../../services/open-file.ts'
import type { BodyCut, ResponseBody, SendFailed } from './response-body.ts'

/** Bytes read from a file at a time: a filter processes one block while others wait. */
const BLOCK = 64 * 1024

/** A file that is read in blocks while it is sent. */
export class LargeFileBody implements ResponseBody {
  readonly #file: FileBody
  #open: OpenFile | null = null

  constructor(file: FileBody) {
    this.#file = file
  }

  get length(): number {
    return this.#file.info.size
  }

  get isDivisible(): boolean {
    return true
  }

  open(): void {
    this.#open ??= new OpenFile(this.#file.path, this.#file.info)
  }

  send(request: RequestRecord, exchange: Exchange, head: ResponseHead, failed: SendFailed, cut: BodyCut | null): void {
    const open = this.#open
    if (open === null) throw new Error(`${this.#file.path} was not opened`)
    const parts = cut === null ? [partOf(open, 0, this.length)] : partsOf(open, cut)
    exchange.sendFile(head, parts, (complete, failure, bytes) => {
      request.bodyBytesSent = bytes
      if (failure !== null) failed(request, failure)
      if (complete) request.responseSent()
      else request.responseBroken()
    })
  }

  read(cut: BodyCut | null): AsyncIterable<string | Uint8Array> {
    const open = this.#open
    if (open === null) throw new Error(`${this.#file.path} was not opened`)
    // The blocks close it.
    this.#open = null
    return cutBlocks(open, cut ?? { pieces: [{ prefix: '', start: 0, length: this.length }], suffix: '' })
  }

  discard(): void {
    this.#open?.close()
    this.#open = null
  }

  filtered(): FilteredBody {
    return blocksOf(this.#file)
  }
}

/** Bytes of a file, which is closed after them. */
function partOf(file: OpenFile, start: number, length: number): FilePart {
  return { fd: file.fd, start, length, closeFd: true, fault: () => file.fault() }
}

function partsOf(file: OpenFile, { pieces, suffix }: BodyCut): FilePart[] {
  const last = pieces.length - 1
  return pieces.map(({ prefix, start, length }, index) => ({
    ...partOf(file, start, length),
    closeFd: index === last,
    prefix: prefix === '' ? undefined : prefix,
    suffix: index === last && suffix !== '' ? suffix : undefined,
  }))
}

async function* blocksOf({ path, info }: FileBody): AsyncGenerator<Uint8Array> {
  const file = new OpenFile(path, info)
  try {
    yield* blocksBetween(file, 0, info.size)
  } finally {
    file.close()
  }
}

/** Parts of a file, which is closed after them, and the texts between the parts. */
async function* cutBlocks(file: OpenFile, { pieces, suffix }: BodyCut): AsyncGenerator<string | Uint8Array> {
  try {
    for (const { prefix, start, length } of pieces) {
      if (prefix !== '') yield prefix
      yield* blocksBetween(file, start, start + length)
    }
    if (suffix !== '') yield suffix
  } finally {
    file.close()
  }
}

/** @throws if the file has changed, because its length or version may already have been sent */
async function* blocksBetween(file: OpenFile, start: number, end: number): AsyncGenerator<Uint8Array> {
  for (let offset = start; offset < end; ) {
    const block = await readBlock(file.fd, offset, Math.min(BLOCK, end - offset))
    offset += block.length
    const fault = block.length === 0 || offset === end ? file.fault() : null
    if (fault !== null) throw fault
    if (block.length === 0) throw new Error(`${file.path} ended too early`)
    yield block
  }
}

function readBlock(fd: number, offset: number, length: number): Promise<Buffer> {
  const block = Buffer.allocUnsafeSlow(length)
  return new Promise((resolve, reject) => {
    read(fd, block, 0, length, offset, (error, count) => (error === null ? resolve(block.subarray(0, count)) : reject(error)))
  })
}
