import type { AnyModule } from '@gatewright/api'
import accessCompat from 'mod_access_compat'
import alias from 'mod_alias'
import authBasic from 'mod_auth_basic'
import authnCore from 'mod_authn_core'
import authnFile from 'mod_authn_file'
import authzCore from 'mod_authz_core'
import authzGroupfile from 'mod_authz_groupfile'
import authzHost from 'mod_authz_host'
import authzUser from 'mod_authz_user'

/** The modules that configurations about access need at least. */
export const ACCESS_MODULES: readonly AnyModule[] = [
  accessCompat,
  alias,
  authBasic,
  authnCore,
  authnFile,
  authzCore,
  authzGroupfile,
  authzHost,
  authzUser,
]
