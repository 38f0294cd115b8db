import { defineModule, type Module, registerLogItem } from '@gatewright/api'
import { AccessLogs } from './access-logs.ts'
import { createLogConfig, type LogConfig, mergeLogConfig } from './config.ts'
import { directives } from './directives.ts'
import { builtInItems } from './items/built-in.ts'

const logConfig: Module<undefined, LogConfig> = defineModule({
  name: 'log_config_module',
  source: 'mod_log_config.c',
  capabilities: ['fs'],
  perServer: { create: createLogConfig, merge: mergeLogConfig },
  directives,
  register(host) {
    const items = builtInItems(host.services)
    host.functions.offer(registerLogItem, (letter, make, subject = 'final') => {
      items.set(letter, { make, subject })
    })
    const logs = new AccessLogs(host, items)
    host.hooks.checkConfig.add((start) => logs.prepare(start.servers))
    host.hooks.openLogs.add((start) => (start.checkOnly ? undefined : logs.open(start.servers)))
    host.hooks.logTransaction.add((request) => logs.write(request))
  },
})
export default logConfig
