import { defineModule, type Module } from '@gatewright/api'
import { answerStatus } from './handler.ts'

const status: Module = defineModule({
  name: 'status_module',
  source: 'mod_status.c',
  register({ hooks, services }) {
    hooks.handler.add((request) => answerStatus(request, services))
  },
})
export default status
