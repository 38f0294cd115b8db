import type { Connection } from './connection.ts'
import type { MaybePromise, Outcome } from './outcome.ts'
import type { Problem } from './problem.ts'
import type { Request } from './request.ts'
import type { ListenedAddress, Server } from './server.ts'

/** httpd's five ranks: -10, 0, 10, 20, 30. Functions of equal rank run in the order of registration. */
export type HookRank = 'really-first' | 'first' | 'middle' | 'last' | 'really-last'

/**
 * What an access decision depends on. `configuration`: requests with the same per-directory configuration get
 * the same decision or may share it. `request`: every sub-request and internal redirect needs its own
 * decision.
 * @since 2.4.5
 */
export type DecisionBasis = 'configuration' | 'request'

/** The position of a function among the functions of its hook. @suppliedByModules */
export interface HookOrder {
  /** `middle` if absent. */
  readonly rank?: HookRank
  /**
   * Source names (`mod_rewrite.c`) of modules whose functions run after this one. Takes precedence over
   * ranks; absent modules are ignored.
   */
  readonly before?: readonly string[]
  /** Source names of modules whose functions run before this one. */
  readonly after?: readonly string[]
  /**
   * What the decision of a function of accessChecker, accessCheckerEx, checkUserId or authChecker depends on;
   * other hooks ignore it. `request` if absent. A single function that decides by request makes the server
   * authorize nearly every sub-request and internal redirect again, for all modules, as httpd does for a
   * function that was not registered with AP_AUTH_INTERNAL_PER_CONF.
   * @since 2.4.5
   */
  readonly decidesBy?: DecisionBasis
}

/** A hook: modules add functions of type F. */
export interface Hook<F> {
  /**
   * Adds a function. Call this while the module registers itself, because hooks are sorted when the
   * configuration has been read.
   * @throws Error for a later call. The server then serves no more requests, because access that the function
   *   would deny would be open
   * @throws TypeError for arguments in the form of the 2.2 line: more than two, or a list instead of the
   *   order
   */
  add(fn: F, order?: HookOrder): void
}

/**
 * How the functions of a hook are combined. run-all: all of them, until one returns neither OK nor DECLINED.
 * run-first: the first that does not decline. void: all, without a result.
 */
export type HookRule = 'run-all' | 'run-first' | 'void'

/** A function that processes a request. */
export type RequestHook = (request: Request) => MaybePromise<Outcome>
/**
 * The return type of a function that the host does not await: anything but a promise. An async function does
 * not compile as such a function; if it is not type-checked, it counts as failed.
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
      /** Promises have this property; the returned value must not. */
      readonly then?: never
    }

/** A function that observes a request and cannot influence its result. */
export type LogHook = (request: Request) => void
/**
 * A start-up function: returns nothing, or the reason for stopping the start as a text or a {@link Problem}.
 * An empty text means that the reason is already in the error log.
 */
export type StartHook = (start: StartContext) => MaybePromise<string | Problem | undefined | void>
/**
 * A start-up function without a result. An error that it throws ends the start. It may be async: the host
 * awaits the promise, for 30 seconds at most (since API 2.4.5).
 */
export type VoidStartHook = (start: StartContext) => void

/** The argument of start-up hooks. */
export interface StartContext {
  /** Main server first, then virtual hosts in file order. */
  readonly servers: readonly Server[]
  /**
   * True for -t and for the process that reads the configuration during a start: do not open anything for
   * serving.
   */
  readonly checkOnly: boolean
  /**
   * True in one process of each start and reload: in postConfig, the one that runs before all others of the same
   * configuration. False in the others, and in those that replace a process that has died.
   * @since 2.4.6
   */
  readonly isFirst: boolean
  /**
   * What the server listens on.
   * @since 2.4.6
   */
  readonly listeners: readonly ListenedAddress[]
  /**
   * The terminal, or standard input and output, of the command that starts the server. Null where nobody can answer: for
   * tools, and after the start of a server in the background, when that command has ended.
   * @since 2.4.6
   */
  readonly terminal: StartTerminal | null
  /**
   * Awaits what depends on a person, in postConfig: the time that passes does not count for the limits of the start.
   * @returns what `action` resolves to; rejects as it does
   * @since 2.4.6
   */
  awaitPerson<T>(action: PromiseLike<T>): Promise<T>
  /** Whether -D defines a word. */
  defined(name: string): boolean
  /** Makes a path absolute, relative to the ServerRoot. */
  serverRelative(path: string): string
  /**
   * Makes a path absolute, relative to the folder of run-time files: DefaultRuntimeDir, otherwise that of the pid file.
   * @since 2.4.6
   */
  runtimeRelative(path: string): string
  /**
   * The absolute path of the media types table in the server's installation, the default of TypesConfig.
   * @since 2.4.4
   */
  readonly typesConfig: string
  /** Prints a line of a dump (-M, -S ...) on standard output. */
  print(line: string): void
}

/**
 * Where questions are asked that only a person can answer, such as those for pass phrases of keys. Texts have one
 * character per byte.
 * @since 2.4.6
 */
