import { type Context, defineModule, directive, type Module } from '@gatewright/api'
import { decideVersion } from './decide.ts'

const ANYWHERE: readonly Context[] = ['server', 'virtualhost', 'directory', 'htaccess']

const version: Module = defineModule({
  name: 'version_module',
  source: 'mod_version.c',
  directives: {
    '<IfVersion': directive.condition({
      scope: 'server',
      context: ANYWHERE,
      override: 'All',
      readTime: true,
      help: 'an operator and a version number that decide whether the lines inside are read',
      set: (_config, text, command) => decideVersion(text, command),
    }),
  },
})
export default version
