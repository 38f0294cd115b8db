import { TimedOut, within } from './within.ts'

/** What a pool keeps. */
export interface Pooled {
  readonly isLost: boolean
  /** Must not throw. */
  close(): void
}

/** The limits of a pool, with the meaning of the directives DBDMin, DBDKeep, DBDMax, DBDExptime and Timeout. */
export interface PoolLimits {
  readonly min: number
  readonly keep: number
  readonly max: number
  /** Milliseconds after which an idle member is closed. */
  readonly idle: number
  /** Milliseconds that an operation, and the wait for a member, may take. */
  readonly patience: number
}

/** Whether the limits make sense, as apr_reslist_create demands it. */
export function areSuitable({ min, keep, max }: PoolLimits): boolean {
  return min <= keep && keep <= max && max >= 1
}

interface Idle<C> {
  readonly member: C
  /** In milliseconds of the clock. */
  readonly since: number
}

interface Waiting<C> {
  readonly resolve: (member: C) => void
  readonly reject: (error: unknown) => void
}

/** A member for one operation, and whether it was used before. */
interface Taken<C> {
  readonly member: C
  readonly isReused: boolean
}

/** Connections that are opened as needed, used by one operation at a time, and closed when they are idle for long. */
export class Pool<C extends Pooled> {
  readonly #limits: PoolLimits
  readonly #open: () => Promise<C>
  readonly #lost: () => void
  readonly #now: () => number
  /** The one that was used last is at the end. */
  #idle: Idle<C>[] = []
  readonly #waiting: Waiting<C>[] = []
  #total = 0
  #closed = false
  #sweep: NodeJS.Timeout | null = null

  /**
   * @param open makes a member
   * @param lost called when members were lost while they were idle
   * @param now a monotonic clock in milliseconds
   */
  constructor(limits: PoolLimits, open: () => Promise<C>, lost: () => void, now: () => number = () => performance.now()) {
    this.#limits = limits
    this.#open = open
    this.#lost = lost
    this.#now = now
  }

  /** Number of members: idle, in use and being opened. */
  get size(): number {
    return this.#total
  }

  /** Opens the least number of members. @returns rejects with the error of one that cannot be opened */
  async fill(): Promise<void> {
    const missing = Math.max(0, this.#limits.min - this.#total)
    const made = await Promise.allSettled(Array.from({ length: missing }, () => this.#make()))
    for (const one of made) if (one.status === 'fulfilled') this.#release(one.value)
    const failed = made.find((one) => one.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }

  /**
   * Runs an operation on a member. A member on which it takes too long is closed.
   * @param again whether the operation may run once more, on a new member, if the first was lost meanwhile
   */
  async use<T>(operation: (member: C) => Promise<T>, again: 'repeatable' | 'once'): Promise<T> {
    const taken = await this.#take()
    try {
      return await this.#run(taken.member, operation)
    } catch (error) {
      if (again === 'once' || !taken.isReused || !taken.member.isLost || error instanceof TimedOut) throw error
      this.#lost()
      return await this.#run(await this.#make(), operation)
    }
  }

  /** Closes idle members; those in use follow when their operations end. What waits for one is rejected. */
  close(): void {
    this.#closed = true
    if (this.#sweep !== null) clearTimeout(this.#sweep)
    for (const { member } of this.#idle) this.#drop(member)
    this.#idle = []
    for (const { reject } of this.#waiting.splice(0)) reject(new Error('the pool is closed'))
  }

  async #run<T>(member: C, operation: (member: C) => Promise<T>): Promise<T> {
    let isLate = false
    try {
      return await within(operation(member), this.#limits.patience, () => {
        isLate = true
      })
    } finally {
      if (isLate) {
        this.#drop(member)
        this.#serveNext()
      } else this.#release(member)
    }
  }

  async #take(): Promise<Taken<C>> {
    const member = this.#takeIdle()
    if (member !== undefined) return { member, isReused: true }
    if (this.#total < this.#limits.max) return { member: await this.#make(), isReused: false }
    return { member: await this.#waitForOne(), isReused: true }
  }

  #takeIdle(): C | undefined {
    for (;;) {
      const last = this.#idle.pop()
      if (last === undefined) return undefined
      if (last.member.isLost) this.#lost()
      else if (!this.#hasExpired(last)) return last.member
      this.#drop(last.member)
    }
  }

  #waitForOne(): Promise<C> {
    let waiting: Waiting<C> | undefined
    const turn = new Promise<C>((resolve, reject) => {
      waiting = { resolve, reject }
      this.#waiting.push(waiting)
    })
    const giveUp = (): void => {
      const index = waiting === undefined ? -1 : this.#waiting.indexOf(waiting)
      if (index >= 0) this.#waiting.splice(index, 1)
    }
    return within(turn, this.#limits.patience, giveUp, (member) => this.#release(member))
  }

  async #make(): Promise<C> {
    if (this.#closed) throw new Error('the pool is closed')
    this.#total++
    try {
      return await within(
        this.#open(),
        this.#limits.patience,
        () => undefined,
        (member) => member.close(),
      )
    } catch (error) {
      this.#total--
      this.#serveNext()
      throw error
    }
  }

  #release(member: C): void {
    if (this.#closed || member.isLost) {
      this.#drop(member)
      this.#serveNext()
      return
    }
    const next = this.#waiting.shift()
    if (next !== undefined) return next.resolve(member)
    this.#idle.push({ member, since: this.#now() })
    this.#scheduleSweep()
  }

  /** There is room for another member: the first that waits gets a new one, or the reason why there is none. */
  #serveNext(): void {
    if (this.#closed || this.#total >= this.#limits.max) return
    const next = this.#waiting.shift()
    if (next !== undefined) this.#make().then(next.resolve, next.reject)
  }

  #drop(member: C): void {
    this.#total--
    member.close()
  }

  #hasExpired({ since }: Idle<C>): boolean {
    return this.#limits.idle > 0 && this.#now() - since >= this.#limits.idle
  }

  /** Of the idle members that are too many, those are closed that have not been used for long. */
  #scheduleSweep(): void {
    const { idle, keep } = this.#limits
    if (this.#sweep !== null || this.#idle.length <= keep) return
    this.#sweep = setTimeout(
      () => {
        this.#sweep = null
        while (this.#idle.length > keep && this.#idle[0] !== undefined && this.#hasExpired(this.#idle[0])) {
          const oldest = this.#idle.shift()
          if (oldest !== undefined) this.#drop(oldest.member)
        }
        this.#scheduleSweep()
      },
      Math.max(idle, 100),
    )
    this.#sweep.unref()
  }
}
