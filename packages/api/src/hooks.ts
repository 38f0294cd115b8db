import type { Connection } from './connection.ts'
import type { MaybePromise, Outcome } from './outcome.ts'
import type { Request } from './request.ts'
import type { Server } from './server.ts'

/** httpd's five ranks, -10, 0, 10, 20, 30; functions of equal rank run in the order of registration. */
export type HookRank = 'really-first' | 'first' | 'middle' | 'last' | 'really-last'

export interface HookOrder {
  readonly rank?: HookRank
  /** Source names (`mod_rewrite.c`) of modules whose functions run after this one. Beats ranks; absent modules are ignored. */
  readonly before?: readonly string[]
  /** Source names of modules whose functions run before this one. */
  readonly after?: readonly string[]
}

/** A place where modules hang in functions of type F. */
export interface Hook<F> {
  add(fn: F, order?: HookOrder): void
}

/** How the functions of a hook are combined: all until one is neither OK nor DECLINED; first that does not decline; all, no result. */
export type HookRule = 'run-all' | 'run-first' | 'void'

/** A hook that sees a request. */
export type RequestHook = (request: Request) => MaybePromise<Outcome>
export type LogHook = (request: Request) => void
/** Start-up hooks return nothing, or the text of an error that stops the start. */
export type StartHook = (start: StartContext) => MaybePromise<string | undefined | void>
export type VoidStartHook = (start: StartContext) => void

export interface StartContext {
  /** Main server first, then virtual hosts in file order. */
  readonly servers: readonly Server[]
  /** True for -t and for the reader of a start: nothing may be opened for serving. */
  readonly checkOnly: boolean
  /** Words of -D. */
  defined(name: string): boolean
  /** A path relative to the ServerRoot made absolute. */
  serverRelative(path: string): string
  /** Prints a line of a dump (-M, -S ...) on standard output. */
  print(line: string): void
}

interface HookTypes {
  /** After the file was read, before directives act. */
  preConfig: VoidStartHook
  /** After the tree was walked and servers were merged. */
  checkConfig: StartHook
  /** For -t, -S, -M: prints what `-D DUMP_...` asks for. */
  testConfig: VoidStartHook
  openLogs: StartHook
  postConfig: StartHook
  /** In each worker before it serves. */
  childInit: VoidStartHook
  preConnection: (connection: Connection) => void
  postReadRequest: RequestHook
  preTranslateName: RequestHook
  translateName: RequestHook
  mapToStorage: RequestHook
  postPerdirConfig: RequestHook
  headerParser: RequestHook
  accessChecker: RequestHook
  accessCheckerEx: RequestHook
  forceAuthn: RequestHook
  checkUserId: RequestHook
  authChecker: RequestHook
  noteAuthFailure: (request: Request, authType: string) => Outcome
  typeChecker: RequestHook
  fixups: RequestHook
  /** Just before the handler is called: the moment to add filters to the response. Since API 2.4.3. */
  insertFilter: LogHook
  handler: RequestHook
  /** A page was made for an error or a redirect, and the filters for content are gone from the response: the moment to add others. */
  insertErrorFilter: LogHook
  /** Before the head of a response is written: the last moment to change its fields. Runs for every response, error pages included. */
  fixupHeaders: LogHook
  logTransaction: LogHook
}

/** Every hook with its combining rule, declared once. */
export const HOOK_RULES: { readonly [K in keyof HookTypes]: HookRule } = {
  preConfig: 'void',
  checkConfig: 'run-all',
  testConfig: 'void',
  openLogs: 'run-all',
  postConfig: 'run-all',
  childInit: 'void',
  preConnection: 'void',
  postReadRequest: 'run-all',
  preTranslateName: 'run-first',
  translateName: 'run-first',
  mapToStorage: 'run-first',
  postPerdirConfig: 'run-all',
  headerParser: 'run-all',
  accessChecker: 'run-all',
  accessCheckerEx: 'run-first',
  forceAuthn: 'run-first',
  checkUserId: 'run-first',
  authChecker: 'run-first',
  noteAuthFailure: 'run-first',
  typeChecker: 'run-first',
  fixups: 'run-all',
  insertFilter: 'void',
  handler: 'run-first',
  insertErrorFilter: 'void',
  fixupHeaders: 'void',
  logTransaction: 'void',
}

export type HookName = keyof HookTypes
export type HookFunction<K extends HookName> = HookTypes[K]

/** The hooks as properties: a misspelt one does not compile. */
export type Hooks = { readonly [K in HookName]: Hook<HookTypes[K]> }
