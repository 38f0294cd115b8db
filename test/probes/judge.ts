import type { Answer } from './answer.ts'
import type { Conversation } from './conversation.ts'
import { ALPHABET } from './message.ts'
import type { AnswerPattern, Outcome, Probe, Relation } from './probe.ts'

/** Whether the result is one of the outcomes that a probe accepts. */
export function isPassed(probe: Probe, came: Conversation): boolean {
  return probe.outcomes.some((outcome) => isOutcome(outcome, came))
}

/** The result, for people: `400 closed`. */
export function tell({ answers, continues, fate }: Conversation): string {
  return [...(continues > 0 ? ['100'] : []), ...answers.map(({ status }) => status), fate].join(' ')
}

function isOutcome({ answers, fate, continues }: Outcome, came: Conversation): boolean {
  if (came.fate === 'astray' || came.fate === 'silent') return false
  if (fate !== undefined && came.fate !== fate) return false
  if (continues !== undefined && came.continues !== continues) return false
  return came.answers.length === answers.length && answers.every((pattern, index) => fits(pattern, came.answers[index]))
}

function fits({ status, version, fields, body, holds }: AnswerPattern, answer: Answer): boolean {
  if (status?.some((one) => (typeof one === 'number' ? one === answer.status : one[0] === String(answer.status)[0])) === false)
    return false
  if (version !== undefined && version !== answer.version) return false
  if (body !== undefined && !(typeof body === 'string' ? body === answer.body : body.test(answer.body))) return false
  if (holds !== undefined && !RELATIONS[holds](answer)) return false
  return Object.entries(fields ?? {}).every(([name, pattern]) => {
    const value = answer.fields.get(name)
    return pattern === null ? value === undefined : value !== undefined && pattern.test(value)
  })
}

const RELATIONS: Readonly<Record<Relation, (answer: Answer) => boolean>> = {
  sameLength: ({ fields }) => (fields.get('content-length') ?? String(ALPHABET.length)) === String(ALPHABET.length),
  notFromTheFuture: ({ fields }) => {
    const modified = fields.get('last-modified')
    return modified === undefined || Date.parse(modified) <= Date.parse(fields.get('date') ?? '')
  },
}
