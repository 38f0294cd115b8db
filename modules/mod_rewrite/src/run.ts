import type { DirectivePlace, HostServices, MaybePromise, ModuleLog, Request } from '@gatewright/api'
import { Answers } from './answers.ts'
import type { RewriteMap } from './maps/rewrite-map.ts'
import type { RewriteRule } from './rule.ts'
import type { Trace } from './trace.ts'

/** What does not change while a list of rules is applied. */
export interface RunPlace {
  readonly request: Request
  /** Prefix of the rules' directory, with a slash at its end; null for rules of a server. */
  readonly directory: string | null
  /** RewriteBase, or null. */
  readonly base: string | null
  readonly maps: ReadonlyMap<string, RewriteMap>
  readonly services: HostServices
  readonly log: ModuleLog
  readonly trace: Trace | null
  /** Has something done before the worker ends. */
  readonly atEnd: (act: () => void) => void
}

/** One application of a list of rules to a request: what conditions and substitutions may refer to. */
export class Run {
  readonly request: Request
  readonly directory: string | null
  readonly base: string | null
  readonly maps: ReadonlyMap<string, RewriteMap>
  readonly services: HostServices
  readonly log: ModuleLog
  readonly trace: Trace | null
  readonly atEnd: (act: () => void) => void
  /** What patterns are applied to. */
  uri = ''
  ruleGroups: readonly string[] = NO_GROUPS
  conditionGroups: readonly string[] = NO_GROUPS
  /** Header fields that the present condition has read, and those of all conditions of the rule that held. */
  conditionVary = ''
  ruleVary = ''
  /** The latest rule that substituted something. */
  lastSubstitution: RewriteRule | null = null
  /** Set while something is looked up that has to be waited for. The rule is tried again when it has settled. */
  waiting: Promise<void> | null = null
  /** True while a rule is tried again. */
  resumed = false
  /** Conditions of the present rule that were tested: those before this place are not tested again. */
  conditionsTested = 0
  /** The line of the present rule. */
  place: DirectivePlace | undefined = undefined
  /** What was looked up for the present rule: requests by path, texts by what was asked for. */
  readonly requests: Answers<Request> = new Answers()
  readonly texts: Answers<string> = new Answers()

  constructor({ request, directory, base, maps, services, log, trace, atEnd }: RunPlace) {
    this.request = request
    this.directory = directory
    this.base = base
    this.maps = maps
    this.services = services
    this.log = log
    this.trace = trace
    this.atEnd = atEnd
  }

  /** An answer that may have to be waited for; null until it is there. */
  ask<T>(answers: Answers<T>, key: string, question: () => MaybePromise<T | null>): T | null {
    const known = answers.get(key)
    if (known !== undefined) return known
    if (this.waiting !== null) return null
    const answer = question()
    if (!(answer instanceof Promise)) return answer
    this.#waitFor(answer.then((settled) => answers.set(key, settled)))
    return null
  }

  /** Gives way to other requests when the next steps are due to wait; the rule is tried again after that, from where it is. */
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

  /** The rule is complete: the next one asks again. */
  forgetAnswers(): void {
    this.resumed = false
    this.conditionsTested = 0
    this.requests.clear()
    this.texts.clear()
  }

  /** A request header, '' if it was not sent; a condition that reads one depends on it. */
  readHeader(name: string): string {
    const value = this.request.headersIn.get(name)
    if (value === undefined) return ''
    if (name.toLowerCase() !== 'host') this.conditionVary = joined(this.conditionVary, name)
    return value
  }
}

export const NO_GROUPS: readonly string[] = []

/** Header names as Vary lists them. */
export function joined(names: string, more: string): string {
  return names === '' ? more : `${names}, ${more}`
}
