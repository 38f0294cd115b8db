import { isIP } from 'node:net'
import { directive } from '@gatewright/api'
import { internals } from '../../config/command-impl.ts'
import type { ProcessConfig } from '../../model/process-config.ts'
import { bufferSize, ignoredNumber, notNegative, positive, processNumber } from './number-words.ts'
import { accepted, type CoreTable, GLOBAL } from './types.ts'

/**
 * The process model, with the names of httpd's event MPM. Threads are concurrent requests: a process here has
 * one thread.
 */
export const processDirectives: CoreTable = {
  Listen: directive.argv({
    scope: 'server',
    context: GLOBAL,
    help: 'address and port to listen on, and optionally a protocol',
    set: (_config, words, command) => {
      if (words.length < 1 || words.length > 2) return 'Listen requires 1 or 2 arguments.'
      const listener = parseListen(words[0], words[1])
      if (typeof listener === 'string') return listener
      const { listeners } = internals(command).context.configuration.process
      if (listeners.some(({ address, port }) => address === listener.address && port === listener.port)) {
        return 'Cannot define multiple Listeners on the same IP:port'
      }
      listeners.push(listener)
      return undefined
    },
  }),
  PidFile: directive.take1({
    scope: 'server',
    context: GLOBAL,
    help: 'file that stores the process ID of the server',
    set: (_config, path, command) => {
      internals(command).context.configuration.process.pidFile = path
    },
  }),
  ScoreBoardFile: directive.take1({
    scope: 'server',
    context: GLOBAL,
    help: 'workers report their figures by message',
    effect: 'none',
    set: (_config, path, command) => {
      internals(command).context.configuration.process.scoreBoardFile = path
    },
  }),
  StartServers: processNumber(
    'minimum number of worker processes; the default is one per processor',
    (process, value) => void (process.startServers = value),
  ),
  WorkerProcesses: processNumber(
    'number of worker processes, instead of one per processor',
    (process, value) => void (process.workerProcesses = value),
    positive('WorkerProcesses'),
  ),
  ServerLimit: processNumber('maximum number of worker processes', (process, value) => {
    process.serverLimit = value
    process.serverLimitGiven = true
  }),
  ThreadLimit: processNumber('upper limit of ThreadsPerChild', (process, value) => void (process.threadLimit = value)),
  ThreadsPerChild: ignoredNumber(
    'shown by mod_status; limits nothing',
    (process, value) => void (process.threadsPerChild = value),
  ),
  MaxRequestWorkers: ignoredNumber(
    'shown by mod_status; limits nothing',
    (process, value) => void (process.maxRequestWorkers = value),
  ),
  MaxClients: ignoredNumber('former name of MaxRequestWorkers', (process, value) => void (process.maxRequestWorkers = value)),
  MinSpareThreads: ignoredNumber(
    'the server does not start processes on demand',
    (process, value) => void (process.minSpareThreads = value),
  ),
  MaxSpareThreads: ignoredNumber(
    'the server does not end idle processes',
    (process, value) => void (process.maxSpareThreads = value),
  ),
  MinSpareServers: ignoredNumber('of the prefork process model: the server does not start processes on demand', () => undefined),
  MaxSpareServers: ignoredNumber('of the prefork process model: the server does not end idle processes', () => undefined),
  MaxConnectionsPerChild: processNumber(
    'number of connections after which a process is replaced; 0 for never',
    (process, value) => void (process.maxConnectionsPerChild = value),
  ),
  MaxRequestsPerChild: processNumber(
    'former name of MaxConnectionsPerChild',
    (process, value) => void (process.maxConnectionsPerChild = value),
  ),
  GracefulShutdownTimeout: processNumber(
    'maximum duration of a graceful stop in seconds; 0 for no limit',
    (process, value) => void (process.gracefulShutdownTimeout = value),
  ),
  ListenBacklog: processNumber(
    'length of the queue of pending connections',
    (process, value) => void (process.listenBacklog = value),
    positive('ListenBacklog'),
  ),
  SendBufferSize: ignoredNumber(
    'the operating system chooses',
    (process, value) => void (process.sendBufferSize = value),
    bufferSize('SendBufferSize'),
  ),
  ReceiveBufferSize: ignoredNumber(
    'the operating system chooses',
    (process, value) => void (process.receiveBufferSize = value),
    bufferSize('ReceiveBufferSize'),
  ),
  AsyncRequestWorkerFactor: directive.take1({
    scope: 'server',
    context: GLOBAL,
    help: 'connections do not occupy threads',
    effect: 'none',
    set: (_config, text) => {
      if (!/^[+-]?(\d|\.\d)/.test(text)) return 'error parsing value'
      return Number.parseFloat(text) > 0 ? undefined : 'AsyncRequestWorkerFactor argument must be a positive number'
    },
  }),
  ThreadStackSize: ignoredNumber('each process has one thread', () => undefined, notNegative('ThreadStackSize')),
  MaxMemFree: ignoredNumber('memory is garbage-collected', () => undefined, notNegative('MaxMemFree')),
  CoreDumpDirectory: directive.take1({
    scope: 'server',
    context: GLOBAL,
    help: 'set the core dump folder in the service manager instead',
    effect: 'none',
    set: (_config, path, command) => {
      const folder = command.serverRelative(path)
      const kind = internals(command).context.configuration.options.source.kind(folder)
      if (kind === 'directory') return undefined
      return `CoreDumpDirectory ${folder} ${kind === 'missing' ? 'does not exist' : 'is not a directory'}`
    },
  }),
  EnableExceptionHook: directive.take1({
    scope: 'server',
    context: GLOBAL,
    help: 'this server does not have this hook',
    effect: 'none',
    set: accepted,
  }),
  AcceptFilter: directive.take2({
    scope: 'server',
    context: GLOBAL,
    help: 'the operating system decides when to accept a connection',
    effect: 'none',
    set: accepted,
  }),
  ListenCoresBucketsRatio: ignoredNumber('each process has its own queue', () => undefined, positive('ListenCoresBucketsRatio')),
  ListenTCPDeferAccept: ignoredNumber(
    'the operating system decides when to accept a connection',
    () => undefined,
    positive('ListenTCPDeferAccept'),
  ),
}

/** `PORT`, `ADDRESS:PORT`, `[IPV6]:PORT`; a name is resolved when it is bound. */
function parseListen(word: string, protocol: string | undefined): ProcessConfig['listeners'][number] | string {
  const split = /^(?:(\[[^\]]*\]|.*):)?([^:]*)$/.exec(word)
  const host = (split?.[1] ?? '').replace(/^\[|\]$/g, '')
  const portText = split?.[2] ?? ''
  if (!/^\d+$/.test(portText)) return 'Port must be specified'
  const port = Number(portText)
  if (port < 1 || port > 65535) return 'Invalid address or port'
  // A colon without an address before it is invalid.
  if (split?.[1] !== undefined && host === '') return 'Invalid address or port'
  const address = host === '' ? '*' : host
  if (split?.[1]?.startsWith('[') === true && isIP(address.replace(/%.*/, '')) !== 6) return 'Invalid address or port'
  return { address, port, protocol: protocol?.toLowerCase() ?? (port === 443 ? 'https' : 'http') }
}
