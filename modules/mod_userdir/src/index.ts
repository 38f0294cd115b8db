import { defineModule, type Module } from '@gatewright/api'
import { createConfig, mergeConfigs, type UserDirConfig } from './config.ts'
import { directives } from './directives.ts'
import { translate } from './translate.ts'

const userdir: Module<undefined, UserDirConfig> = defineModule({
  name: 'userdir_module',
  source: 'mod_userdir.c',
  capabilities: ['fs'],
  perServer: { create: createConfig, merge: mergeConfigs },
  directives,
  register({ hooks, serverConfigOf, services }) {
    const homeFolder = (user: string): string | null => services.homeFolder(user)
    hooks.translateName.add((request) => translate(request, serverConfigOf(request.server), homeFolder), {
      after: ['mod_alias.c'],
      before: ['mod_vhost_alias.c'],
    })
  },
})
export default userdir
