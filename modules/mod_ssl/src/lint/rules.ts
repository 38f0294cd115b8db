import type { LintRule, ModuleHost } from '@gatewright/api'
import type { SectionSettings, ServerSettings } from '../settings.ts'
import { invalidDates, nearEnd } from './certificate-dates.ts'
import { chains } from './chains.ts'
import { oldProtocols } from './old-protocols.ts'
import { readableKeys } from './readable-keys.ts'
import { outdatedLists } from './revocation-lists.ts'
import { strongerSection } from './stronger-section.ts'
import { uncoveredNames } from './uncovered-names.ts'
import { unusablePairs } from './unusable-pairs.ts'
import { weakCertificates } from './weak-certificates.ts'

/** Adds the module's rules for `gatewright lint` and `httpd -t`; each has a page in `rules`. */
export function addLintRules(host: ModuleHost<SectionSettings, ServerSettings>): void {
  const { lintRules } = host.providers
  const add = (id: string, rule: LintRule): void => lintRules.add(id, rule)
  add('SSL001', strongerSection(host))
  add('SSL002', oldProtocols())
  add('SSL003', readableKeys(host))
  add('SSL004', invalidDates(host))
  add('SSL005', nearEnd(host))
  add('SSL006', uncoveredNames(host))
  add('SSL007', chains(host))
  add('SSL008', unusablePairs(host))
  add('SSL009', weakCertificates(host))
  add('SSL010', outdatedLists(host))
}
