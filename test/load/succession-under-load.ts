import { FakeManager } from '../fixtures/fake-manager.ts'
import { isRunning } from '../fixtures/processes.ts'
import type { Owner, Run } from '../fixtures/staged-server.ts'
import { type LoadOptions, ServerUnderLoad } from './server-under-load.ts'

/** A server whose supervisors succeed each other under a service manager, with active clients. */
export class SuccessionUnderLoad {
  readonly site: ServerUnderLoad
  readonly manager: FakeManager
  readonly #successors = new Set<number>()

  private constructor(site: ServerUnderLoad, manager: FakeManager) {
    this.site = site
    this.manager = manager
  }

  static async start(owner: Owner, options: LoadOptions): Promise<SuccessionUnderLoad> {
    let manager: FakeManager | undefined
    const site = await ServerUnderLoad.start(owner, {
      ...options,
      environment: (server) => {
        manager = new FakeManager(server)
        return manager.variables
      },
    })
    if (manager === undefined) throw new Error('the server was not prepared')
    const made = new SuccessionUnderLoad(site, manager)
    owner.teardown(async () => {
      for (const pid of made.#successors) if (isRunning(pid)) process.kill(pid, 'SIGKILL')
    })
    return made
  }

  /** Process id of the present supervisor. */
  pid(): number {
    return Number(this.site.server.read('logs/httpd.pid'))
  }

  /** Has the installed program take over. */
  async upgrade(): Promise<Run> {
    const run = await this.site.server.run('-k', 'upgrade')
    if (this.pid() !== this.site.server.pid) this.#successors.add(this.pid())
    return run
  }
}
