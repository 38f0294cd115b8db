import type { MaybePromise, ModuleLog, Outcome, Request } from '@gatewright/api'
import type { AliasConfig } from './config.ts'
import { REDIRECT_IN_FIXUP } from './messages.ts'
import { tryRedirects } from './redirect.ts'

/** Redirects of `<Directory>`, `<Files>`, `<If>`, `<Location>` and .htaccess, after access control. */
export function redirectInDirectory(request: Request, config: Readonly<AliasConfig>, log: ModuleLog): MaybePromise<Outcome> {
  return tryRedirects(request, config, config.redirects, log, REDIRECT_IN_FIXUP)
}
