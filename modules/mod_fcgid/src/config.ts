/** A program to run: FcgidWrapper, FcgidAuthenticator and its kin, or a script itself. */
export interface FcgidCommand {
  /** The words of the command line; the first is the path of the program. */
  readonly words: readonly string[]
  /** The command line as written, which distinguishes classes of processes. */
  readonly line: string
  readonly inode: number
  readonly device: number
  /** Whether requests need no file of their own. */
  readonly isVirtual: boolean
}

/** What the processes of a class have in common; times in seconds, 0 for no limit. */
export interface ProcessOptions {
  readonly busyTimeout: number
  readonly idleTimeout: number
  readonly ioTimeout: number
  readonly connectTimeout: number
  readonly maxProcesses: number
  readonly minProcesses: number
  readonly maxRequests: number
  readonly lifetime: number
}

export const DEFAULT_OPTIONS: ProcessOptions = {
  busyTimeout: 300,
  idleTimeout: 300,
  ioTimeout: 40,
  connectTimeout: 3,
  maxProcesses: 100,
  minProcesses: 3,
  maxRequests: 0,
  lifetime: 3600,
}

/** FcgidCmdOptions: options and environment of one program. */
export interface CommandOptions {
  readonly options: ProcessOptions
  readonly environment: ReadonlyMap<string, string>
}

/** What the main server sets for all. */
export interface GlobalSettings {
  readonly maxProcesses: number
  readonly spawnScore: number
  readonly spawnScoreLimit: number
  readonly terminationScore: number
  readonly timeScore: number
  /** Seconds after which a process that was asked to end is killed. */
  readonly errorScanInterval: number
}

export const DEFAULT_GLOBAL: GlobalSettings = {
  maxProcesses: 1000,
  spawnScore: 1,
  spawnScoreLimit: 10,
  terminationScore: 2,
  timeScore: 1,
  errorScanInterval: 3,
}

/** What servers set. */
export interface FcgidServerConfig {
  options: Partial<ProcessOptions>
  environment: ReadonlyMap<string, string>
  commands: ReadonlyMap<string, CommandOptions>
  passHeaders: readonly string[]
  maxRequestLength?: number
  maxRequestInMemory?: number
  outputBufferSize?: number
  /** Of the main server. */
  global: Partial<GlobalSettings>
  /** The folder of the sockets; of the main server. */
  socketFolder?: string
}

/** Bytes, as in mod_fcgid. */
export const MAX_REQUEST_LENGTH: number = 128 * 1024
export const MAX_REQUEST_IN_MEMORY: number = 64 * 1024
export const OUTPUT_BUFFER_SIZE: number = 64 * 1024

export function createServerConfig(): FcgidServerConfig {
  return { options: {}, environment: new Map(), commands: new Map(), passHeaders: [], global: {} }
}

export function mergeServerConfig(base: Readonly<FcgidServerConfig>, over: Readonly<FcgidServerConfig>): FcgidServerConfig {
  return {
    options: { ...base.options, ...over.options },
    environment: new Map([...base.environment, ...over.environment]),
    commands: new Map([...base.commands, ...over.commands]),
    passHeaders: [...base.passHeaders, ...over.passHeaders],
    maxRequestLength: over.maxRequestLength ?? base.maxRequestLength,
    maxRequestInMemory: over.maxRequestInMemory ?? base.maxRequestInMemory,
    outputBufferSize: over.outputBufferSize ?? base.outputBufferSize,
    global: base.global,
    socketFolder: base.socketFolder,
  }
}

/** What a program is asked in an access phase. */
export type AccessRole = 'accessChecker' | 'authenticator' | 'authorizer'

/** A program that decides, and whether others are asked where it refuses. */
export interface Checker {
  command?: FcgidCommand
  authoritative?: boolean
}

/** What sections set. */
export interface FcgidConfig {
  /** By the end of the file name with its dot; `ALL` for every other. */
  wrappers: ReadonlyMap<string, FcgidCommand>
  accessChecker: Readonly<Checker>
  authenticator: Readonly<Checker>
  authorizer: Readonly<Checker>
}

export function createConfig(): FcgidConfig {
  return { wrappers: new Map(), accessChecker: {}, authenticator: {}, authorizer: {} }
}

export function mergeConfig(base: Readonly<FcgidConfig>, over: Readonly<FcgidConfig>): FcgidConfig {
  const merged = (role: AccessRole): Checker => ({
    command: over[role].command ?? base[role].command,
    authoritative: over[role].authoritative ?? base[role].authoritative,
  })
  return {
    wrappers: new Map([...base.wrappers, ...over.wrappers]),
    accessChecker: merged('accessChecker'),
    authenticator: merged('authenticator'),
    authorizer: merged('authorizer'),
  }
}

/** The key of the wrapper for files without an end of their own. */
export const ALL_FILES = 'ALL'

/** The wrapper of a file. As in mod_fcgid, the end begins at the last dot of the whole path. */
export function wrapperOf({ wrappers }: Readonly<FcgidConfig>, path: string): FcgidCommand | undefined {
  const dot = path.lastIndexOf('.')
  return (dot < 0 ? undefined : wrappers.get(path.slice(dot))) ?? wrappers.get(ALL_FILES)
}

/** The options and the environment of a program of a server. */
export function optionsOf(config: Readonly<FcgidServerConfig>, path: string): CommandOptions {
  const own = config.commands.get(path)
  const common = { ...DEFAULT_OPTIONS, ...config.options }
  if (own === undefined) return { options: common, environment: config.environment }
  // As in mod_fcgid, it replaces the settings of the server, but for the one that it cannot set.
  return { options: { ...own.options, busyTimeout: common.busyTimeout }, environment: own.environment }
}
