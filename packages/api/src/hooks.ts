import type { Connection } from './connection.ts'
import type { MaybePromise, Outcome } from './outcome.ts'
import type { Problem } from './problem.ts'
import type { Request } from './request.ts'
import type { Server } from './server.ts'

/** httpd's five ranks, -10, 0, 10, 20, 30; functions of equal rank run in the order of registration. */
export type HookRank = 'really-first' | 'first' | 'middle' | 'last' | 'really-last'

/**
 * What an access decision depends on. `configuration`: requests with the same per-directory configuration get
 * the same decision, or may share it. `request`: the decision has to be taken again for every sub-request and
 * internal redirect.
 * @since 2.4.5
 */
export type DecisionBasis = 'configuration' | 'request'

/** The position of a function among those of its hook. @suppliedByModules */
export interface HookOrder {
  /** `middle` when it is absent. */
  readonly rank?: HookRank
  /**
   * Source names (`mod_rewrite.c`) of modules whose functions run after this one. Beats ranks; absent modules
   * are ignored.
   */
  readonly before?: readonly string[]
  /** Source names of modules whose functions run before this one. */
  readonly after?: readonly string[]
  /**
   * What the decision of a function of accessChecker, accessCheckerEx, checkUserId or authChecker depends on;
   * other hooks ignore it. `request` when it is absent. One such function makes the server authorize nearly
   * every sub-request and internal redirect again, for all modules, as httpd does for a function that was not
   * registered with AP_AUTH_INTERNAL_PER_CONF.
   * @since 2.4.5
   */
  readonly decidesBy?: DecisionBasis
}

/** A place where modules hang in functions of type F. */
export interface Hook<F> {
  /**
   * Adds a function. To be called while the module registers itself: hooks are sorted when the configuration
   * has been read.
   * @throws Error after that, and then no more requests are served, because access that the function would
   * deny would be open
   * @throws TypeError for arguments in the form of the 2.2 line: more than two, or a list instead of the
   * order
   */
  add(fn: F, order?: HookOrder): void
}

/**
 * How the functions of a hook are combined: all until one is neither OK nor DECLINED; first that does not
 * decline; all, no result.
 */
export type HookRule = 'run-all' | 'run-first' | 'void'

/** A hook that sees a request. */
export type RequestHook = (request: Request) => MaybePromise<Outcome>
/**
 * The return value of a function for which the host does not wait: anything but a promise. An async function
 * in its place does not compile; one that is not type-checked counts as failed.
 * @since 2.4.5
 */
export type NoPromise =
  | void
  | null
  | boolean
  | number
  | bigint
  | string
  | symbol
  | {
      /** Promises have this property; what is returned must not. */
      readonly then?: never
    }

/** A hook that observes a request and cannot influence its result. */
export type LogHook = (request: Request) => void
/**
 * Start-up hooks return nothing, or the reason that stops the start: a text or a {@link Problem}. An empty text
 * means that the reason is in the error log already.
 */
export type StartHook = (start: StartContext) => MaybePromise<string | Problem | undefined | void>
/**
 * Start-up hooks without a result. What they throw ends the start. They may be async: a promise is awaited,
 * for 30 seconds at most (since API 2.4.5).
 */
export type VoidStartHook = (start: StartContext) => void

/** The argument of start-up hooks. */
export interface StartContext {
  /** Main server first, then virtual hosts in file order. */
  readonly servers: readonly Server[]
  /** True for -t and for the reader of a start: nothing may be opened for serving. */
  readonly checkOnly: boolean
  /** Words of -D. */
  defined(name: string): boolean
  /** A path relative to the ServerRoot made absolute. */
  serverRelative(path: string): string
  /**
   * The table of media types of the server's installation, absolute: the default of TypesConfig.
   * @since 2.4.4
   */
  readonly typesConfig: string
  /** Prints a line of a dump (-M, -S ...) on standard output. */
  print(line: string): void
}

