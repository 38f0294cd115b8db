import { DECLINED, defineModule, directive, type Module, OK, type Outcome, type Request } from '@gatewright/api'
import { proxyServes } from '@gatewright/api/peers'
import { DbmLookup } from '@gatewright/dbm'

/** What servers set. */
interface ExpressConfig {
  enabled?: boolean
  /** ProxyExpressDBMFile, absolute. */
  file?: string
  /** ProxyExpressDBMType, as written. */
  type?: string
}

/** As in httpd, a line in a section applies to the whole server. */
const SERVER = { scope: 'server', context: ['server', 'virtualhost', 'directory'] } as const

/** Back ends by the name that a client asks for, from a DBM file: for very many virtual hosts. */
const proxyExpress: Module<undefined, ExpressConfig> = defineModule<undefined, ExpressConfig>({
  name: 'proxy_express_module',
  source: 'mod_proxy_express.c',
  capabilities: ['fs'],
  perServer: {
    create: (): ExpressConfig => ({}),
    merge: (base, over) => ({
      enabled: over.enabled ?? base.enabled,
      file: over.file ?? base.file,
      type: over.type ?? base.type,
    }),
  },
  directives: {
    ProxyExpressEnable: directive.flag({
      ...SERVER,
      help: 'Enable the ProxyExpress functionality',
      set: (config: ExpressConfig, on) => void (config.enabled = on),
    }),
    ProxyExpressDBMFile: directive.take1({
      ...SERVER,
      help: 'Location of ProxyExpressDBMFile file',
      set: (config: ExpressConfig, path, command) => void (config.file = command.serverRelative(path)),
    }),
    ProxyExpressDBMType: directive.take1({
      ...SERVER,
      help: 'Type of ProxyExpressDBMFile file',
      set: (config: ExpressConfig, type) => void (config.type = type),
    }),
  },
  register({ hooks, functions, services, serverConfigOf, log }) {
    const lookup = new DbmLookup((paths, open) => services.watchFile(paths, open))
    const translate = (request: Request): Outcome => {
      const { enabled, file, type = 'default' } = serverConfigOf(request.server) ?? {}
      if (enabled !== true || file === undefined || request.hostname === '') return DECLINED
      if (request.proxyRequest !== null || functions.get(proxyServes) === undefined) return DECLINED
      const backEnd = lookup.find(file, type, [request.hostname])
      if (backEnd === undefined) return DECLINED
      if (typeof backEnd !== 'string') {
        log.write(request, 'debug', '', `could not open dbm (type ${type}) file: ${file}`, backEnd)
        return DECLINED
      }
      request.filename = `proxy:${backEnd}${request.uri}`
      request.handler = 'proxy-server'
      request.proxyRequest = 'reverse'
      return OK
    }
    hooks.translateName.add(translate, { rank: 'first', after: ['mod_proxy.c'] })
  },
})
export default proxyExpress
