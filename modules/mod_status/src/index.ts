import { defineModule, type Module } from '@gatewright/api'
import { extendStatus } from '@gatewright/api/peers'
import { answerStatus } from './handler.ts'

const status: Module = defineModule({
  name: 'status_module',
  source: 'mod_status.c',
  register({ hooks, optionalHooks, services }) {
    hooks.handler.add((request) =>
      answerStatus(request, services, (form) =>
        optionalHooks
          .of(extendStatus)
          .map((add) => add(request, form))
          .join(''),
      ),
    )
  },
})
export default status
