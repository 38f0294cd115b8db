import { defineModule, type Module } from '@gatewright/api'
import { extendMetrics, extendStatus, extendStatusLater } from '@gatewright/api/peers'
import { answerStatus } from './handler.ts'

const status: Module = defineModule({
  name: 'status_module',
  source: 'mod_status.c',
  register({ hooks, optionalHooks, services }) {
    hooks.handler.add((request) =>
      answerStatus(request, services, {
        async to(form) {
          const later = optionalHooks.of(extendStatusLater).map((add) => add(request, form))
          const added = optionalHooks.of(extendStatus).map((add) => add(request, form))
          return [...added, ...(await Promise.all(later))].join('')
        },
        metrics: () => optionalHooks.of(extendMetrics).flatMap((add) => add(request)),
      }),
    )
  },
})
export default status
