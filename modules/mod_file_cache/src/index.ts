import { contexts, defineModule, directive, type Module, type SetResult } from '@gatewright/api'
import { checkListedFile } from './listed-file.ts'

const IN_SERVERS = { scope: 'server', context: contexts.inServers, effect: 'none' } as const

/** The files of CacheFile and MMapFile, which the server keeps in memory by itself. */
const fileCache: Module<undefined, object> = defineModule<undefined, object>({
  name: 'file_cache_module',
  source: 'mod_file_cache.c',
  capabilities: ['fs'],
  perServer: { create: () => ({}) },
  directives: {
    CacheFile: directive.iterate<object>({
      ...IN_SERVERS,
      declaredAs: 'cachefile',
      help: 'A space separated list of files to add to the file handle cache at config time',
      set: (_config, path, command): SetResult => checkListedFile(path, command),
    }),
    MMapFile: directive.iterate<object>({
      ...IN_SERVERS,
      declaredAs: 'mmapfile',
      help: 'A space separated list of files to mmap at config time',
      set: (_config, path, command): SetResult => checkListedFile(path, command),
    }),
  },
})
export default fileCache
