import { DECLINED, defineModule, type Module } from '@gatewright/api'
import { type IncludeConfig, type IncludeServerConfig, mergeConfig, mergeServerConfig } from './config.ts'
import { directives } from './directives.ts'
import { PageFilter } from './page-filter.ts'
import { Pages } from './pages.ts'

/** The owner may execute the file. */
const OWNER_EXECUTES = 0o100

/** Pages with elements that the server processes (SSI). */
const include: Module<IncludeConfig, IncludeServerConfig> = defineModule<IncludeConfig, IncludeServerConfig>({
  name: 'include_module',
  source: 'mod_include.c',
  perDirectory: { create: () => ({}), merge: mergeConfig },
  perServer: { create: () => ({}), merge: mergeServerConfig },
  directives,
  register(host) {
    const { hooks, providers, configOf, serverConfigOf } = host
    const settings = {
      directory: configOf,
      server: ({ server }: Parameters<typeof configOf>[0]) => serverConfigOf(server),
    }
    const filter = new PageFilter(settings, new Pages(host))
    providers.outputFilters.add(filter.name, filter)
    hooks.fixups.add(
      (request) => {
        if (request.handler === 'server-parsed') {
          request.contentType ??= 'text/html'
          request.handler = 'default-handler'
        } else {
          const { xBitHack = 'off' } = configOf(request)
          const isExecutable = request.fileInfo !== null && (request.fileInfo.mode & OWNER_EXECUTES) !== 0
          if (xBitHack === 'off' || !isExecutable || request.contentType?.startsWith('text/html') !== true) return DECLINED
        }
        request.addOutputFilter(filter)
        return DECLINED
      },
      { rank: 'last' },
    )
  },
})
export default include
