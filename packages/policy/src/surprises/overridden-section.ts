import type { SectionPart, Stage, Surprise } from '../explanation.ts'
import type { SurpriseContext } from '../mistakes/context.ts'
import { hostRulesInForce } from '../stages/in-force.ts'

/**
 * A section that denies access which a section merged later grants: a Location over a Directory, a .htaccess
 * file, an AuthMerging Off.
 */
export function overriddenSection({ stage }: SurpriseContext): Surprise[] {
  return [...surpriseOf(overriddenRequire(stage)), ...hostRulesSurprise(replacedHostRules(stage))]
}

function surpriseOf(overridden: Overridden | null): Surprise[] {
  if (overridden === null) return []
  const { closed, opener } = overridden
  const verb = closed.require?.tree.verdict === 'needs a user' ? 'asks for a user' : 'refuses this request'
  return [
    {
      name: 'section overridden',
      text:
        opener === null
          ? `${closed.title} alone ${verb}, but AuthMerging Off in a later section drops its Require directives, and without any, access is granted to everybody.`
          : `${closed.title} alone ${verb}; ${opener.title} is merged later, and its Require directives replace the earlier ones. AuthMerging And would keep both.`,
      places: [closed.place, ...(opener === null ? [] : [opener.place])],
    },
  ]
}

function hostRulesSurprise(replaced: Overridden | null): Surprise[] {
  if (replaced === null || replaced.opener === null) return []
  const { closed, opener } = replaced
  return [
    {
      name: 'host rules replaced',
      text: `${closed.title} denies this client, but ${opener.title} also contains Order, Allow, Deny or Satisfy, and any of these discards all that it would inherit of them.`,
      places: [closed.place, opener.place],
    },
  ]
}

/**
 * A section that denies access, and the later one that grants it; null if none grants it, although the
 * denying one is no longer in force.
 */
export interface Overridden {
  readonly closed: SectionPart
  readonly opener: SectionPart | null
}

/**
 * For a granted request: the Require lines that would deny it or require a user, if no later section replaced
 * them.
 */
export function overriddenRequire({ access, rule, sections }: Stage): Overridden | null {
  if (access !== 'granted') return null
  const opener = sections.findLast(({ require }) => require?.inForce === true) ?? null
  // The sections in force without the granting one.
  const closed = (opener === null ? sections : sections.slice(0, sections.indexOf(opener))).findLast(
    ({ require }) => require !== null,
  )
  if (closed === undefined || !closes(closed) || isFloor(closed, opener)) return null
  return opener === null && rule.name !== 'nothing applies' ? null : { closed, opener }
}

/**
 * For a granted request: the Order, Allow and Deny lines that would deny it, if a later section did not
 * discard them.
 */
export function replacedHostRules(stage: Stage): Overridden | null {
  if (stage.access !== 'granted') return null
  const host = hostRulesInForce(stage)
  if (host === null || !host.rules.allowed) return null
  const before = stage.sections.slice(0, stage.sections.indexOf(host.section))
  const closed = before.findLast(({ hostRules }) => hostRules?.ruled === true && !hostRules.allowed)
  return closed === undefined ? null : { closed, opener: host.section }
}

/** A root folder that is closed so that others can be opened one by one: every stock configuration has it. */
function isFloor({ kind, title }: SectionPart, opener: SectionPart | null): boolean {
  return (
    kind === 'Directory' && /^<Directory "?\/"?>?$/i.test(title) && (opener?.kind === 'Directory' || opener?.kind === '.htaccess')
  )
}

function closes({ require }: SectionPart): boolean {
  return require !== null && !require.inForce && CLOSING.has(require.tree.verdict)
}

const CLOSING: ReadonlySet<string> = new Set(['denied', 'needs a user'])
