import type { Connection } from './connection.ts'
import type { MaybePromise, Outcome } from './outcome.ts'
import type { Request } from './request.ts'
import type { Server } from './server.ts'

/** httpd's five ranks: -10, 0, 10, 20, 30. Functions of equal rank run in the order of registration. */
export type HookRank = 'really-first' | 'first' | 'middle' | 'last' | 'really-last'

/** A hook: modules add functions of type F. */
export interface Hook<F> {
  /**
   * @param predecessors source names (`mod_rewrite.c`) of modules whose functions run before this one
   * @param successors source names of modules whose functions run after this one
   */
  add(fn: F, predecessors?: readonly string[] | null, successors?: readonly string[] | null, rank?: HookRank): void
}

export type RequestHook = (request: Request) => MaybePromise<Outcome>
export type LogHook = (request: Request) => void
/** A start-up function: returns nothing, or the text of an error that stops the start. */
export type StartHook = (start: StartContext) => MaybePromise<string | undefined | void>
export type VoidStartHook = (start: StartContext) => void

export interface StartContext {
  /** Main server first, then virtual hosts in file order. */
  readonly servers: readonly Server[]
  /** Whether -D defines a word. */
  defined(name: string): boolean
  /** Makes a path absolute, relative to the ServerRoot. */
  serverRelative(path: string): string
  /** Prints a line on standard output. */
  print(line: string): void
}

/** A line of the error log that is being written. */
export type ErrorLogHook = (
  file: string,
  line: number,
  level: number,
  status: number,
  server: Server | null,
  request: Request | null,
  text: string,
) => void

/** The hooks of this line. It has neither accessCheckerEx nor providers for forms of Require. */
export interface Hooks {
  readonly preConfig: Hook<VoidStartHook>
  readonly testConfig: Hook<VoidStartHook>
  readonly openLogs: Hook<StartHook>
  readonly postConfig: Hook<StartHook>
  readonly childInit: Hook<VoidStartHook>
  /** Called from time to time, in the process that supervises the others. */
  readonly monitor: Hook<() => void>
  readonly errorLog: Hook<ErrorLogHook>
  readonly preConnection: Hook<(connection: Connection) => void>
  readonly postReadRequest: Hook<RequestHook>
  readonly translateName: Hook<RequestHook>
  readonly mapToStorage: Hook<RequestHook>
  readonly headerParser: Hook<RequestHook>
  readonly accessChecker: Hook<RequestHook>
  readonly checkUserId: Hook<RequestHook>
  readonly authChecker: Hook<RequestHook>
  readonly typeChecker: Hook<RequestHook>
  readonly fixups: Hook<RequestHook>
  readonly insertFilter: Hook<LogHook>
  readonly insertErrorFilter: Hook<LogHook>
  readonly handler: Hook<RequestHook>
  readonly logTransaction: Hook<LogHook>
}
