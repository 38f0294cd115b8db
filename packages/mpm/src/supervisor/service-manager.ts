import { spawn } from 'node:child_process'

/** The service manager that started the server and expects notifications (sd_notify(3)). */
export interface ServiceManager {
  /**
   * The environment that a successor of this process needs to notify the same manager; empty without a
   * manager.
   */
  readonly environment: Readonly<Record<string, string>>
  /** A configuration is active. `status` is shown to people. */
  ready(status: string): void
  /** A new configuration is being loaded; `ready` reports the end, regardless of the outcome. */
  reloading(): void
  stopping(): void
  /** Resolves when the manager has all notifications, at the latest after some seconds: this process may end then. */
  notified(): Promise<void>
}

const NO_MANAGER: ServiceManager = {
  environment: {},
  ready: () => undefined,
  reloading: () => undefined,
  stopping: () => undefined,
  notified: () => Promise.resolve(),
}

/** The manager that NOTIFY_SOCKET names; without it, notifications do nothing. */
export function serviceManager(env: NodeJS.ProcessEnv): ServiceManager {
  const { NOTIFY_SOCKET: socket } = env
  // Workers and log programs do not send notifications.
  delete env['NOTIFY_SOCKET']
  return socket === undefined || socket === '' ? NO_MANAGER : new Systemd(env, { NOTIFY_SOCKET: socket })
}

/** Milliseconds after which the program is ended. */
const LONGEST = 5000

/**
 * Notifications are sent with the program systemd-notify, because Node does not have Unix datagram sockets.
 */
class Systemd implements ServiceManager {
  readonly environment: Readonly<Record<string, string>>
  readonly #env: NodeJS.ProcessEnv
  #last: Promise<void> = Promise.resolve()

  constructor(env: NodeJS.ProcessEnv, environment: Readonly<Record<string, string>>) {
    this.#env = { ...env, ...environment }
    this.environment = environment
  }

  ready(status: string): void {
    this.#notify('READY=1', `MAINPID=${process.pid}`, `STATUS=${status}`)
  }

  reloading(): void {
    this.#notify('RELOADING=1')
  }

  stopping(): void {
    this.#notify('STOPPING=1')
  }

  notified(): Promise<void> {
    return this.#last
  }

  /** One at a time: the order of notifications matters. */
  #notify(...variables: readonly string[]): void {
    this.#last = this.#last.then(() => this.#run(variables))
  }

  #run(variables: readonly string[]): Promise<void> {
    return new Promise((resolve) => {
      const child = spawn('systemd-notify', variables, { env: this.#env, stdio: 'ignore', timeout: LONGEST })
      // Without the program, the manager reports a timeout; the server continues to run.
      child.once('error', () => resolve())
      child.once('exit', () => resolve())
    })
  }
}
