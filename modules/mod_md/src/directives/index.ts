import type { DirectiveTable } from '@gatewright/api'
import type { MdSettings } from '../settings.ts'
import { certificateDirectives } from './certificates.ts'
import { domainDirectives } from './domains.ts'
import { processDirectives } from './process.ts'

/** The directives of mod_md. */
export const directives: DirectiveTable<undefined, MdSettings> = {
  ...domainDirectives,
  ...certificateDirectives,
  ...processDirectives,
}
