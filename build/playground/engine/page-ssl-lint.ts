import type { ModuleHost } from '@gatewright/api'
import { oldProtocols } from '../../../modules/mod_ssl/src/lint/old-protocols.ts'
import { strongerSection } from '../../../modules/mod_ssl/src/lint/stronger-section.ts'
import type { SectionSettings, ServerSettings } from '../../../modules/mod_ssl/src/settings.ts'

/** The rules of mod_ssl that read no certificates and keys. */
export function addLintRules(host: ModuleHost<SectionSettings, ServerSettings>): void {
  const { lintRules } = host.providers
  lintRules.add('SSL001', strongerSection(host))
  lintRules.add('SSL002', oldProtocols())
}