export interface StartTerminal {
  /** Writes a text as it is, without adding a line end. */
  show(text: string): void
  /**
   * Writes a prompt and reads a line, which the terminal does not show. Its time does not count, as with
   * {@link StartContext.awaitPerson}.
   * @returns the line without its end; null if there is none, because the input has ended or the person has pressed
   *   Ctrl-C
   */
  askSecret(prompt: string): Promise<string | null>
}

/** Every hook with the type of its functions; {@link HOOK_RULES} specifies how they are combined. */
export interface HookTypes {
  /** After reading the files, before executing directives. */
  preConfig: VoidStartHook
  /** After executing the directives and merging the servers. */
  checkConfig: StartHook
  /** For -t, -S, -M: prints the dumps that `-D DUMP_...` requests. */
  testConfig: VoidStartHook
  /** Opens the module's logs. A returned text ends the start with AH00015. */
  openLogs: StartHook
  /**
   * The last step before serving, with open logs and the privileges of the start. A returned text ends the
   * start with AH00016.
   */
  postConfig: StartHook
  /** In each worker before it serves. The host awaits a promise. */
  childInit: VoidStartHook
  /**
   * A client has connected and nothing has been read. The host does not wait for the function. If it throws,
   * the connection is closed.
   */
  preConnection: (connection: Connection) => NoPromise
  /**
   * The head has been read and the virtual host selected, but no section is merged yet. Not called for
   * sub-requests; called again for an internal redirect.
   */
  postReadRequest: RequestHook
  /**
   * Answers a request of a client before anything else is known about it, sections, rewriting and access control
   * included: the first function that returns OK has set the response, which then passes no filters but those that the
   * function added. DECLINED: the request takes its usual way. Called again for an internal redirect; not called for
   * sub-requests, explanations and requests that another server received.
   * @since 2.4.6
   */
  quickHandler: RequestHook
  /**
   * The path is normalised and still percent-encoded. After DONE it stays encoded. Not called for
   * sub-requests for files.
   */
  preTranslateName: RequestHook
  /**
   * Maps the decoded path to a file: the first function that sets `filename` and returns OK. Core maps it
   * below DocumentRoot. Not called for sub-requests for files.
   */
  translateName: RequestHook
  /**
   * Processes the file's path: core walks the folders with their `.htaccess` files. TRACE and `OPTIONS *` end
   * here.
   */
  mapToStorage: RequestHook
  /** The per-directory configuration is complete. */
  postPerdirConfig: RequestHook
  /**
   * For processing that depends on header fields and precedes access control. Not called for sub-requests.
   */
  headerParser: RequestHook
  /**
   * Access control that does not depend on the user, like Order, Allow and Deny. Every function must accept
   * the request. Functions from here to authChecker are not called again for a sub-request or redirect with
   * the same configuration, if all of them declare `decidesBy: 'configuration'` ({@link HookOrder}).
   */
  accessChecker: RequestHook
  /**
   * Access control by Require. OK: granted, even without a user. DECLINED: the user must be authenticated
   * first. mod_authz_core implements this; other modules take part with a provider of the group `authz`.
   */
  accessCheckerEx: RequestHook
  /** Called if access was granted without a user: OK requires authentication nevertheless. */
  forceAuthn: RequestHook
  /**
   * Authenticates the user: sets `user` and `authType` and returns OK, or returns HTTP_UNAUTHORIZED. A
   * function processes its own AuthType and declines the others.
   */
  checkUserId: RequestHook
  /** Authorizes the user. mod_authz_core calls the providers of Require. */
  authChecker: RequestHook
  /**
   * Called before a 401 is sent: the function for the AuthType adds WWW-Authenticate to `errHeadersOut` and
   * returns OK.
   */
  noteAuthFailure: (request: Request, authType: string) => Outcome
  /** Determines content type, language, encoding and handler of the file. */
  typeChecker: RequestHook
  /** Last changes before the handler; the last phase of a sub-request that is not run. */
  fixups: RequestHook
  /**
   * Just before the handler is called: adds filters to the response.
   * @since 2.4.3
   */
  insertFilter: LogHook
  /**
   * Makes the response: the first function that returns OK has sent or set a body. A function compares
   * `request.handler` and declines other handlers.
   */
  handler: RequestHook
  /**
   * A page has been made for an error or a redirect, and the response has lost its content filters: adds
   * other filters.
   */
  insertErrorFilter: LogHook
  /**
   * Before the head of a response is written: the last point at which its fields can change. Runs for every
   * response, error pages included. The host awaits a promise since API 2.4.5; if it rejects, the response is
   * a 500.
   */
  fixupHeaders: LogHook
  /**
   * The response has been handed over. Called once, for the request that the client sent, even if that
   * request failed.
   */
  logTransaction: LogHook
}

/** The combining rule of every hook. */
export const HOOK_RULES: { readonly [K in keyof HookTypes]: HookRule } = {
  preConfig: 'void',
  checkConfig: 'run-all',
  testConfig: 'void',
  openLogs: 'run-all',
  postConfig: 'run-all',
  childInit: 'void',
  preConnection: 'void',
  postReadRequest: 'run-all',
  quickHandler: 'run-first',
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
/** The type of a hook's functions. */
export type HookFunction<K extends HookName> = HookTypes[K]

/** The hooks as properties, so that a misspelt name does not compile. */
export type Hooks = { readonly [K in HookName]: Hook<HookTypes[K]> }
