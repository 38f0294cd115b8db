import type { HostRulesPart, SectionPart, Stage } from '../explanation.ts'

/** The section whose Order, Allow, Deny and Satisfy apply to the request, and their content. */
export function hostRulesInForce(stage: Stage): { readonly section: SectionPart; readonly rules: HostRulesPart } | null {
  const section = stage.sections.findLast(({ hostRules }) => hostRules?.inForce === true)
  return section === undefined || section.hostRules === null ? null : { section, rules: section.hostRules }
}
