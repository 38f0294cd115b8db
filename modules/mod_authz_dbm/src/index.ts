import { contexts, defineModule, directive, type Module } from '@gatewright/api'
import { type DbmGroupConfig, DbmGroups } from './membership.ts'

const authzDbm: Module<DbmGroupConfig> = defineModule({
  name: 'authz_dbm_module',
  source: 'mod_authz_dbm.c',
  capabilities: ['fs'],
  perDirectory: { create: () => ({}) },
  directives: {
    AuthDBMGroupFile: directive.take1({
      scope: 'directory',
      context: contexts.inSections,
      override: 'AuthConfig',
      help: 'the DBM file with the groups of each user',
      set: (config: DbmGroupConfig, path, command) => {
        config.groupFile = command.serverRelative(path)
      },
    }),
    AuthzDBMType: directive.take1({
      scope: 'directory',
      context: contexts.inSections,
      override: 'AuthConfig',
      help: 'type of the DBM file: SDBM, GDBM, DB or default',
      set: (config: DbmGroupConfig, type) => {
        config.type = type
      },
    }),
  },
  register(host) {
    const groups = new DbmGroups(host)
    host.providers.authz.add('dbm-group', groups.groupProvider())
    host.providers.authz.add('dbm-file-group', groups.fileGroupProvider())
  },
})

export default authzDbm
