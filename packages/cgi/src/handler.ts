import {
  DECLINED,
  type HostServices,
  HTTP_FORBIDDEN,
  HTTP_NOT_FOUND,
  HTTP_SERVICE_UNAVAILABLE,
  type MaybePromise,
  type ModuleLog,
  OK,
  type Outcome,
  type Request,
  type Table,
} from '@gatewright/api'
import { escapeUriPath } from '@gatewright/api/text'
import type { CgiConfig, CgiServerConfig } from './config.ts'
import { argumentsOf, environmentOf } from './environment.ts'
import type { Flavour } from './flavour.ts'
import type { RunningPrograms } from './running-programs.ts'
import { logRefusedScript } from './script-log.ts'
import { ScriptRun } from './script-run.ts'
import type { Spawner, StartedProgram } from './spawner.ts'

/** The type that makes any file a script. */
export const CGI_TYPE = 'application/x-httpd-cgi'

/** What scripts need of the module. */
export interface CgiParts {
  readonly flavour: Flavour
  readonly services: HostServices
  readonly log: ModuleLog
  readonly running: RunningPrograms
  configOf(request: Request): Readonly<CgiConfig>
  serverConfigOf(request: Request): Readonly<CgiServerConfig>
  /** Null in tools, which run no scripts. */
  spawner(): Spawner | null
}

/** Runs a script, if the file of the request is one. */
export function handleScript(request: Request, parts: CgiParts): MaybePromise<Outcome> {
  if (request.handler !== 'cgi-script' && request.handler !== CGI_TYPE) return DECLINED
  const { flavour, services } = parts
  const { codes } = flavour
  const { filename, fileInfo } = request
  const name = filename.slice(filename.lastIndexOf('/') + 1)
  const isUnparsed = name.startsWith('nph-')
  const isAliased = request.notes.get('alias-forced-type')?.toLowerCase() === 'cgi-script'
  const refuse = (status: Outcome, code: string, reason: string): Outcome => {
    parts.log.write(request, 'error', code, `stderr from ${filename}: ${reason}`)
    logRefusedScript(request, parts.serverConfigOf(request), status, reason)
    return status
  }
  if (!isAliased && !request.hasOption('ExecCGI')) {
    return refuse(HTTP_FORBIDDEN, codes.execOff, 'Options ExecCGI is off in this directory')
  }
  if (isUnparsed && request.main !== null)
    return refuse(HTTP_FORBIDDEN, codes.unparsedIncluded, 'attempt to include NPH CGI script')
  if (fileInfo === null) return refuse(HTTP_NOT_FOUND, codes.missing, 'script not found or unable to stat')
  if (fileInfo.kind === 'directory') return refuse(HTTP_FORBIDDEN, codes.folder, 'attempt to invoke directory as script')
  if (request.pathInfo !== '' && services.programSettings(request).pathInfo === 'off')
    return refuse(HTTP_NOT_FOUND, codes.pathInfo, "AcceptPathInfo off disallows user's path")
  const spawner = parts.spawner()
  if (spawner === null) {
    // Tools run no scripts: the request was granted.
    request.respond('')
    return OK
  }
  return run(request, parts, spawner, name)
}

async function run(request: Request, parts: CgiParts, spawner: Spawner, name: string): Promise<Outcome> {
  request.limitsItsTime = true
  const timeout = parts.configOf(request).timeout ?? request.server.timeout
  const program = await startProgram(request, parts, spawner, {
    file: request.filename,
    name,
    args: argumentsOf(request.args),
    env: environmentOf(await variablesOf(request, parts.services)),
    hasInput: hasBody(request),
  })
  if (program === null) return HTTP_SERVICE_UNAVAILABLE
  const isUnparsed = name.startsWith('nph-')
  const scriptLog = parts.serverConfigOf(request)
  return new ScriptRun(request, { program, flavour: parts.flavour, log: parts.log, timeout, scriptLog, isUnparsed }).run()
}

/** The variables of a script. What its path information maps to is looked up as a URI of this server. */
/** A sub-request has only a body that was kept. */
function hasBody({ main, keptBody, headersIn }: Request): boolean {
  if (main !== null && keptBody === null) return false
  return headersIn.has('Content-Length') || headersIn.has('Transfer-Encoding')
}

async function variablesOf(request: Request, services: HostServices): Promise<Table> {
  const variables = services.cgiVariables(request)
  if (request.pathInfo === '') return variables
  const sub = await request.lookupUri(escapeUriPath(request.pathInfo))
  if (sub.filename === '') variables.unset('PATH_TRANSLATED')
  else variables.set('PATH_TRANSLATED', sub.filename + sub.pathInfo)
  return variables
}

/** The program of a request: a script, or a command of a page. */
export interface RequestedProgram {
  readonly file: string
  readonly name: string
  readonly args: readonly string[]
  readonly env: readonly (readonly [name: string, value: string])[]
  readonly hasInput: boolean
  /** Where its errors go; undefined for where those of scripts do. */
  readonly errors?: Flavour['errors']
  /** Where it runs; undefined for the folder of the request's file. */
  readonly folder?: string
}

/** Starts a program in the folder of the request's file. @returns null if that is not possible now, after it was logged */
export async function startProgram(
  request: Request,
  { flavour, services, log, running }: CgiParts,
  spawner: Spawner,
  program: RequestedProgram,
): Promise<StartedProgram | null> {
  const limit = request.server.timeout > 0 ? request.server.timeout : 60_000
  if (!(await running.enter(limit))) {
    log.write(request, 'error', '', `${running.running} programs run: no other one was started within ${limit / 1000} s`)
    return null
  }
  try {
    const { cpu, memory, processes } = services.programSettings(request)
    const folder = program.folder ?? request.filename.slice(0, request.filename.lastIndexOf('/') + 1)
    const limits = { cpu, memory, processes }
    const started = await spawner.start({ ...program, folder, limits, errors: program.errors ?? flavour.errors })
    void started.ended.then(() => running.leave())
    return started
  } catch (error) {
    running.leave()
    const reason = error instanceof Error ? error.message : String(error)
    log.write(request, 'error', 'AH01257', `unable to connect to cgi daemon: ${reason}`)
    return null
  }
}
