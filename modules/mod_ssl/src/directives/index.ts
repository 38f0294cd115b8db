import type { DirectiveTable } from '@gatewright/api'
import type { SectionSettings, ServerSettings } from '../settings.ts'
import { processDirectives } from './process.ts'
import { proxyDirectives } from './proxy.ts'
import { onlineRevocationDirectives } from './revocation-online.ts'
import { sectionDirectives } from './sections.ts'
import { serverDirectives } from './server.ts'

/** Every directive of the module. */
export const directives: DirectiveTable<SectionSettings, ServerSettings> = {
  ...processDirectives,
  ...serverDirectives,
  ...sectionDirectives,
  ...proxyDirectives,
  ...onlineRevocationDirectives,
}
