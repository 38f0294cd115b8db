import { type AnyModule, defineModule } from '@gatewright/api'

/** A module whose handler answers 200 with the path to every method that no other handler answers: for tests of what happens before the handler. */
export const anyMethod: AnyModule = defineModule({
  name: 'any_method_module',
  source: 'mod_any_method.c',
  register({ hooks }) {
    hooks.handler.add((request) => request.sendText('text/plain', request.uri), { rank: 'last' })
  },
})
