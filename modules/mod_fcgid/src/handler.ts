import {
  DECLINED,
  HTTP_FORBIDDEN,
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_NOT_FOUND,
  isBodyRefused,
  type MaybePromise,
  OK,
  type Outcome,
  type Request,
} from '@gatewright/api'
import {
  type FcgidCommand,
  type FcgidConfig,
  MAX_REQUEST_IN_MEMORY,
  MAX_REQUEST_LENGTH,
  OUTPUT_BUFFER_SIZE,
  wrapperOf,
} from './config.ts'
import { connectProcess, type ProcessParts } from './processes.ts'
import { BodyTooLong, SpoolError, SpooledBody } from './spooled-body.ts'
import { Transaction } from './transaction.ts'
import { responderVariables, type VariableParts } from './variables.ts'

/** What requests need of the module. */
export interface FcgidParts extends ProcessParts {
  readonly services: VariableParts['services']
  configOf(request: Request): Readonly<FcgidConfig>
  readonly isTool: () => boolean
}

/** Passes a request to a process of its program, if its handler is fcgid-script. */
export function handleProgram(request: Request, parts: FcgidParts): MaybePromise<Outcome> {
  if (request.handler !== 'fcgid-script') return DECLINED
  const isAliased = request.notes.get('alias-forced-type')?.toLowerCase() === 'cgi-script'
  if (!isAliased && !request.hasOption('ExecCGI')) {
    const text = `mod_fcgid: location of script ${request.filename} does not have ExecCGI enabled`
    parts.log.write(request, 'error', '', text)
    return HTTP_FORBIDDEN
  }
  if (request.pathInfo !== '' && parts.services.programSettings(request).pathInfo === 'off') return HTTP_NOT_FOUND
  const { filename, fileInfo } = request
  const wrapper = wrapperOf(parts.configOf(request), filename)
  if (wrapper?.isVirtual !== true) {
    if (fileInfo === null) return HTTP_NOT_FOUND
    if (fileInfo.kind === 'directory') return HTTP_FORBIDDEN
  }
  // Tools run no programs: the request was granted.
  if (parts.isTool()) return request.respond('')
  const own = fileInfo === null ? null : { words: [filename], line: filename, inode: fileInfo.inode, device: fileInfo.device }
  if (wrapper !== undefined) return run(request, wrapper, parts)
  return own === null ? HTTP_NOT_FOUND : run(request, { ...own, isVirtual: false }, parts)
}

async function run(request: Request, command: FcgidCommand, parts: FcgidParts): Promise<Outcome> {
  request.limitsItsTime = true
  const { log } = parts
  const config = parts.serverConfigOf(request.server)
  const body = await readBody(request, parts)
  if (!(body instanceof SpooledBody) && body !== null) return body
  try {
    const { passHeaders, outputBufferSize = OUTPUT_BUFFER_SIZE } = config
    const variables = { services: parts.services, passHeaders }
    const params = await responderVariables(request, variables, body?.length ?? 0)
    const process = await connectProcess(request, command, parts)
    if (process === null || typeof process !== 'object') {
      await body?.close()
      return process ?? OK
    }
    return await new Transaction(request, { log, process, params, body, bufferSize: outputBufferSize }).run()
  } catch (error) {
    await body?.close()
    throw error
  }
}

/** The whole body; null without one; a status if it cannot be read. */
async function readBody(request: Request, { log, serverConfigOf }: FcgidParts): Promise<SpooledBody | Outcome | null> {
  if (request.main !== null && request.keptBody === null) return null
  if (!request.headersIn.has('Content-Length') && !request.headersIn.has('Transfer-Encoding')) return null
  const { maxRequestLength: most = MAX_REQUEST_LENGTH, maxRequestInMemory = MAX_REQUEST_IN_MEMORY } = serverConfigOf(
    request.server,
  )
  const refuse = (text: string, cause?: Error): Outcome => {
    log.write(request, 'warn', '', `mod_fcgid: ${text}`, cause)
    return HTTP_INTERNAL_SERVER_ERROR
  }
  try {
    return await SpooledBody.read(request.readBody(), most, maxRequestInMemory)
  } catch (error) {
    if (error instanceof BodyTooLong)
      return refuse(`HTTP request length ${error.length} (so far) exceeds MaxRequestLen (${most})`)
    if (error instanceof SpoolError)
      return refuse(`can't write tmp file for stdin request`, error.cause instanceof Error ? error.cause : undefined)
    refuse("can't get data from http client")
    if (isBodyRefused(error)) throw error
    return HTTP_INTERNAL_SERVER_ERROR
  }
}
