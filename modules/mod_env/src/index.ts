import { defineModule, type Module } from '@gatewright/api'
import { createEnvConfig, type EnvConfig, mergeEnvConfig } from './config.ts'
import { directives } from './directives.ts'
import { exportVariables } from './fixup.ts'

const env: Module<EnvConfig> = defineModule({
  name: 'env_module',
  source: 'mod_env.c',
  perDirectory: { create: createEnvConfig, merge: mergeEnvConfig },
  directives,
  register({ hooks, configOf }) {
    hooks.fixups.add((request) => exportVariables(request, configOf(request)))
  },
})
export default env
