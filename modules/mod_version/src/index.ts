import { contexts, defineModule, directive, type Module } from '@gatewright/api'
import { decideVersion } from './decide.ts'

const version: Module = defineModule({
  name: 'version_module',
  source: 'mod_version.c',
  directives: {
    '<IfVersion': directive.condition({
      scope: 'server',
      context: contexts.anywhere,
      override: 'All',
      readTime: true,
      help: 'directives that apply if the server version satisfies an operator and a number',
      set: (_config, text, command) => decideVersion(text, command),
    }),
  },
})
export default version
