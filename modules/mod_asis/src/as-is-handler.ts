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
import { type CgiHead, CgiHeadReader, takeHead } from '@gatewright/fastcgi'

/** The names of the handler; the first is that of the media type. */
const HANDLERS: ReadonlySet<string> = new Set(['httpd/send-as-is', 'send-as-is'])

/** In bytes. */
const BLOCK = 65_536

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
      const reader = new CgiHeadReader()
      const head = await this.#readHead(request, file, reader)
      if (head === null) return request.respond('')
      takeHead(request, head)
      const target = localTarget(request)
      if (target !== null) return await redirect(request, target)
      if (request.headerOnly) return request.respond('')
      const { input } = reader
      const rest = Buffer.from(input.bytes.subarray(input.start, input.end))
      const { size } = await file.stat()
      if (size <= SMALL_BODY) return request.respond(await wholeBody(file, rest))
      isHandedOver = true
      return request.respond(stream(file, rest))
    } finally {
      if (!isHandedOver) await file.close()
    }
  }

  /** null, with a log line as httpd writes it, for a file without a head. */
  async #readHead(request: Request, file: FileHandle, reader: CgiHeadReader): Promise<CgiHead | null> {
    const name = request.filename.slice(request.filename.lastIndexOf('/') + 1)
    const block = Buffer.allocUnsafe(BLOCK)
    let isEmpty = true
    for (;;) {
      const { bytesRead } = await file.read(block, 0, BLOCK)
      if (bytesRead === 0) break
      if (isEmpty && beginsWithEmptyLine(block, bytesRead)) return headless(reader, block, bytesRead)
      isEmpty = false
      const status = reader.read(block, 0, bytesRead)
      if (status === 'complete' && reader.head !== null) return reader.head
      if (status === 'refused') {
        const detail = reader.fault === 'field-line' ? '' : reader.detail.slice(0, 30)
        this.#log.write(request, 'error', '', `malformed header from script '${name}': Bad header: ${detail}`)
        return null
      }
    }
    const what = isEmpty ? 'End of script output before headers' : 'Premature end of script headers'
    this.#log.write(request, 'error', '', `${what}: ${name}`)
    this.#takeStart(request, reader)
    return null
  }

  /** The fields of a head without an empty line count, although there is no body. */
  #takeStart(request: Request, { input }: CgiHeadReader): void {
    const start = new CgiHeadReader()
    const text = Buffer.concat([input.bytes.subarray(input.start, input.end), Buffer.from('\n\n')])
    if (start.read(text, 0, text.length) === 'complete' && start.head !== null) takeHead(request, start.head)
  }
}

/** Such a file has a body alone. */
function beginsWithEmptyLine(block: Buffer, length: number): boolean {
  return block.subarray(0, Math.min(length, 2)).toString('latin1').replace('\r', '').startsWith('\n')
}

function headless(reader: CgiHeadReader, block: Buffer, length: number): CgiHead {
  const start = block.indexOf('\n') + 1
  reader.input.push(block.subarray(start, length), length - start)
  reader.input.keep()
  return reader.end()
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
  return request.internalRedirect(target)
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
