import type { SectionPart } from '../explanation.ts'
import { bound } from '../migrate/chains.ts'
import type { LintedSite } from './linted-site.ts'
import { type Observation, sectionsOf } from './observation.ts'
import type { Found, Rule } from './rule.ts'

/** Order, Allow and Deny beside Require lines about hosts: both are asked, and both have to agree. */
export const mixedDialects: Rule = {
  id: 'GW011',
  about: 'Order, Allow and Deny beside Require lines about hosts',
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
  const { lines } = bound(server, files, section).access
  const old = lines.find(({ kind }) => kind === 'order' || kind === 'allow' || kind === 'deny')
  // Lines in guards of their own are the same rule in both dialects, for servers that have one module or the other.
  const renewed = lines.find(
    (line) => line.kind === 'require' && line.holder === old?.holder && isAboutHosts(line.item.name, line.item.text),
  )
  if (old === undefined || renewed === undefined) return []
  return [
    {
      place: { file: place.file, line: old.item.line ?? place.line },
      message: `${old.item.name} stands beside ${renewed.item.name} ${renewed.item.text} (line ${renewed.item.line}): both are asked, and a client has to satisfy both`,
      hint: 'say it in Require alone; gatewright migrate does that, and proves it',
    },
  ]
}

/** Require lines about users are what 2.2 had, too. */
function isAboutHosts(name: string, text: string): boolean {
  return name.toLowerCase() !== 'require' || /^(?:not\s+)?(?:all|ip|host|forward-dns|local|env|method|expr)\b/i.test(text.trim())
}
