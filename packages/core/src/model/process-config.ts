/** One Listen line. */
export interface Listener {
  /** `*` for all addresses; IPv6 without brackets. */
  readonly address: string
  readonly port: number
  readonly protocol: string
}

/** What the directives say that concern the process as a whole. Numbers are httpd's event MPM's. */
export interface ProcessConfig {
  listeners: Listener[]
  pidFile: string
  scoreBoardFile?: string
  serverTokens: 'full' | 'os' | 'minimal' | 'minor' | 'major' | 'prod'
  extendedStatus?: boolean
  /** True when `UseCanonicalName DNS` stands anywhere: each connection's local address is asked for its name. */
  localNamesWanted: boolean
  seeRequestTail: boolean
  /** The least number of worker processes, as StartServers says. */
  startServers?: number
  /** Exactly so many worker processes, as WorkerProcesses says, but no more than ServerLimit. */
  workerProcesses?: number
  serverLimit: number
  /** Whether a line of the configuration says what serverLimit is: only then does it bound the number of worker processes. */
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

/** @param pidFile where the number of the server is written unless PidFile says otherwise */
export function createProcessConfig(pidFile: string): ProcessConfig {
  return {
    listeners: [],
    pidFile,
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
