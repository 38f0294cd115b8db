import type { ProcessConfig } from '../model/process-config.ts'

const MOST_SERVERS = 20_000
const MOST_THREADS = 100_000

/** Corrects numbers of the process model that are invalid alone or together, each with a warning. */
export function adjustProcessNumbers(process: ProcessConfig, warn: (code: string, text: string) => void): void {
  adjustLimits(process, warn)
  const { threadsPerChild, serverLimit } = process
  let workers = process.maxRequestWorkers ?? STANDARD_WORKERS
  if (workers < threadsPerChild) {
    const why = 'MaxRequestWorkers must be at least as large as the number of threads in a single server.'
    const text = `MaxRequestWorkers of ${workers} is less than ThreadsPerChild of ${threadsPerChild}, increasing to ${threadsPerChild}.`
    warn('AH00511', `WARNING: ${text} ${why}`)
    workers = threadsPerChild
  }
  const servers = Math.floor(workers / threadsPerChild)
  const whole = servers * threadsPerChild
  if (workers !== whole) {
    const text = `MaxRequestWorkers of ${workers} is not an integer multiple of ThreadsPerChild of ${threadsPerChild}`
    warn('AH00513', `WARNING: ${text}, decreasing to nearest multiple ${whole}, for a maximum of ${servers} servers.`)
    workers = whole
  }
  if (servers > serverLimit) {
    const most = serverLimit * threadsPerChild
    const text = `MaxRequestWorkers of ${workers} would require ${servers} servers and would exceed ServerLimit of ${serverLimit}`
    warn('AH00515', `WARNING: ${text}, decreasing to ${most}. To increase, please see the ServerLimit directive.`)
    workers = most
  }
  if (process.maxRequestWorkers !== undefined) process.maxRequestWorkers = workers
  if (process.startServers !== undefined && process.startServers < 1) {
    warn('AH00517', `WARNING: StartServers of ${process.startServers} not allowed, increasing to 1.`)
    process.startServers = 1
  }
  if (process.minSpareThreads < 1) {
    const text = `MinSpareThreads of ${process.minSpareThreads} not allowed, increasing to 1 to avoid almost certain server failure.`
    warn('AH00519', `WARNING: ${text} Please read the documentation.`)
    process.minSpareThreads = 1
  }
}

/** The default of MaxRequestWorkers: 16 servers of 25 threads. */
const STANDARD_WORKERS = 400

function adjustLimits(process: ProcessConfig, warn: (code: string, text: string) => void): void {
  if (process.serverLimit > MOST_SERVERS) {
    const text = `ServerLimit of ${process.serverLimit} exceeds compile-time limit of ${MOST_SERVERS} servers`
    warn('AH00497', `WARNING: ${text}, decreasing to ${MOST_SERVERS}.`)
    process.serverLimit = MOST_SERVERS
  } else if (process.serverLimit < 1) {
    warn('AH00499', `WARNING: ServerLimit of ${process.serverLimit} not allowed, increasing to 1.`)
    process.serverLimit = 1
  }
  if (process.threadLimit > MOST_THREADS) {
    const text = `ThreadLimit of ${process.threadLimit} exceeds compile-time limit of ${MOST_THREADS} threads`
    warn('AH00502', `WARNING: ${text}, decreasing to ${MOST_THREADS}.`)
    process.threadLimit = MOST_THREADS
  } else if (process.threadLimit < 1) {
    warn('AH00504', `WARNING: ThreadLimit of ${process.threadLimit} not allowed, increasing to 1.`)
    process.threadLimit = 1
  }
  const { threadsPerChild, threadLimit } = process
  if (threadsPerChild > threadLimit) {
    const text = `ThreadsPerChild of ${threadsPerChild} exceeds ThreadLimit of ${threadLimit} threads, decreasing to ${threadLimit}.`
    warn('AH00507', `WARNING: ${text} To increase, please see the ThreadLimit directive.`)
    process.threadsPerChild = threadLimit
  } else if (threadsPerChild < 1) {
    warn('AH00509', `WARNING: ThreadsPerChild of ${threadsPerChild} not allowed, increasing to 1.`)
    process.threadsPerChild = 1
  }
}
