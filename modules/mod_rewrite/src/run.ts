import type { Database, DirectivePlace, HostServices, MaybePromise, ModuleLog, Request, Server } from '@gatewright/api'
import { Answers } from './answers.ts'
import type { RewriteMap } from './maps/rewrite-map.ts'
import type { RewriteRule } from './rule.ts'
import type { Trace } from './trace.ts'

/** The constant parameters of applying a list of rules. */
export interface RunPlace {
  readonly request: Request
  /** The directory of the rules, with a slash at its end; null for rules of a server. */
  readonly directory: string | null
  /** RewriteBase, or null. */
  readonly base: string | null
  readonly maps: ReadonlyMap<string, RewriteMap>
  readonly services: HostServices
  readonly log: ModuleLog
  readonly trace: Trace | null
  /** Registers a function that is called before the worker ends. */
  readonly atEnd: (act: () => void) => void
  /** A variable of TLS; '' if it has no value or no module secures connections. */
  readonly tlsValue: (request: Request, name: string) => string
  /** The databases of a server; undefined without mod_dbd. */
  readonly database: (server: Server) => Database | undefined
}

/**
 * State of applying a list of rules to a request, including everything that conditions and substitutions may
 * refer to.
 */
export class Run {
  readonly request: Request
  readonly directory: string | null
  readonly base: string | null
  readonly maps: ReadonlyMap<string, RewriteMap>
  readonly services: HostServices
  readonly log: ModuleLog
  readonly trace: Trace | null
  readonly atEnd: (act: () => void) => void
  readonly tlsValue: (request: Request, name: string) => string
  readonly database: (server: Server) => Database | undefined
  /** The text that patterns are applied to. */
  uri = ''
  ruleGroups: readonly string[] = NO_GROUPS
  conditionGroups: readonly string[] = NO_GROUPS
  /** Header fields read by the present condition, and those of all conditions of the rule that held. */
  conditionVary = ''
  ruleVary = ''
  /** The latest rule with a substitution. */
  lastSubstitution: RewriteRule | null = null
  /** Set while an asynchronous look-up is in progress. The rule is tried again after it has settled. */
  waiting: Promise<void> | null = null
  /** True while a rule is tried again. */
  resumed = false
  /** Index of the first condition that has not been tested; those before it are not tested again. */
  conditionsTested = 0
  /** The position of the present rule in the configuration. */
  place: DirectivePlace | undefined = undefined
  /** Results of look-ups for the present rule: sub-requests by path, texts by question. */
  readonly requests: Answers<Request> = new Answers()
  readonly texts: Answers<string> = new Answers()

  constructor({ request, directory, base, maps, services, log, trace, atEnd, tlsValue, database }: RunPlace) {
    this.request = request
    this.directory = directory
    this.base = base
    this.maps = maps
    this.services = services
    this.log = log
    this.trace = trace
    this.atEnd = atEnd
    this.tlsValue = tlsValue
    this.database = database
  }

  /** The result of a look-up that may be asynchronous; null until it is known. */
  ask<T>(answers: Answers<T>, key: string, question: () => MaybePromise<T | null>): T | null {
    const known = answers.get(key)
    if (known !== undefined) return known
    if (this.waiting !== null) return null
    const answer = question()
    if (!(answer instanceof Promise)) return answer
    this.#waitFor(answer.then((settled) => answers.set(key, settled)))
    return null
  }

  /**
   * Yields to other requests if the next steps would exceed the request's turn; the rule is then continued
   * where it was.
   */
  givesWay(steps: number): boolean {
    const { work } = this.request
    if (!work.spend(steps)) return false
    this.#waitFor(work.pause(this.place))
    return true
  }

  #waitFor(answer: Promise<void>): void {
    this.waiting = answer.then(() => {
      this.waiting = null
      this.resumed = true
    })
  }

  /** Discards the results of a completed rule; the next rule looks up its own. */
  forgetAnswers(): void {
    this.resumed = false
    this.conditionsTested = 0
    this.requests.clear()
    this.texts.clear()
  }

  /**
   * A request header, '' if the client did not send it. The current condition then depends on this header.
   */
  readHeader(name: string): string {
    const value = this.request.headersIn.get(name)
    if (value === undefined) return ''
    if (name.toLowerCase() !== 'host') this.conditionVary = joined(this.conditionVary, name)
    return value
  }
}

export const NO_GROUPS: readonly string[] = []

/** Joins header names with a comma, as in Vary. */
export function joined(names: string, more: string): string {
  return names === '' ? more : `${names}, ${more}`
}
