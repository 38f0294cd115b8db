import type { LintRule, ModuleHost } from '@gatewright/api'
import type { SectionSettings, ServerSettings } from '../settings.ts'
import { strongerSection } from './stronger-section.ts'

/** Adds the module's rules for `gatewright lint` and `httpd -t`; each has a page in `rules`. */
export function addLintRules(host: ModuleHost<SectionSettings, ServerSettings>): void {
  const { lintRules } = host.providers
  const add = (id: string, rule: LintRule): void => lintRules.add(id, rule)
  add('SSL001', strongerSection(host))
}
