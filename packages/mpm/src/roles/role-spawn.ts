import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { ROLE_VARIABLE, type Role } from './role.ts'

/** How the server's own program is started again. */
export interface Program {
  /** Node. */
  readonly executable: string
  /** Arguments of Node itself. */
  readonly nodeArguments: readonly string[]
  /** Entry file of every role. */
  readonly entry: string
  /** Folder for compiled code, null for none. */
  readonly compileCache: string | null
}

/** Standard output and standard error of a child. */
export type Stream = 'inherit' | 'ignore' | 'pipe' | number

export interface RoleStreams {
  readonly stdout: Stream
  readonly stderr: Stream
}

/** First descriptor of a child that is a listening socket: after the standard streams and the channel. */
export const FIRST_SOCKET = 4

/**
 * Log target that is the server's own standard error, which workers receive in addition to the pipes to log
 * programs.
 */
export const STANDARD_ERROR = '/dev/stderr'

/** Arguments of `spawn`. */
export interface RoleSpawn {
  readonly command: string
  readonly args: readonly string[]
  readonly options: SpawnOptions
}

/**
 * Options for roles that run code of modules. SIGUSR1 opens the debugger of a Node process that does not
 * handle the signal; the first option forbids it, because it would block the signal for the supervisor. With
 * the second option, SIGINT ends the process even in an endless loop, after it has printed its stack; this
 * requires that nothing listens for SIGINT.
 */
const CODE_OF_OTHERS: readonly string[] = ['--disable-sigusr1', '--trace-sigint']

/** The call that starts a role; `sockets` become the descriptors of the child from FIRST_SOCKET. */
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
      // A session of its own: signals of a terminal go to the process that was started there, which notifies
      // the others.
      detached: true,
      ...(role === 'supervisor' ? { cwd: '/' } : {}),
    },
  }
}

/**
 * The environment without the variable that makes libuv use io_uring: the kernel would continue to open files
 * with the rights of the process that created the ring, which was root, after a worker has changed to User.
 */
function withoutIoUring(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => name !== 'UV_USE_IO_URING'))
}

export function spawnRole(call: RoleSpawn): ChildProcess {
  return spawn(call.command, call.args, call.options)
}
