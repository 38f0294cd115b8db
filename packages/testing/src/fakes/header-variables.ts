import { type AnyModule, DECLINED, defineModule } from '@gatewright/api'

/** A module that sets the variables of the field X-Env, as in `A=1, B=`: for tests of what depends on variables. */
export const headerVariables: AnyModule = defineModule({
  name: 'header_variables_module',
  source: 'mod_header_variables.c',
  register({ hooks }) {
    hooks.postReadRequest.add((request) => {
      for (const [, name, value] of request.headersIn.get('X-Env')?.matchAll(/([^=,\s][^=,]*)=([^,]*)/g) ?? [])
        request.env.set(name, value)
      return DECLINED
    })
  },
})
