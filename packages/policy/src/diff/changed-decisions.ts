import type { Difference, Explained } from '../prove/prove.ts'

/** How a decision changes, gravest first. */
export const CHANGE_KINDS = ['opened', 'broken', 'closed', 'other'] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** Requests for one place whose decision changes in the same way. */
export interface ChangedDecision {
  /** `opened`: granted now; `broken`: an error now; `closed`: no longer granted; `other`: another refusal or user. */
  readonly kind: ChangeKind
  readonly target: string
  readonly before: Explained
  readonly after: Explained
  /** The most ordinary of the requests. */
  readonly example: Difference
  /** Number of classes of requests. */
  readonly classes: number
  /** Those whose decision changes, without repetitions: addresses, users (null for none), methods. */
  readonly clients: readonly string[]
  readonly users: readonly (string | null)[]
  readonly methods: readonly string[]
}

/** Groups differences by place, decision and rules; the gravest kind and the largest group first. */
export function changedDecisions(differences: readonly Difference[]): ChangedDecision[] {
  const groups = new Map<string, Difference[]>()
  for (const difference of differences) {
    const { question, before, after } = difference
    const key = JSON.stringify([question.host, question.target, before.status, after.status, before.rules, after.rules])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [difference])
    else group.push(difference)
  }
  return [...groups.values()]
    .flatMap((group) => {
      const [example] = group
      return example === undefined ? [] : [decisionOf(example, group)]
    })
    .sort((a, b) => CHANGE_KINDS.indexOf(a.kind) - CHANGE_KINDS.indexOf(b.kind) || b.classes - a.classes)
}

function decisionOf(example: Difference, group: readonly Difference[]): ChangedDecision {
  const { question, before, after } = example
  const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)]
  return {
    kind: kindOf(before.status, after.status),
    target: question.target,
    before,
    after,
    example,
    classes: group.length,
    clients: distinct(group.map(({ question: { client } }) => client)),
    users: distinct(group.map(({ question: { credentials } }) => credentials?.user ?? null)),
    methods: distinct(group.map(({ question: { method } }) => method)),
  }
}

function kindOf(before: number, after: number): ChangeKind {
  if (after >= 500) return 'broken'
  const [was, is] = [isGranted(before), isGranted(after)]
  return was === is ? 'other' : is ? 'opened' : 'closed'
}

/** Access control lets a request through that ends with another status than 401 and 403. */
function isGranted(status: number): boolean {
  return status !== 401 && status !== 403 && status < 500
}
