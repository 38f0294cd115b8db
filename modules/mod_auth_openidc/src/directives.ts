import type { DirectiveTable } from '@gatewright/api'
import type { OpenIdConfig, OpenIdServerConfig } from './config.ts'
import { clientDirectives } from './directives-client.ts'
import { foreignDirectives } from './directives-foreign.ts'
import { providerDirectives } from './directives-provider.ts'
import { sectionDirectives } from './directives-section.ts'
import { sessionDirectives } from './directives-session.ts'

export const directives: DirectiveTable<OpenIdConfig, OpenIdServerConfig> = {
  ...providerDirectives,
  ...clientDirectives,
  ...sessionDirectives,
  ...sectionDirectives,
  ...foreignDirectives,
}
