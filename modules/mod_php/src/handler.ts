import {
  DECLINED,
  type HostServices,
  HTTP_FORBIDDEN,
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_NOT_FOUND,
  HTTP_REQUEST_ENTITY_TOO_LARGE,
  HTTP_SERVICE_UNAVAILABLE,
  type MaybePromise,
  type ModuleLog,
  OK,
  type Outcome,
  type Request,
  type Table,
} from '@gatewright/api'
import { UpstreamError } from '@gatewright/upstream'
import { type AccessLevels, allowed, readAccessLevels } from './access-levels.ts'
import type { FpmPool } from './fpm-pool.ts'
import { type FpmPools, MOST_POOLS } from './fpm-pools.ts'
import { ScriptResponse } from './script-response.ts'
import { isEngineOff, NO_SETTINGS, type PhpSettings } from './settings.ts'

const SCRIPT = 'application/x-httpd-php'
/** The longest body without an announced length: PHP-FPM must know how long a body is. */
const UNANNOUNCED_MAX = 8 * 1024 * 1024

/** What the handler needs of the module. */
export interface HandlerParts {
  readonly services: HostServices
  readonly log: ModuleLog
  settingsOf(request: Request): PhpSettings
  /** Null in tools, which run no scripts. */
  pools(): FpmPools | null
}

/** Runs PHP scripts. */
export class PhpHandler {
  readonly #parts: HandlerParts
  #levels: Promise<AccessLevels> | null = null

  constructor(parts: HandlerParts) {
    this.#parts = parts
  }

  handle(request: Request): MaybePromise<Outcome> {
    const name = request.handler ?? request.contentType
    if (name !== SCRIPT) return DECLINED
    const settings = this.#parts.settingsOf(request)
    if (isEngineOff(settings)) return DECLINED
    const { log } = this.#parts
    if (request.fileInfo === null) {
      log.write(request, 'error', '', `script '${request.filename}' not found or unable to stat`)
      return HTTP_NOT_FOUND
    }
    if (request.fileInfo.kind === 'directory') {
      log.write(request, 'error', '', `attempt to invoke directory '${request.filename}' as script`)
      return HTTP_FORBIDDEN
    }
    const pools = this.#parts.pools()
    return pools === null ? leaveOut(request) : this.#run(request, settings, pools)
  }

  async #run(request: Request, settings: PhpSettings, pools: FpmPools): Promise<Outcome> {
    const { log } = this.#parts
    try {
      const pool = pools.poolFor(await this.#allowed(settings, pools))
      if (pool !== null) return await this.#runIn(pool, request)
      log.write(request, 'error', '', `${MOST_POOLS} sets of PHP settings are in use: the script cannot run now`)
      return HTTP_SERVICE_UNAVAILABLE
    } catch (error) {
      if (!(error instanceof StartError)) throw error
      log.write(request, 'error', '', error.message)
      return HTTP_INTERNAL_SERVER_ERROR
    }
  }

  /** The settings that take effect. */
  async #allowed(settings: PhpSettings, pools: FpmPools): Promise<PhpSettings> {
    if (settings.size === 0) return settings
    const pool = pools.poolFor(NO_SETTINGS)
    if (pool === null) throw new StartError('all sets of PHP settings are in use')
    this.#levels ??= readAccessLevels(pool)
    try {
      return allowed(settings, await this.#levels)
    } catch (error) {
      this.#levels = null
      throw new StartError(`the settings of PHP are not known: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  async #runIn(pool: FpmPool, request: Request): Promise<Outcome> {
    pool.busy++
    request.onDone(() => {
      pool.busy--
    })
    const params = this.#parametersOf(request)
    const announced = request.headersIn.has('Content-Length') && !request.headersIn.has('Transfer-Encoding')
    let body: Buffer | null = null
    if (request.headersIn.has('Transfer-Encoding')) {
      body = await wholeBody(request)
      if (body === null) {
        this.#parts.log.write(request, 'error', '', `a body in chunks is longer than ${UNANNOUNCED_MAX} bytes`)
        return HTTP_REQUEST_ENTITY_TOO_LARGE
      }
      params.set('CONTENT_LENGTH', String(body.length))
      params.unset('HTTP_TRANSFER_ENCODING')
    }
    const connection = await connected(pool)
    if (connection instanceof UpstreamError) throw new StartError(`PHP-FPM does not accept a connection: ${connection.message}`)
    const rest = announced ? request.readBody() : null
    // PHP limits the time of scripts by max_execution_time, as in httpd.
    request.limitsItsTime = true
    return new ScriptResponse(request, this.#parts.log).run({ connection, params, body, rest })
  }

  #parametersOf(request: Request): Table {
    const params = this.#parts.services.cgiVariables(request)
    // PHP makes PHP_AUTH_USER and others of it.
    const credentials = request.headersIn.get('Authorization')
    if (credentials !== undefined) params.set('HTTP_AUTHORIZATION', credentials)
    return params
  }
}

/** PHP does not run. */
class StartError extends Error {}

async function connected(pool: FpmPool): ReturnType<FpmPool['connect']> {
  try {
    return await pool.connect()
  } catch (error) {
    throw new StartError(error instanceof Error ? error.message : String(error))
  }
}

/** @returns null if it is too long */
async function wholeBody(request: Request): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request.readBody()) {
    length += chunk.length
    if (length > UNANNOUNCED_MAX) return null
    // A filter may use the bytes of a chunk again.
    chunks.push(Buffer.from(chunk))
  }
  return Buffer.concat(chunks)
}

/** The response of tools in the place of that of the script: the request was granted. */
function leaveOut(request: Request): Outcome {
  request.contentType = 'text/html'
  request.respond('')
  return OK
}
