import { isatty } from 'node:tty'
import type { StartTerminal } from '@gatewright/api'
import {
  type FormerSums,
  type FromSupervisor,
  ownMessage,
  type SuccessorState,
  type SuperviseOrder,
  type SuperviseTask,
  type TerminalAnswer,
} from '../roles/messages.ts'
import { type ParentChannel, parentChannel } from '../roles/parent-channel.ts'
import { RemoteTerminal } from '../roles/remote-terminal.ts'
import { FIRST_SOCKET, type Program } from '../roles/role-spawn.ts'
import { activatedSockets } from '../sockets/activated-sockets.ts'
import { adoptSocket } from '../sockets/bind-socket.ts'
import { ListenSockets } from '../sockets/listen-sockets.ts'
import { buildDate } from '../start/build-date.ts'
import { HEARTBEAT_LIMITS } from './heartbeat-watch.ts'
import { serviceManager } from './service-manager.ts'
import { Supervisor } from './supervisor.ts'
import type { Inheritance, StartConsole } from './supervisor-context.ts'

/**
 * Supervises a server in this process, attached to its caller.
 * @returns its exit status when the server has ended
 */
export async function serveHere(task: SuperviseTask, program: Program, console: StartConsole): Promise<number> {
  const watcher = isatty(2) ? new (await import('@gatewright/log/console')).ConsoleDestination() : null
  const manager = serviceManager(process.env)
  const supervisor = new Supervisor({
    task,
    program,
    console,
    limits: HEARTBEAT_LIMITS,
    streams: { stdout: 'inherit', stderr: 'inherit' },
    watcher,
    activated: activatedSockets(process.env, process.pid),
    manager,
    inheritance: null,
    // A service manager is notified of the new main process.
    isReplaceable: 'NOTIFY_SOCKET' in manager.environment,
    isAttached: true,
    onServing: () => undefined,
  })
  answerSignals(supervisor)
  process.on('SIGINT', () => supervisor.stop('SIGINT'))
  // A terminal reports a change of its size with the signal that means a graceful stop.
  process.on('SIGWINCH', () => {
    if (![0, 1, 2].some(isatty)) supervisor.stop('SIGWINCH')
  })
  return supervisor.run()
}

/**
 * Supervises a server in this process, which was started for this purpose: by a command that launches it in
 * the background, or by the supervisor that it replaces. The starter receives all messages until all workers
 * serve.
 */
export function serveDetached(program: Program): void {
  const launcher = parentChannel<FromSupervisor>()
  let started: { readonly console: LaunchConsole; readonly supervisor: Supervisor } | null = null
  process.on('message', (message) => {
    const order = ownMessage<SuperviseOrder | TerminalAnswer | FormerSums>(message, {
      supervise: true,
      answer: true,
      formerSums: true,
    })
    if (order?.type === 'answer') started?.console.answered(order)
    if (order?.type === 'formerSums') started?.supervisor.continueFrom(order.sums)
    if (order?.type === 'supervise') started = supervise(order)
  })
  const supervise = (order: SuperviseOrder): { console: LaunchConsole; supervisor: Supervisor } => {
    const { heritage } = order
    const streams = heritage?.streams ?? { stdout: 'ignore', stderr: 'ignore' }
    const console = new LaunchConsole(launcher, streams.stderr === 'inherit', heritage === undefined)
    const supervisor = new Supervisor({
      // The former supervisor may be of another version.
      task: { ...order.task, built: buildDate(program.entry) },
      program,
      console,
      limits: HEARTBEAT_LIMITS,
      streams,
      watcher: null,
      activated: [],
      manager: serviceManager(process.env),
      inheritance: heritage === undefined ? null : inheritanceOf(heritage),
      isReplaceable: true,
      isAttached: false,
      onServing: () => {
        process.off('disconnect', abandon)
        console.detach()
        launcher.send({ type: 'serving' })
      },
    })
    const abandon = (): void => supervisor.stop('SIGTERM')
    process.once('disconnect', abandon)
    answerSignals(supervisor)
    process.on('SIGINT', ignore)
    process.on('SIGWINCH', () => supervisor.stop('SIGWINCH'))
    void supervisor.run().then((status) => launcher.sendLast({ type: 'over', status }, status))
    return { console, supervisor }
  }
}

/**
 * The launcher prints messages until the server serves; afterwards they go to standard error, if it has a
 * reader.
 */
class LaunchConsole implements StartConsole {
  readonly #launcher: ParentChannel<FromSupervisor>
  readonly #hasErrors: boolean
  readonly #terminal: RemoteTerminal | null
  #isLaunched = false

  /** @param isCommand false for a launcher that is a supervisor, at which nobody can be asked */
  constructor(launcher: ParentChannel<FromSupervisor>, hasErrors: boolean, isCommand: boolean) {
    this.#launcher = launcher
    this.#hasErrors = hasErrors
    this.#terminal = isCommand ? new RemoteTerminal((message) => launcher.send(message)) : null
  }

  get terminal(): StartTerminal | null {
    return this.#isLaunched ? null : this.#terminal
  }

  answered(answer: TerminalAnswer): void {
    this.#terminal?.answered(answer)
  }

  detach(): void {
    this.#isLaunched = true
    this.#terminal?.close()
  }

  out(text: string): void {
    this.#launcher.send({ type: 'output', stream: 'stdout', text })
  }

  err(text: string): void {
    if (!this.#isLaunched) this.#launcher.send({ type: 'output', stream: 'stderr', text })
    else if (this.#hasErrors) process.stderr.write(`${text}\n`)
  }
}

/** @throws when a descriptor is not a socket */
function inheritanceOf({ inventory, sockets, secretKey, rotatingKeys, sums }: SuccessorState): Inheritance {
  const adopted = Array.from({ length: sockets }, (_, place) => {
    const found = adoptSocket(FIRST_SOCKET + place)
    if (found === null) throw new Error(`descriptor ${FIRST_SOCKET + place} is not a socket`)
    return found.socket
  })
  return { sockets: ListenSockets.inherited(inventory, adopted), secretKey, rotatingKeys, sums }
}

function answerSignals(supervisor: Supervisor): void {
  process.on('SIGTERM', () => supervisor.stop('SIGTERM'))
  for (const signal of ['SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const) process.on(signal, () => supervisor.reload(signal))
  process.on('uncaughtException', (error) => {
    // Workers detect that the supervisor has ended, complete their active requests, and end.
    supervisor.logFatal(error)
    process.exit(1)
  })
}

function ignore(): void {}
