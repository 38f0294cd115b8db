import { type FileHandle, open } from 'node:fs/promises'
import {
  DECLINED,
  HTTP_FORBIDDEN,
  HTTP_NOT_FOUND,
  M_GET,
  type MaybePromise,
  type ModuleLog,
  type Outcome,
  type Request,
} from '@gatewright/api'
import { type HeadFault, headFaultText, invalidStatusText, ScriptHeadReader, takeHead, takeStart } from '@gatewright/cgi'

/** The names of the handler; the first is that of the media type. */
const HANDLERS: ReadonlySet<string> = new Set(['httpd/send-as-is', 'send-as-is'])

/** In bytes. */
const BLOCK = 65_536

const LINE_END = Buffer.from('\n')

/** A body up to this length is sent from memory, so that ranges of it can be asked for; in bytes. */
const SMALL_BODY = 1_048_576

/** Sends files that contain their own header fields. */
export class AsIsHandler {
  readonly #log: ModuleLog

  constructor(log: ModuleLog) {
    this.#log = log
  }

  handle(request: Request): MaybePromise<Outcome> {
    if (request.handler === null || !HANDLERS.has(request.handler)) return DECLINED
    if (request.methodNumber !== M_GET) return DECLINED
    if (request.fileInfo === null) {
      this.#log.write(request, 'info', 'AH01233', `File does not exist: ${request.filename}`)
      return HTTP_NOT_FOUND
    }
    if (request.fileInfo.kind !== 'file') return DECLINED
    return this.#send(request)
  }

  async #send(request: Request): Promise<Outcome> {
    let file: FileHandle
    try {
      file = await open(Buffer.from(request.filename, 'latin1'))
    } catch (error) {
      const cause = error instanceof Error ? error : undefined
      this.#log.write(request, 'error', 'AH01234', `file permissions deny server access: ${request.filename}`, cause)
      return HTTP_FORBIDDEN
    }
    let isHandedOver = false
    try {
      const reader = new ScriptHeadReader()
      const isComplete = await this.#takeHead(request, file, reader)
      const target = localTarget(request)
      if (target !== null) return await redirect(request, target)
      if (!isComplete || request.headerOnly) return request.respond('')
      const { rest } = reader
      const { size } = await file.stat()
      if (size <= SMALL_BODY) return request.respond(await wholeBody(file, rest))
      isHandedOver = true
      return request.respond(stream(file, rest))
    } finally {
      if (!isHandedOver) await file.close()
    }
  }

  /** @returns false, with a log line as httpd writes it, if the head has no end; what precedes it counts in part */
  async #takeHead(request: Request, file: FileHandle, reader: ScriptHeadReader): Promise<boolean> {
    const name = request.filename.slice(request.filename.lastIndexOf('/') + 1)
    const status = await readHead(file, reader)
    for (const line of reader.invalidStatuses) this.#log.write(request, 'error', '', invalidStatusText(line, name))
    if (status === 'complete' && reader.head !== null) {
      takeHead(request, reader.head, this.#log)
      return true
    }
    // httpd reads a file to its end before it reports a line at fault, and then shows none.
    const fault: HeadFault = status === 'refused' ? { kind: 'no-field', line: '' } : reader.end()
    this.#log.write(request, 'error', '', headFaultText(fault, name))
    takeStart(request, reader.start, this.#log)
    return false
  }
}

/** @returns 'more' if the file ends within the head */
async function readHead(file: FileHandle, reader: ScriptHeadReader): Promise<'more' | 'complete' | 'refused'> {
  const block = Buffer.allocUnsafe(BLOCK)
  let endsLine = true
  for (;;) {
    const { bytesRead } = await file.read(block, 0, BLOCK)
    // The last line of a file counts without its end.
    if (bytesRead === 0) return endsLine ? 'more' : reader.read(LINE_END)
    endsLine = block[bytesRead - 1] === LINE_END[0]
    // The reader keeps the rest of the last block.
    const status = reader.read(Buffer.from(block.subarray(0, bytesRead)))
    if (status !== 'more') return status
  }
}

/** The path of a Location that is served in place of the file; null if there is none. */
function localTarget({ headersOut, status }: Request): string | null {
  const location = headersOut.get('Location')
  const isRedirect = status >= 300 && status < 400
  return location?.startsWith('/') === true && (status === 200 || isRedirect) ? location : null
}

async function redirect(request: Request, target: string): Promise<Outcome> {
  await request.discardBody()
  request.status = 200
  request.method = 'GET'
  request.methodNumber = M_GET
  return request.internalRedirect(target, request.contentType)
}

async function wholeBody(file: FileHandle, start: Buffer): Promise<Buffer> {
  const blocks = [start]
  for await (const block of blocksOf(file)) blocks.push(block)
  return Buffer.concat(blocks)
}

/** Closes the file at its end, or when nobody reads on. */
async function* stream(file: FileHandle, start: Buffer): AsyncGenerator<Buffer> {
  try {
    yield start
    yield* blocksOf(file)
  } finally {
    await file.close()
  }
}

async function* blocksOf(file: FileHandle): AsyncGenerator<Buffer> {
  for (;;) {
    const block = Buffer.allocUnsafe(BLOCK)
    const { bytesRead } = await file.read(block, 0, BLOCK)
    if (bytesRead === 0) return
    yield block.subarray(0, bytesRead)
  }
}
