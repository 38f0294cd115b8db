import { spawn } from 'node:child_process'

/** Whoever started the server as a service and wants to know how it goes (sd_notify(3)). */
export interface ServiceManager {
  /** What a successor of this process needs in its environment to tell the same manager; empty when there is nobody to tell. */
  readonly environment: Readonly<Record<string, string>>
  /** A configuration serves. `status` is shown to people. */
  ready(status: string): void
  /** A new configuration is being loaded; `ready` says when that is over, whatever came of it. */
  reloading(): void
  stopping(): void
}

const NOBODY: ServiceManager = { environment: {}, ready: () => undefined, reloading: () => undefined, stopping: () => undefined }

/** The manager that NOTIFY_SOCKET names; nobody, when there is none. */
export function serviceManager(env: NodeJS.ProcessEnv): ServiceManager {
  const { NOTIFY_SOCKET: socket } = env
  // Workers and log programs have nothing to tell.
  delete env['NOTIFY_SOCKET']
  return socket === undefined || socket === '' ? NOBODY : new Systemd(env, { NOTIFY_SOCKET: socket })
}

/** Told by the program systemd-notify, because Node has no datagram sockets of the Unix kind. */
class Systemd implements ServiceManager {
  readonly environment: Readonly<Record<string, string>>
  readonly #env: NodeJS.ProcessEnv
  #last: Promise<void> = Promise.resolve()

  constructor(env: NodeJS.ProcessEnv, environment: Readonly<Record<string, string>>) {
    this.#env = { ...env, ...environment }
    this.environment = environment
  }

  ready(status: string): void {
    this.#tell('READY=1', `MAINPID=${process.pid}`, `STATUS=${status}`)
  }

  reloading(): void {
    this.#tell('RELOADING=1')
  }

  stopping(): void {
    this.#tell('STOPPING=1')
  }

  /** One after the other: the order is what is told. */
  #tell(...variables: readonly string[]): void {
    this.#last = this.#last.then(() => this.#run(variables))
  }

  #run(variables: readonly string[]): Promise<void> {
    return new Promise((resolve) => {
      const child = spawn('systemd-notify', variables, { env: this.#env, stdio: 'ignore' })
      // Without the program the manager gives up waiting and says so; the server goes on.
      child.once('error', () => resolve())
      child.once('exit', () => resolve())
    })
  }
}
