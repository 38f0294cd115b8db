import { defineModule, type Module } from '@gatewright/api'
import { type AliasConfig, createAliasConfig, mergeAliasConfig } from './config.ts'
import { directives } from './directives.ts'
import { redirectInDirectory } from './fixup.ts'
import { translate } from './translate.ts'

const alias: Module<AliasConfig> = defineModule({
  name: 'alias_module',
  source: 'mod_alias.c',
  perDirectory: { create: createAliasConfig, merge: mergeAliasConfig },
  directives,
  register({ hooks, configOf, log }) {
    hooks.translateName.add((request) => translate(request, configOf(request), log))
    hooks.fixups.add((request) => redirectInDirectory(request, configOf(request), log))
  },
})
export default alias
