import { DECLINED, M_OPTIONS, type MaybePromise, OK, type Outcome } from '@gatewright/api'
import { isRunHere, PROGRAM_KINDS, type ProgramKind } from '../model/program-kinds.ts'
import type { RequestRecord } from '../model/request-record.ts'
import { type DefaultHandlerContext, defaultHandler } from './default-handler.ts'
import type { HookRows } from './hook-rows.ts'
import { type Phase, phase } from './phase.ts'
import { type Upgrades, upgradeHandler } from './upgrade.ts'

/** The handler of folders for which no other handler is set. */
const DIRECTORY_HANDLER = 'httpd/unix-directory'
/** The name that handlers see if neither a handler nor a type is known. */
const DEFAULT_HANDLER = 'default-handler'

/** The phases that generate a response. A sub-request passes them only if it is run. */
export function handlerPhases(hooks: HookRows, files: DefaultHandlerContext, upgrades: Upgrades): readonly Phase[] {
  const handlers = hooks.runner('handler')
  const upgrade = upgradeHandler(upgrades)
  const programs = PROGRAM_KINDS.filter((kind) => isRunHere(kind, hooks.owners('handler')))

  /** @param chosen the handler's name after modules may have changed it */
  const answered = (request: RequestRecord, outcome: Outcome, chosen: string | null): Outcome => {
    // httpd sends the response from within the handler. The response to OPTIONS is sent later, unless it
    // reports a rejected body.
    const within = request.lengthUnstated || (outcome === OK && request.methodNumber !== M_OPTIONS)
    if (within && chosen !== DEFAULT_HANDLER) request.answeredBy = chosen
    return outcome
  }

  /**
   * Serves a request that no module handled as a file.
   * @param configured the handler before modules were asked
   */
  const afterModules = (request: RequestRecord, outcome: Outcome, configured: string | null): MaybePromise<Outcome> => {
    const chosen = request.handler
    request.handler = configured
    if (outcome !== DECLINED) return answered(request, outcome, chosen)
    request.tracer?.step(request, { kind: 'handler', handler: chosen ?? DEFAULT_HANDLER, module: 'core.c', isRun: true })
    const served = defaultHandler(request, files)
    return typeof served === 'number'
      ? answered(request, served, chosen)
      : served.then((settled) => answered(request, settled, chosen))
  }

  const handle = (request: RequestRecord): MaybePromise<Outcome> => {
    if (upgrade(request) === OK) return OK
    const configured = request.handler
    request.handler = nameOfHandler(request)
    const { tracer } = request
    if (tracer !== null && isRemote(request, programs)) {
      tracer.step(request, { kind: 'handler', handler: request.handler, module: '', isRun: false })
      // The response is up to a program, which an explanation does not start.
      return request.send('text/plain', '')
    }
    const outcome = handlers.run(request)
    return typeof outcome === 'number'
      ? afterModules(request, outcome, configured)
      : outcome.then((settled) => afterModules(request, settled, configured))
  }

  return [
    phase('insertNamedFilters', insertNamedFilters),
    hooks.voidPhase('insertFilter'),
    phase('prepareFilters', prepareFilters, { when: hasFilters }),
    phase('handler', handle),
  ]
}

/**
 * True for a request whose response another program generates: it may change something.
 * @param programs those that a loaded module runs; the files of others are sent, or missing, like any
 */
function isRemote({ handler, proxyRequest }: RequestRecord, programs: readonly ProgramKind[]): boolean {
  if (proxyRequest !== null || handler === null) return proxyRequest !== null
  return handler.startsWith('proxy:') || programs.some((kind) => kind.handler.test(handler))
}

/** If no handler is set, httpd derives the handler's name from the resource. */
function nameOfHandler({ handler, fileInfo, contentType }: RequestRecord): string {
  if (handler !== null) return handler
  if (fileInfo?.kind === 'directory') return DIRECTORY_HANDLER
  return contentType === null ? DEFAULT_HANDLER : essenceOf(contentType)
}

/** Adds the filters that SetInputFilter and SetOutputFilter list. */
function insertNamedFilters(request: RequestRecord): Outcome {
  const { outputFilters, inputFilters } = request.config.core
  if (inputFilters !== undefined) for (const name of inputFilters) request.addInputFilter(name)
  if (outputFilters !== undefined) for (const name of outputFilters) request.addOutputFilter(name)
  return OK
}

function hasFilters({ outputFilters }: RequestRecord): boolean {
  return outputFilters !== null
}

function prepareFilters(request: RequestRecord): Outcome {
  for (const filter of request.outputFilters ?? []) filter.prepare?.(request)
  return OK
}

/** A media type without its parameters. */
function essenceOf(type: string): string {
  const end = type.indexOf(';')
  return (end < 0 ? type : type.slice(0, end)).trim()
}
