import { type AnyModule, defineModule } from '@gatewright/api'

/** A module with a handler that answers 200 to every method: for tests of what happens before the handler. */
export const anyMethod: AnyModule = defineModule({
  name: 'any_method_module',
  source: 'mod_any_method.c',
  register({ hooks }) {
    hooks.handler.add((request) => request.sendText('text/plain', 'x'))
  },
})
