import type { MaybePromise, ModuleHost, Outcome, Request } from '@gatewright/api'
import { extendStatus, includeElement } from '@gatewright/api/peers'
import type { CgiConfig, CgiServerConfig } from './config.ts'
import type { Flavour } from './flavour.ts'
import { type CgiParts, handleScript } from './handler.ts'
import { execElement } from './include-exec.ts'
import { RunningPrograms } from './running-programs.ts'
import { Spawner } from './spawner.ts'

/** Numbers of the record that the processes of the server share. */
const RUNNING = 0
const STARTED = 1

/** What a module that runs CGI programs adds to its hooks. */
export interface CgiService {
  /** For childInit: starts the helper process while this process is still small. */
  begin(): void
  /** For handler. */
  handle(request: Request): MaybePromise<Outcome>
}

/** The implementation of a module, which adds the element `exec` of pages and figures for status pages by itself. */
export function cgiService(host: ModuleHost<CgiConfig, CgiServerConfig>, flavour: Flavour): CgiService {
  const { services, log, optionalHooks } = host
  let spawner: Spawner | null = null
  const record = services.sharedRecord(flavour.source, { numbers: 2, ofProcess: [RUNNING] })
  const parts: CgiParts = {
    flavour,
    services,
    log,
    running: new RunningPrograms((kind, amount) => record.add(kind === 'running' ? RUNNING : STARTED, amount)),
    configOf: (request) => host.configOf(request) ?? {},
    serverConfigOf: ({ server }) => host.serverConfigOf(server) ?? {},
    spawner: () => spawner,
  }
  host.onEnd(() => {
    spawner?.close()
    spawner = null
  })
  optionalHooks.add(includeElement, (element) => (element.name === 'exec' ? execElement(element, parts) : undefined))
  optionalHooks.add(extendStatus, (_request, form) => statusOf(record.numbers, form))
  return {
    begin: () => {
      spawner = new Spawner()
      spawner.prepare()
    },
    handle: (request) => handleScript(request, parts),
  }
}

function statusOf(numbers: Float64Array, form: 'page' | 'auto'): string {
  if (form === 'auto') return `CGIProgramsRunning: ${numbers[RUNNING]}\nCGIProgramsStarted: ${numbers[STARTED]}\n`
  return `<hr>\n<h2>CGI programs</h2>\n<p>${numbers[RUNNING]} running, ${numbers[STARTED]} started</p>\n`
}
