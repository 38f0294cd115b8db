import type { HostSet } from '../site/host-set.ts'
import { type HostTerm, hostTerm } from '../site/host-word.ts'
import type { HostWord } from '../site/host-words.ts'
import { allOf, anyOf, DENIED, GRANTED, line, not, type Requirement } from '../site/requirement.ts'
import type { Writing } from '../site/writing.ts'

/**
 * The clients that Order, Allow and Deny allow, expressed with Require.
 * @returns a reason if that is not possible
 */
export function hostRequirement({ order, allow, deny }: HostSet): Requirement | { readonly reason: string } {
  const allows = allow.flatMap(termsOfLine)
  const denies = deny.flatMap(termsOfLine)
  for (const term of [...allows, ...denies]) if (term.kind === 'unsaid') return { reason: term.reason }
  const allowed = anyOf(allows.map(matching))
  const notDenied = allOf(denies.map(avoiding))
  return order === 'deny,allow' ? anyOf([allowed, notDenied]) : allOf([allowed, notDenied])
}

/** Words of a kind that follow each other stay on one line, as they were. */
function termsOfLine(words: readonly HostWord[]): HostTerm[] {
  const terms: HostTerm[] = []
  for (const term of words.flatMap(termsOfWord)) {
    const last = terms.at(-1)
    if (term.kind === 'line' && last?.kind === 'line' && last.provider === term.provider)
      terms[terms.length - 1] = joined(last, term)
    else terms.push(term)
  }
  return terms
}

/** A variable with several words is still one where they all are of a kind. */
function termsOfWord({ values, writing }: HostWord): HostTerm[] {
  const [only] = values
  if (values.length === 1) return [hostTerm(only, writing)]
  const terms = values.map((value) => hostTerm(value))
  const [first] = terms
  if (first?.kind !== 'line' || first.provider === 'env') return terms
  if (terms.some((term) => term.kind !== 'line' || term.provider !== first.provider)) return terms
  return [{ ...first, argument: values.join(' '), writing }]
}

type LineTerm = Extract<HostTerm, { readonly kind: 'line' }>

function joined(one: LineTerm, other: LineTerm): LineTerm {
  return { ...one, argument: `${one.argument} ${other.argument}`, writing: joinedWriting(one, other) }
}

function joinedWriting(one: LineTerm, other: LineTerm): Writing | undefined {
  if (one.writing === undefined && other.writing === undefined) return undefined
  const text = `${one.writing?.text ?? one.argument} ${other.writing?.text ?? other.argument}`
  return { text, frame: one.writing?.frame ?? other.writing?.frame ?? null }
}

function matching(term: HostTerm): Requirement {
  switch (term.kind) {
    case 'everybody':
      return GRANTED
    case 'line':
      return line(...worded(term))
    case 'negated line':
      return allOf([GRANTED, not(...worded(term))])
    default:
      return DENIED
  }
}

function avoiding(term: HostTerm): Requirement {
  switch (term.kind) {
    case 'everybody':
      return DENIED
    case 'line':
      return not(...worded(term))
    case 'negated line':
      return line(...worded(term))
    default:
      return GRANTED
  }
}

function worded({
  provider,
  argument,
  writing,
}: Extract<HostTerm, { readonly argument: string }>): [string, Writing | undefined] {
  const prefix = `${provider} `
  return [prefix + argument, writing === undefined ? undefined : { ...writing, text: prefix + writing.text }]
}