/** Every hook with the type of its functions; how they are combined is in {@link HOOK_RULES}. */
export interface HookTypes {
  /** After the file was read, before directives act. */
  preConfig: VoidStartHook
  /** After the tree was walked and servers were merged. */
  checkConfig: StartHook
  /** For -t, -S, -M: prints what `-D DUMP_...` asks for. */
  testConfig: VoidStartHook
  /** Opens what the module logs to. A text that is returned ends the start with AH00015. */
  openLogs: StartHook
  /**
   * The last step before serving, with the logs open and the privileges of the start. A text that is returned
   * ends the start with AH00016.
   */
  postConfig: StartHook
  /** In each worker before it serves. A promise is awaited. */
  childInit: VoidStartHook
  /**
   * A client has connected; nothing was read. The host does not wait for it. A function that throws closes
   * the connection.
   */
  preConnection: (connection: Connection) => NoPromise
  /**
   * The head was read and the virtual host chosen; no section is merged yet. Not for sub-requests; once more
   * for an internal redirect.
   */
  postReadRequest: RequestHook
  /** The path is normal and still percent-encoded. DONE: it stays so. Not for sub-requests for files. */
  preTranslateName: RequestHook
  /**
   * Which file the decoded path means: the first that sets `filename` and returns OK. Core maps it below
   * DocumentRoot. Not for sub-requests for files.
   */
  translateName: RequestHook
  /**
   * What is done about the file: core walks the folders, with their `.htaccess` files. TRACE and `OPTIONS *`
   * end here.
   */
  mapToStorage: RequestHook
  /** The per-directory configuration is complete. */
  postPerdirConfig: RequestHook
  /** For what depends on header fields and comes before access control. Not for sub-requests. */
  headerParser: RequestHook
  /**
   * Access that has nothing to do with the user, in the manner of Order, Allow and Deny. Every function must
   * let the request pass. Functions from here to authChecker are not called again for a sub-request or
   * redirect whose configuration is the same, if all of them declare `decidesBy: 'configuration'`
   * ({@link HookOrder}).
   */
  accessChecker: RequestHook
  /**
   * Access by Require. OK: granted, even without a user. DECLINED: the user must be known first.
   * mod_authz_core implements this; other modules take part with a provider of the group `authz`.
   */
  accessCheckerEx: RequestHook
  /** Asked when access was granted without a user: OK has the user found out all the same. */
  forceAuthn: RequestHook
  /**
   * Who is it? Sets `user` and `authType` and returns OK, or HTTP_UNAUTHORIZED. A function answers for its
   * own AuthType and declines the others.
   */
  checkUserId: RequestHook
  /** May this user? mod_authz_core asks the providers of Require. */
  authChecker: RequestHook
  /**
   * A 401 is to be sent: the function that answers for the AuthType adds WWW-Authenticate to `errHeadersOut`
   * and returns OK.
   */
  noteAuthFailure: (request: Request, authType: string) => Outcome
  /** Content type, language, coding and handler of the file. */
  typeChecker: RequestHook
  /** Last changes before the handler; the last phase of a sub-request that is not run. */
  fixups: RequestHook
  /**
   * Just before the handler is called: the moment to add filters to the response.
   * @since 2.4.3
   */
  insertFilter: LogHook
  /**
   * Makes the response: the first that returns OK has sent or set a body. It compares `request.handler` and
   * declines what is not its own.
   */
  handler: RequestHook
  /**
   * A page was made for an error or a redirect, and the filters for content are gone from the response: the
   * moment to add others.
   */
  insertErrorFilter: LogHook
  /**
   * Before the head of a response is written: the last moment to change its fields. Runs for every response,
   * error pages included. A promise is waited for since API 2.4.5; where it rejects the response is a 500.
   */
  fixupHeaders: LogHook
  /** The response has been handed over. For the request that the client sent, once, whatever became of it. */
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

/** Names of all hooks. */
export type HookName = keyof HookTypes
/** What hangs in a hook. */
export type HookFunction<K extends HookName> = HookTypes[K]

/** The hooks as properties: a misspelt one does not compile. */
export type Hooks = { readonly [K in HookName]: Hook<HookTypes[K]> }
