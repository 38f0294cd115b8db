import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { ROLE_VARIABLE, type Role } from './role.ts'

/** How the server's own program is started again. */
export interface Program {
  /** Node. */
  readonly executable: string
  /** Arguments of Node itself. */
  readonly nodeArguments: readonly string[]
  /** File that every role begins with. */
  readonly entry: string
  /** Folder for compiled code, null for none. */
  readonly compileCache: string | null
}

/** What a child's standard output and error are. */
export type Stream = 'inherit' | 'ignore' | 'pipe' | number

export interface RoleStreams {
  readonly stdout: Stream
  readonly stderr: Stream
}

/** First descriptor of a child that is a listening socket: behind the standard ones and the channel. */
export const FIRST_SOCKET = 4

/** Log target that is the server's own standard error, which workers are given beside the pipes to log programs. */
export const STANDARD_ERROR = '/dev/stderr'

/** Everything that `spawn` is told. */
export interface RoleSpawn {
  readonly command: string
  readonly args: readonly string[]
  readonly options: SpawnOptions
}

/**
 * Options for roles that run code of modules. SIGUSR1 opens the debugger of a Node process that does not handle it, which the first one forbids; it would block
 * the signal for the supervisor. With the second SIGINT ends the process even in an endless loop, after it has printed its stack; only where nothing listens
 * for SIGINT.
 */
const CODE_OF_OTHERS: readonly string[] = ['--disable-sigusr1', '--trace-sigint']

/** The call that starts a role; `sockets` become descriptors FIRST_SOCKET and following of the child. */
export function roleSpawn(
  role: Role,
  program: Program,
  streams: RoleStreams,
  sockets: readonly number[],
  environment: NodeJS.ProcessEnv,
): RoleSpawn {
  const cache = program.compileCache === null ? {} : { NODE_COMPILE_CACHE: program.compileCache }
  return {
    command: program.executable,
    args: [...program.nodeArguments, ...(role === 'supervisor' ? [] : CODE_OF_OTHERS), program.entry],
    options: {
      env: { ...withoutIoUring(environment), ...cache, [ROLE_VARIABLE]: role },
      stdio: ['ignore', streams.stdout, streams.stderr, 'ipc', ...sockets],
      // A session of its own: what a terminal does is the business of whoever was started there, which tells the others.
      detached: true,
      ...(role === 'supervisor' ? { cwd: '/' } : {}),
    },
  }
}

/**
 * The environment without the variable that has libuv use io_uring: the kernel would go on to open files with the rights that the ring was made with, which
 * are root's, after a worker has become User.
 */
function withoutIoUring(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => name !== 'UV_USE_IO_URING'))
}

export function spawnRole(call: RoleSpawn): ChildProcess {
  return spawn(call.command, call.args, call.options)
}
