import type { SectionPart, Surprise } from '../explanation.ts'
import type { SurpriseContext } from './context.ts'
import { hostRulesInForce } from './in-force.ts'

/** A section that closes what a section merged later opens: a Location above a Directory, a .htaccess file, an AuthMerging Off. */
export function overriddenSection({ stage }: SurpriseContext): Surprise[] {
  if (stage.access !== 'granted') return []
  return [...overriddenRequire(stage.sections, stage.rule.name === 'nothing applies'), ...overriddenHostRules(stage)]
}

function overriddenRequire(sections: readonly SectionPart[], nothingApplies: boolean): Surprise[] {
  const opener = sections.findLast(({ require }) => require?.inForce === true)
  // What would be in force if the opener were not there.
  const last = (opener === undefined ? sections : sections.slice(0, sections.indexOf(opener))).findLast(
    ({ require }) => require !== null,
  )
  if (last === undefined || !closes(last) || isFloor(last, opener) || (opener === undefined && !nothingApplies)) return []
  const verb = last.require?.tree.verdict === 'needs a user' ? 'asks for a user' : 'refuses this request'
  return [
    {
      name: 'section overridden',
      text:
        opener === undefined
          ? `${last.title} alone ${verb}, but AuthMerging Off in a later section drops its Require directives, and without any everybody is let in.`
          : `${last.title} alone ${verb}; ${opener.title} is merged later, and its Require directives replace those before them. AuthMerging And would keep both.`,
      places: [last.place, ...(opener === undefined ? [] : [opener.place])],
    },
  ]
}

/** A root folder that is closed so that others can be opened one by one: every stock configuration has it. */
function isFloor({ kind, title }: SectionPart, opener: SectionPart | undefined): boolean {
  return (
    kind === 'Directory' && /^<Directory "?\/"?>?$/i.test(title) && (opener?.kind === 'Directory' || opener?.kind === '.htaccess')
  )
}

function closes({ require }: SectionPart): boolean {
  return require !== null && !require.inForce && CLOSING.has(require.tree.verdict)
}

const CLOSING: ReadonlySet<string> = new Set(['denied', 'needs a user'])

function overriddenHostRules(stage: SurpriseContext['stage']): Surprise[] {
  const host = hostRulesInForce(stage)
  if (host === null) return []
  const before = stage.sections.slice(0, stage.sections.indexOf(host.section))
  const closed = before.findLast(({ hostRules }) => hostRules?.ruled === true && !hostRules.allowed)
  if (closed === undefined || !host.rules.allowed) return []
  return [
    {
      name: 'host rules replaced',
      text: `${closed.title} refuses this client, but ${host.section.title} says something about Order, Allow, Deny or Satisfy, too, and any such word discards all that was inherited of them.`,
      places: [closed.place, host.section.place],
    },
  ]
}
