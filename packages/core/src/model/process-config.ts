import type { SharedStore } from '@gatewright/api'

/** A Mutex line for one type of mutex. */
export interface MutexSettings {
  readonly mechanism: string
  /** Null unless the line or a former one names a folder. */
  readonly folder: string | null
  /** Whether the mechanism needs a folder. */
  readonly usesFiles: boolean
  readonly omitsPid: boolean
}

/** One Listen line. */
export interface Listener {
  /** `*` for all addresses; IPv6 without brackets. */
  readonly address: string
  readonly port: number
  readonly protocol: string
}

/** The directives that concern the process as a whole. The numbers are those of httpd's event MPM. */
export interface ProcessConfig {
  listeners: Listener[]
  pidFile: string
  /** Mutex lines by type. */
  readonly mutexes: Map<string, MutexSettings>
  scoreBoardFile?: string
  /** SharedCache: opens the cache for what all machines of a site should know. */
  sharedCache?: (name: string) => SharedStore
  serverTokens: 'full' | 'os' | 'minimal' | 'minor' | 'major' | 'prod'
  extendedStatus?: boolean
  /**
   * True if `UseCanonicalName DNS` occurs anywhere: the server then looks up the name of each connection's
   * local address.
   */
  localNamesWanted: boolean
  seeRequestTail: boolean
  /** The minimum number of worker processes, from StartServers. */
  startServers?: number
  /** The exact number of worker processes, from WorkerProcesses, up to ServerLimit. */
  workerProcesses?: number
  serverLimit: number
  /**
   * Whether a line of the configuration sets serverLimit: only then does it limit the number of worker
   * processes.
   */
  serverLimitGiven: boolean
  threadLimit: number
  threadsPerChild: number
  maxRequestWorkers?: number
  minSpareThreads: number
  maxSpareThreads: number
  maxConnectionsPerChild: number
  gracefulShutdownTimeout: number
  listenBacklog: number
  sendBufferSize: number
  receiveBufferSize: number
  /** RegexDefaultOptions. */
  regexIgnoreCase: boolean
  regexExtended: boolean
  regexDotAll: boolean
  regexDollarEndOnly: boolean
}

/** @param pidFile receives the server's process ID unless PidFile is set */
export function createProcessConfig(pidFile: string): ProcessConfig {
  return {
    listeners: [],
    pidFile,
    mutexes: new Map(),
    serverTokens: 'full',
    localNamesWanted: false,
    seeRequestTail: false,
    serverLimit: 16,
    serverLimitGiven: false,
    threadLimit: 64,
    threadsPerChild: 25,
    minSpareThreads: 75,
    maxSpareThreads: 250,
    maxConnectionsPerChild: 0,
    gracefulShutdownTimeout: 0,
    listenBacklog: 511,
    sendBufferSize: 0,
    receiveBufferSize: 0,
    regexIgnoreCase: false,
    regexExtended: false,
    regexDotAll: true,
    regexDollarEndOnly: true,
  }
}
