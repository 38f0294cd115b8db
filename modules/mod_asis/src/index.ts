import { defineModule, type Module } from '@gatewright/api'
import { AsIsHandler } from './as-is-handler.ts'

const asis: Module = defineModule({
  name: 'asis_module',
  source: 'mod_asis.c',
  capabilities: ['fs', 'net'],
  register({ hooks, log }) {
    const handler = new AsIsHandler(log)
    hooks.handler.add((request) => handler.handle(request))
  },
})
export default asis
