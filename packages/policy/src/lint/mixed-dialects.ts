import type { SectionPart } from '../explanation.ts'
import type { Found, Rule } from '../mistakes/rule.ts'
import { type AccessText, accessText } from '../site/access-text.ts'
import type { LintedSite } from '../site/linted-site.ts'
import { type Observation, sectionsOf } from '../site/observation.ts'
import { itemsAt } from '../site/section-at.ts'
import { guardsOf } from './guards.ts'

/**
 * Order, Allow and Deny together with Require lines about hosts: both are evaluated, and both must grant
 * access.
 */
export const mixedDialects: Rule = {
  id: 'GW011',
  about: 'Order, Allow and Deny together with Require lines about hosts',
  severity: 'warning',
  isConfirmed: false,
  find: (site) =>
    site.observations.flatMap((observation) =>
      observation.stage.sections.flatMap((section) => found(site, observation, section)),
    ),
}

function found({ server, files }: LintedSite, observation: Observation, { place, require, hostRules }: SectionPart): Found[] {
  if (require === null || hostRules?.ruled !== true) return []
  const section = sectionsOf(observation).find(({ file, line }) => file === place.file && line === place.line)
  if (section === undefined) return []
  const lines = accessText(itemsAt(files, place), guardsOf(server, section))
  const old = lines.find(({ item }) => item.kind === 'directive' && OLD.has(item.name.toLowerCase()))
  // Lines in separate guards are the same rule in both dialects, for servers with one module or the other.
  const renewed = lines.find((line) => line.guard === old?.guard && isAboutHosts(line.item))
  if (old === undefined || renewed === undefined) return []
  return [
    {
      place: { file: place.file, line: old.item.line ?? place.line },
      message: `${written(old.item)} and ${written(renewed.item)} (line ${renewed.item.line}) apply together: a client must satisfy both`,
      hint: 'use Require only; gatewright migrate rewrites and proves it',
    },
  ]
}

const OLD: ReadonlySet<string> = new Set(['order', 'allow', 'deny'])

function written({ kind, name, text }: AccessText['item']): string {
  const line = `${name} ${text}`.trim()
  return kind === 'section' ? `<${line}>` : line
}

/** 2.2 has Require lines about users, too. */
function isAboutHosts(item: AccessText['item']): boolean {
  if (item.kind === 'section') return true
  return (
    item.name.toLowerCase() === 'require' &&
    /^(?:not\s+)?(?:all|ip|host|forward-dns|local|env|method|expr)\b/i.test(item.text.trim())
  )
}
