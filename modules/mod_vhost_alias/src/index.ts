import { defineModule, type Module } from '@gatewright/api'
import { mergeConfigs, type VhostAliasConfig } from './config.ts'
import { directives } from './directives.ts'
import { translate } from './translate.ts'

const vhostAlias: Module<undefined, VhostAliasConfig> = defineModule({
  name: 'vhost_alias_module',
  source: 'mod_vhost_alias.c',
  perServer: { create: () => ({}), merge: mergeConfigs },
  directives,
  register({ hooks, serverConfigOf }) {
    hooks.translateName.add((request) => translate(request, serverConfigOf(request.server)), {
      after: ['mod_alias.c', 'mod_userdir.c'],
    })
  },
})
export default vhostAlias
