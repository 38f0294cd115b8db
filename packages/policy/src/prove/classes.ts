import type { Question } from '../question.ts'
import type { Client } from './clients.ts'
import type { VariableSwitch } from './environment.ts'
import type { RuleWords } from './words.ts'

/** One property in which requests differ; its first value is the usual one. */
type Aspect = readonly Partial<Question>[]

export interface RequestClasses {
  /** The questions, those first that differ least from the usual one. */
  readonly questions: Iterable<{ readonly question: Question; readonly differences: number }>
  readonly count: number
}

/** Users that no rule names, with and without a valid password. */
const STRANGER = 'gatewright-stranger'
const MAX_VARIABLES = 4

/**
 * All requests to one place that rules can distinguish: clients, logins, methods and variables in every
 * combination.
 */
export function requestClasses(
  base: Question,
  words: RuleWords,
  {
    clients,
    switches,
    members,
  }: { readonly clients: readonly Client[]; readonly switches: readonly VariableSwitch[]; readonly members: readonly string[] },
): RequestClasses {
  const aspects: Aspect[] = [
    clients.map(({ address }) => ({ client: address })),
    logins(words, members),
    methods(words),
    variables(switches),
  ]
  return {
    count: aspects.reduce((count, { length }) => count * length, 1),
    questions: combinations(base, aspects),
  }
}

function logins({ users, asksForUser }: RuleWords, members: readonly string[]): Aspect {
  if (!asksForUser) return [{ credentials: null }]
  const names = [...new Set([...users, ...members, STRANGER])].filter((name) => !/[:\s%${}]/.test(name))
  return [
    { credentials: null },
    ...names.map((user) => ({ credentials: { user, password: null } })),
    { credentials: { user: names[0], password: 'wrong' } },
  ]
}

function methods({ methods: named }: RuleWords): Aspect {
  // TRACE is answered before any rule is evaluated, and CONNECT does not refer to a file.
  const all = new Set(['GET', 'POST', ...named, ...(named.size > 0 ? ['HEAD', 'OPTIONS', 'DELETE'] : [])])
  return [...all]
    .filter((method) => /^[A-Z-]+$/.test(method) && method !== 'TRACE' && method !== 'CONNECT')
    .map((method) => ({ method }))
}

function variables(switches: readonly VariableSwitch[]): Aspect {
  const few = switches.slice(0, MAX_VARIABLES)
  const sets = Array.from({ length: 2 ** few.length }, (_, bits) => few.filter((__, index) => (bits >> index) & 1))
  const rest = switches.slice(MAX_VARIABLES).map((one) => [one])
  return [...sets, ...rest].map((set) => ({ headers: set.map(({ header }) => header) }))
}

/** Ordered by the number of unusual aspects. */
function* combinations(
  base: Question,
  aspects: readonly Aspect[],
): Generator<{ readonly question: Question; readonly differences: number }> {
  for (let differences = 0; differences <= aspects.length; differences++)
    for (const question of withDifferences(base, aspects, differences)) yield { question, differences }
}

function* withDifferences(base: Question, aspects: readonly Aspect[], differences: number): Generator<Question> {
  const [aspect, ...others] = aspects
  if (aspect === undefined) {
    if (differences === 0) yield base
    return
  }
  if (differences <= others.length) yield* withDifferences({ ...base, ...aspect[0] }, others, differences)
  if (differences > 0) for (const value of aspect.slice(1)) yield* withDifferences({ ...base, ...value }, others, differences - 1)
}
