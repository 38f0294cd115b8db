import { isatty } from 'node:tty'
import { type FromSupervisor, ownMessage, type SuperviseOrder, type SuperviseTask } from '../roles/messages.ts'
import { parentChannel } from '../roles/parent-channel.ts'
import type { Program } from '../roles/role-spawn.ts'
import { activatedSockets } from '../sockets/activated-sockets.ts'
import { HEARTBEAT_LIMITS } from './heartbeat-watch.ts'
import { serviceManager } from './service-manager.ts'
import { Supervisor } from './supervisor.ts'
import type { StartConsole } from './supervisor-context.ts'

/** Supervises a server in this process, attached to where it was called. @returns its exit status, when it is over */
export async function serveHere(task: SuperviseTask, program: Program, console: StartConsole): Promise<number> {
  const watcher = isatty(2) ? new (await import('@gatewright/log/console')).ConsoleDestination() : null
  const supervisor = new Supervisor({
    task,
    program,
    console,
    limits: HEARTBEAT_LIMITS,
    streams: { stdout: 'inherit', stderr: 'inherit' },
    watcher,
    activated: activatedSockets(process.env, process.pid),
    manager: serviceManager(process.env),
    onServing: () => undefined,
  })
  answerSignals(supervisor)
  process.on('SIGINT', () => supervisor.stop('SIGINT'))
  // A terminal whose size changes says so with the signal that means a graceful stop.
  process.on('SIGWINCH', () => {
    if (![0, 1, 2].some(isatty)) supervisor.stop('SIGWINCH')
  })
  return supervisor.run()
}

/** Supervises a server in this process, which was launched for it; the launcher is told what happens until all workers serve. */
export function serveDetached(program: Program): void {
  const launcher = parentChannel<FromSupervisor>()
  const tell = (stream: 'stdout' | 'stderr', text: string): void => launcher.send({ type: 'output', stream, text })
  process.on('message', (message) => {
    const order = ownMessage<SuperviseOrder>(message, { supervise: true })
    if (order === undefined) return
    const supervisor = new Supervisor({
      task: order.task,
      program,
      console: { out: (line) => tell('stdout', line), err: (line) => tell('stderr', line) },
      limits: HEARTBEAT_LIMITS,
      streams: { stdout: 'ignore', stderr: 'ignore' },
      watcher: null,
      activated: [],
      manager: serviceManager(process.env),
      onServing: () => {
        process.off('disconnect', abandon)
        launcher.send({ type: 'serving' })
      },
    })
    const abandon = (): void => supervisor.stop('SIGTERM')
    process.once('disconnect', abandon)
    answerSignals(supervisor)
    process.on('SIGINT', ignore)
    process.on('SIGWINCH', () => supervisor.stop('SIGWINCH'))
    void supervisor.run().then((status) => launcher.sendLast({ type: 'over', status }, status))
  })
}

function answerSignals(supervisor: Supervisor): void {
  process.on('SIGTERM', () => supervisor.stop('SIGTERM'))
  process.on('SIGHUP', () => supervisor.reload('SIGHUP'))
  process.on('SIGUSR1', () => supervisor.reload('SIGUSR1'))
  process.on('uncaughtException', (error) => {
    // Workers notice that they are alone, answer what they have, and end.
    supervisor.lament(error)
    process.exit(1)
  })
}

function ignore(): void {}
