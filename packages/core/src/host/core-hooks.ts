import {
  DECLINED,
  HTTP_BAD_REQUEST,
  HTTP_FORBIDDEN,
  HTTP_INTERNAL_SERVER_ERROR,
  isExpressionError,
  type MaybePromise,
  OK,
  type Outcome,
  type Request,
} from '@gatewright/api'
import { answerWithoutFile } from '../lifecycle/default-handler.ts'
import type { PhaseWork } from '../lifecycle/phase.ts'
import { RequestRecord } from '../model/request-record.ts'
import type { ServerRecord } from '../model/server-record.ts'
import { isBelowServerPath } from '../model/virtual-hosts.ts'
import type { HookRegistry } from '../modules/hook-registry.ts'
import type { LoadedModule } from '../modules/registry.ts'
import type { CoreLog } from '../services/error-log.ts'

/** Longest file name the system takes, in bytes. */
const MAX_PATH = 4096

/** Core's functions in the phases; they run first or last, around those of the modules. */
export function registerCoreHooks(
  hooks: HookRegistry,
  core: LoadedModule,
  { log, httpLog }: { readonly log: CoreLog; readonly httpLog: CoreLog },
  map: PhaseWork,
): void {
  const { lists } = hooks
  lists.translateName.bind(core).add((request) => translateToDocumentRoot(own(request), log), { rank: 'really-last' })
  lists.mapToStorage.bind(core).add((request) => endWithoutFile(own(request), httpLog), { rank: 'really-first' })
  lists.mapToStorage.bind(core).add((request) => map(own(request)), { rank: 'really-last' })
  lists.typeChecker.bind(core).add(() => OK, { rank: 'really-last' })
  lists.fixups.bind(core).add((request) => overrideType(own(request), log), { rank: 'really-first' })
}

function own(request: Request): RequestRecord {
  if (!(request instanceof RequestRecord)) throw new TypeError('not a request of this server')
  return request
}

/** What no module mapped lies below DocumentRoot. */
function translateToDocumentRoot(request: RequestRecord, log: CoreLog): Outcome {
  const { uri } = request
  if (uri === '*') {
    // Only OPTIONS may ask about the server as a whole.
    if (request.method !== 'OPTIONS') return invalid(request, log)
    request.filename = request.server.documentRoot
    return OK
  }
  if (!uri.startsWith('/')) return invalid(request, log)
  const root = request.server.documentRoot
  const path = withoutServerPath(request.server, uri)
  const filename = root === '/' ? path || '/' : `${root}${path.includes('//') ? path.replace(/\/{2,}/g, '/') : path}`
  if (filename.length >= MAX_PATH) {
    log.write(request, 'error', 'AH00127', `Cannot map ${request.requestLine} to file`, { code: 36, text: 'File name too long' })
    return HTTP_FORBIDDEN
  }
  request.filename = filename
  return OK
}

/** The prefix that selects a server is no folder of it. */
function withoutServerPath(server: ServerRecord, uri: string): string {
  if (!isBelowServerPath(server, uri)) return uri
  const rest = uri.slice(server.core.serverPath?.length)
  return rest === '' || rest.startsWith('/') ? rest : `/${rest}`
}

function invalid(request: RequestRecord, log: CoreLog): Outcome {
  log.write(request, 'error', 'AH00126', `Invalid URI in request '${request.uri}' '${request.requestLine}'`)
  return HTTP_BAD_REQUEST
}

function endWithoutFile(request: RequestRecord, httpLog: CoreLog): MaybePromise<Outcome> {
  return answerWithoutFile(request, httpLog) ?? DECLINED
}

/** ForceType and SetHandler override what the file's name says. */
function overrideType(request: RequestRecord, log: CoreLog): Outcome {
  const { core } = request.config
  if (core.forceType !== undefined && core.forceType !== null) request.contentType = core.forceType
  if (core.setHandler !== undefined && core.setHandler !== null) {
    try {
      const name = core.setHandler.text.of(request)
      if (name !== '' && name !== 'none') request.handler = name
    } catch (error) {
      if (!isExpressionError(error)) throw error
      log.write(request, 'error', 'AH03154', `Can't evaluate handler expression: ${error.message}`)
      return HTTP_INTERNAL_SERVER_ERROR
    }
  }
  return OK
}
