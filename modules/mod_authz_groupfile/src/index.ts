import { contexts, defineModule, directive, type Module } from '@gatewright/api'
import { fileGroupProvider, type GroupFileConfig, GroupFiles, groupProvider } from './membership.ts'

const authzGroupfile: Module<GroupFileConfig> = defineModule({
  name: 'authz_groupfile_module',
  source: 'mod_authz_groupfile.c',
  perDirectory: { create: () => ({}) },
  directives: {
    AuthGroupFile: directive.take1({
      scope: 'directory',
      context: contexts.inSections,
      override: 'AuthConfig',
      help: 'the file with groups and their members',
      set: (config: GroupFileConfig, path, command) => {
        config.groupFile = command.serverRelative(path)
      },
    }),
  },
  register(host) {
    const files = new GroupFiles(host)
    host.providers.authz.add('group', groupProvider(host, files))
    host.providers.authz.add('file-group', fileGroupProvider(host, files))
  },
})

export default authzGroupfile
