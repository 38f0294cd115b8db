import type { AuthzStatus } from './providers.ts'
import type { Request } from './request.ts'
import type { DecisionStep, DecisionTracer, HostDecision, RequireNode } from './tracing.ts'

/** So that a long list of lines does not make every note long. */
const NOTED_RULES = 50

/**
 * A line of the configuration that took part in a decision.
 * @since 2.4.6
 */
export interface NotedRule {
  /** The line as messages name it: `Require ip 10.0.0.0/8`, `Deny from all`. */
  readonly rule: string
  /** Its provider, `ip`; `Allow` or `Deny` for a line of mod_access_compat. */
  readonly provider: string
  /** File of the line. */
  readonly file: string
  /** Its number, from 1. */
  readonly line: number
  /** What it said, with its negation. */
  readonly verdict: AuthzStatus
}

/**
 * Notes the lines that were asked in the last decision about one request; 50 of them at most. To be returned by a function of
 * `observeDecision`.
 * @since 2.4.6
 */
export class DecisionNotes implements DecisionTracer {
  /** Whether the lines of Require granted access; null if none were evaluated. */
  granted: boolean | null = null
  #evaluated: NotedRule[] = []
  #hosts: readonly NotedRule[] = []
  #requires: readonly NotedRule[] = []

  /** The lines that were asked, those of mod_access_compat first. */
  get rules(): readonly NotedRule[] {
    return [...this.#hosts, ...this.#requires]
  }

  step(_request: Request, step: DecisionStep): void {
    if (step.kind === 'host rules') this.#hosts = hostRules(step.decision)
    if (step.kind !== 'require') return
    this.granted = step.status === 'granted'
    // After authentication the same lines are evaluated again: the last evaluation counts.
    this.#requires = this.#evaluated
    this.#evaluated = []
  }

  evaluated(_request: Request, node: RequireNode, verdict: AuthzStatus): void {
    if (node.kind !== 'require' || this.#evaluated.length >= NOTED_RULES) return
    const { file, line } = node.place
    this.#evaluated.push({ rule: node.title.trim(), provider: node.line.provider, file, line, verdict })
  }

  limited(): void {}
}

/** The words that match the client, or the section whose Order decides if none does. */
function hostRules({ section, order, words, allowed }: HostDecision): readonly NotedRule[] {
  const verdict = allowed ? 'granted' : 'denied'
  const matching = words.filter(({ matches }) => matches).slice(0, NOTED_RULES)
  if (matching.length === 0) {
    return [{ rule: `Order ${order}`, provider: 'Order', file: section.file, line: section.line, verdict }]
  }
  return matching.map(({ list, word, file, line }) => ({
    rule: `${list} from ${word}`,
    provider: list,
    file,
    line,
    verdict: list === 'Allow' ? 'granted' : 'denied',
  }))
}
