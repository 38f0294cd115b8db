import { setTimeout as pause } from 'node:timers/promises'
import { basicAuth } from '@gatewright/testing'
import type { Answer, StagedServer } from '../fixtures/staged-server.ts'

/** Milliseconds between the answer to a visitor and the next request. */
const PAUSE = 5

/** What a kind of visitor may be answered; anything else is a fault of the server. */
export interface VisitorKind {
  readonly name: string
  /** Statuses while nothing is wrong. */
  readonly usual: readonly number[]
  /** Further statuses while a service is away. */
  readonly whileAway: readonly number[]
  /** Makes the request that is sent next. */
  next(): { readonly path: string; readonly headers: Readonly<Record<string, string>> }
  /** A further check of an answer. @returns what is wrong with it */
  inspect?(answer: Answer): string | null
}

/** A visitor who sends the same credentials again and again. */
export function sameLogin(
  name: string,
  { path, user, password }: { readonly path: string; readonly user: string; readonly password: string },
  statuses: Pick<VisitorKind, 'usual' | 'whileAway'>,
): VisitorKind {
  const request = { path, headers: basicAuth(user, password) }
  return { name, ...statuses, next: () => request }
}

/** What visitors of one kind were answered. */
export class VisitorTally {
  readonly kind: VisitorKind
  readonly statuses: Map<number, number> = new Map()
  /** Requests without an answer. */
  unanswered = 0
  /** Answers that the kind must not get. */
  readonly wrong: string[] = []
  /** Answers of 200 to a kind that must never get one. */
  wrongGrants = 0

  constructor(kind: VisitorKind) {
    this.kind = kind
  }

  get requests(): number {
    return [...this.statuses.values()].reduce((sum, count) => sum + count, this.unanswered)
  }

  count(status: number): number {
    return this.statuses.get(status) ?? 0
  }

  take(answer: Answer, isAway: boolean): void {
    const { usual, whileAway } = this.kind
    this.statuses.set(answer.status, this.count(answer.status) + 1)
    if (!usual.includes(answer.status) && !(isAway && whileAway.includes(answer.status))) {
      this.wrong.push(`${answer.status}${isAway ? ' while the service was away' : ''}`)
      if (answer.status === 200) this.wrongGrants++
    }
    const complaint = this.kind.inspect?.(answer) ?? null
    if (complaint !== null) this.wrong.push(complaint)
  }
}

/** Visitors of several kinds, who send requests to all servers one after the other until they are stopped. */
export class Visitors {
  readonly tallies: readonly VisitorTally[]
  /** Set before a service goes away, and cleared when the servers were seen to use it again. */
  isAway = false
  readonly #servers: readonly StagedServer[]
  #isStopped = false
  readonly #loops: Promise<void>[]

  constructor(servers: readonly StagedServer[], kinds: readonly VisitorKind[]) {
    this.#servers = servers
    this.tallies = kinds.map((kind) => new VisitorTally(kind))
    this.#loops = this.tallies.map((tally) => this.#visit(tally))
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#loops)
  }

  /** Resolves when every kind has had so many further answers. */
  async answers(count: number): Promise<void> {
    const wanted = this.tallies.map(({ requests }) => requests + count)
    while (!this.#isStopped && this.tallies.some(({ requests }, index) => requests < wanted[index])) await pause(PAUSE)
  }

  async #visit(tally: VisitorTally): Promise<void> {
    for (let turn = 0; !this.#isStopped; turn++) {
      const server = this.#servers[turn % this.#servers.length]
      const { path, headers } = tally.kind.next()
      // A request that began while the service was away may be answered after its return, and the other way round.
      const wasAway = this.isAway
      try {
        const answer = await server.get(path, { headers })
        tally.take(answer, wasAway || this.isAway)
      } catch {
        tally.unanswered++
      }
      await pause(PAUSE)
    }
  }
}
