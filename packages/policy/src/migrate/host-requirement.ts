import type { HostSet } from './host-set.ts'
import { type HostTerm, hostTerm } from './host-word.ts'
import { allOf, anyOf, DENIED, GRANTED, line, not, type Requirement } from './requirement.ts'

/** What Order, Allow and Deny let in, said by Require. @returns a reason where it cannot be said */
export function hostRequirement({ order, allow, deny }: HostSet): Requirement | { readonly reason: string } {
  const allows = allow.flatMap(termsOfLine)
  const denies = deny.flatMap(termsOfLine)
  for (const term of [...allows, ...denies]) if (term.kind === 'unsaid') return { reason: term.reason }
  const allowed = anyOf(allows.map(matching))
  const notDenied = allOf(denies.map(avoiding))
  return order === 'deny,allow' ? anyOf([allowed, notDenied]) : allOf([allowed, notDenied])
}

/** Words of a kind that follow each other stay on one line, as they were. */
function termsOfLine(words: readonly string[]): HostTerm[] {
  const terms: HostTerm[] = []
  for (const word of words) {
    const term = hostTerm(word)
    const last = terms.at(-1)
    if (term.kind === 'line' && last?.kind === 'line' && last.provider === term.provider)
      terms[terms.length - 1] = { ...last, argument: `${last.argument} ${term.argument}` }
    else terms.push(term)
  }
  return terms
}

function matching(term: HostTerm): Requirement {
  switch (term.kind) {
    case 'everybody':
      return GRANTED
    case 'line':
      return line(`${term.provider} ${term.argument}`)
    case 'negated line':
      return allOf([GRANTED, not(`${term.provider} ${term.argument}`)])
    default:
      return DENIED
  }
}

function avoiding(term: HostTerm): Requirement {
  switch (term.kind) {
    case 'everybody':
      return DENIED
    case 'line':
      return not(`${term.provider} ${term.argument}`)
    case 'negated line':
      return line(`${term.provider} ${term.argument}`)
    default:
      return GRANTED
  }
}
