import { contexts, DECLINED, defineModule, directive, HTTP_FORBIDDEN, type Module } from '@gatewright/api'
import { davFileSystem } from '@gatewright/dav'
import { FileRepository } from './file-repository.ts'
import { LockStore } from './lock-store.ts'
import { isOwnName } from './names.ts'

interface FileSystemConfig {
  /** The path of the lock database. */
  lockDatabase?: string
}

/** Files as resources of WebDAV, with their properties and locks. */
const davFs: Module<undefined, FileSystemConfig> = defineModule<undefined, FileSystemConfig>({
  name: 'dav_fs_module',
  source: 'mod_dav_fs.c',
  capabilities: ['fs'],
  perServer: {
    create: () => ({}),
    merge: (base, over) => ({ lockDatabase: over.lockDatabase ?? base.lockDatabase }),
  },
  directives: {
    DAVLockDB: directive.take1<FileSystemConfig>({
      scope: 'server',
      context: contexts.inServers,
      help: 'specify a lock database',
      set: (config, path, command) => {
        config.lockDatabase = command.serverRelative(path)
      },
    }),
  },
  register({ functions, hooks, serverConfigOf }) {
    const repository = new FileRepository()
    const stores = new Map<string, LockStore>()
    functions.offer(davFileSystem, () => ({
      repository,
      locks: (server) => {
        const { lockDatabase } = serverConfigOf(server)
        if (lockDatabase === undefined) return null
        let store = stores.get(lockDatabase)
        if (store === undefined) {
          store = new LockStore(lockDatabase)
          stores.set(lockDatabase, store)
        }
        return store
      },
    }))
    // Properties and files that are being written are no resources, whatever the configuration grants.
    hooks.fixups.add(
      ({ filename, pathInfo }) => {
        const path = pathInfo === '' ? filename : `${filename}${pathInfo}`
        return path.includes('/.') && path.split('/').some(isOwnName) ? HTTP_FORBIDDEN : DECLINED
      },
      { rank: 'first' },
    )
  },
})
export default davFs
