import { contexts, DECLINED, defineModule, directive, M_GET, type Module } from '@gatewright/api'
import { type InfoConfig, mergeConfigs } from './config.ts'
import { configDump } from './config-dump.ts'
import { infoJson } from './json.ts'
import { infoPage } from './page.ts'

const info: Module<undefined, InfoConfig> = defineModule({
  name: 'info_module',
  source: 'mod_info.c',
  perServer: { create: () => ({ remarks: [] }), merge: mergeConfigs },
  directives: {
    AddModuleInfo: directive.take2({
      scope: 'server',
      context: contexts.inServers,
      help: 'a module, and HTML to show with it on the server-info page',
      set: (config, source, html) => {
        config.remarks.push({ source, html })
      },
    }),
  },
  register({ hooks, services, serverConfigOf }) {
    const inventory = services.inventory()
    hooks.testConfig.add((start) => {
      if (start.defined('DUMP_CONFIG')) for (const line of configDump(inventory().config)) start.print(line)
    })
    hooks.handler.add((request) => {
      if (request.handler !== 'server-info') return DECLINED
      request.allowed ??= new Set()
      request.allowed.add('GET')
      if (request.methodNumber !== M_GET) return DECLINED
      return services.status().then(({ built, mpm }) => {
        const contents = {
          request,
          inventory: inventory(),
          facts: { banner: services.serverBanner(), built, mpm },
          remarks: serverConfigOf(request.server).remarks,
          signature: services.serverSignature(request, ''),
        }
        // The page contains information that caches should not store.
        request.headersOut.set('Cache-Control', 'no-store')
        if (request.args === 'json') return request.send('application/json', infoJson(contents))
        return request.send('text/html; charset=ISO-8859-1', infoPage(contents, request.args))
      })
    })
  },
})
export default info
