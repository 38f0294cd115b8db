import { type DirectiveTable, directive } from '@gatewright/api'
import type { DavConfig } from './config.ts'

const SECTION = { scope: 'directory', context: ['directory'] } as const
const ANYWHERE = { scope: 'directory', context: ['server', 'virtualhost', 'directory'] } as const

export const directives: DirectiveTable<DavConfig, undefined> = {
  DAV: directive.take1<DavConfig>({
    ...SECTION,
    help: 'specify the DAV provider for a directory or location',
    set: (config, word, { services }) => {
      // Methods of other kinds of repositories: as in httpd, they are known where DAV is.
      for (const method of ['BIND', 'SEARCH']) services.methodNumber(method, { register: true })
      const name = word.toLowerCase() === 'on' ? 'filesystem' : word
      if (name.toLowerCase() === 'off') {
        config.provider = null
        return undefined
      }
      if (name !== 'filesystem' || !services.moduleLoaded('mod_dav_fs.c')) {
        const hint = 'filesystem is the provider of mod_dav_fs: load that module before this line.'
        return { message: `Unknown DAV provider: ${name}`, hint }
      }
      config.provider = 'filesystem'
      return undefined
    },
  }),
  DAVBasePath: directive.take1<DavConfig>({
    ...SECTION,
    help: 'specify the DAV repository base URL',
    set: (config, path) => {
      config.basePath = path
    },
  }),
  DAVMinTimeout: directive.take1<DavConfig>({
    ...ANYWHERE,
    help: 'specify minimum allowed timeout',
    set: (config, word) => {
      const seconds = Number.parseInt(word, 10)
      if (seconds < 0) return 'DAVMinTimeout requires a non-negative integer.'
      config.minTimeout = Number.isNaN(seconds) ? 0 : seconds
      return undefined
    },
  }),
  DAVDepthInfinity: directive.flag<DavConfig>({
    ...ANYWHERE,
    help: 'allow Depth infinity PROPFIND requests',
    set: (config, on) => {
      config.depthInfinity = on
    },
  }),
  DAVLockDiscovery: directive.flag<DavConfig>({
    ...ANYWHERE,
    help: 'allow lock discovery by PROPFIND requests',
    set: (config, on) => {
      config.lockDiscovery = on
    },
  }),
}
