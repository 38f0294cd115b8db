import { renameSync } from 'node:fs'
import { gone } from '../fixtures/processes.ts'
import type { Run } from '../fixtures/staged-server.ts'
import type { ServerUnderLoad } from '../load/server-under-load.ts'
import { killUnderLoad } from '../load/worker-kill.ts'
import type { LogAudit } from './log-audit.ts'

/** The numbers of workers in successive reloads. */
const SIZES = [3, 1, 2] as const

/** Counted disturbances of an active server. */
export class Disturbances {
  readonly count = { reloads: 0, refusals: 0, kills: 0, rotations: 0 }
  /** Processes that were killed. */
  readonly victims: Set<number> = new Set()
  readonly #site: ServerUnderLoad
  readonly #audit: LogAudit
  readonly #mayFail: (() => number)[] = []
  readonly #order = [() => this.#resize(), () => this.#kill(), () => this.rotate(), () => this.#refuse()]
  #done = 0

  constructor(site: ServerUnderLoad, audit: LogAudit) {
    this.#site = site
    this.#audit = audit
  }

  /** How often each of them has been made. */
  get rounds(): number {
    return Math.floor(this.#done / this.#order.length)
  }

  /** Makes the next one. Resolves when its effect has been seen. */
  async next(): Promise<void> {
    await this.#order[this.#done++ % this.#order.length]()
  }

  /** Requests that may fail because a process was killed that had them. */
  mayFail(): number {
    return this.#mayFail.reduce((sum, count) => sum + count(), 0)
  }

  /** Renames both logs, has the configuration loaded again, and reads them when their last writer has ended. */
  async rotate(): Promise<void> {
    const { server } = this.#site
    const suffix = `.${++this.count.rotations}`
    for (const log of ['access_log', 'error_log']) renameSync(server.path(`logs/${log}`), server.path(`logs/${log}${suffix}`))
    await gone(await this.#reload())
    await this.#audit.read(suffix)
  }

  /** Sets the number of workers of the server. */
  async resize(workers: number): Promise<void> {
    this.#site.resize(workers)
    await gone(await this.#reload())
    this.count.reloads++
  }

  /** Resolves when the new configuration serves, with the workers that served before. */
  async #reload(): Promise<number[]> {
    const old = this.#site.workers()
    const { status, stderr } = await this.#graceful()
    if (status !== 0) throw new Error(`a reload is refused: ${stderr.join('\n')}`)
    return old
  }

  /** The command waits for the outcome. */
  #graceful(): Promise<Run> {
    return this.#site.server.run('-k', 'graceful')
  }

  #resize(): Promise<void> {
    return this.resize(SIZES[this.count.reloads % SIZES.length])
  }

  async #kill(): Promise<void> {
    const workers = this.#site.workers()
    const victim = workers[this.count.kills % workers.length]
    this.victims.add(victim)
    const { mayFail } = await killUnderLoad(this.#site, victim)
    this.#mayFail.push(mayFail)
    this.count.kills++
  }

  async #refuse(): Promise<void> {
    this.#site.configure('NoSuchThing on')
    const { status } = await this.#graceful()
    if (status !== 1) throw new Error(`a bad configuration is refused with status ${status}`)
    this.#site.configure()
    this.count.refusals++
  }
}
