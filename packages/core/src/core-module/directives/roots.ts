import { directive } from '@gatewright/api'
import { internals } from '../../config/command-impl.ts'
import { type CoreTable, SERVERS } from './types.ts'

/** The base of relative paths. Both take effect at once, so that the next line may be relative to them. */
export const rootDirectives: CoreTable = {
  ServerRoot: directive.take1({
    scope: 'server',
    context: SERVERS,
    readTime: true,
    help: 'folder to which relative paths refer',
    set: (_config, path, command) => {
      const { configuration } = internals(command).context
      const absolute = configuration.serverRelative(path)
      if (configuration.options.source.kind(absolute) !== 'directory') return 'ServerRoot must be a valid directory'
      configuration.serverRoot = absolute.replace(/(.)\/$/, '$1')
      return undefined
    },
  }),
  DefaultRuntimeDir: directive.take1({
    scope: 'server',
    context: SERVERS,
    readTime: true,
    help: 'folder for files that the server creates at run time',
    set: (_config, path, command) => {
      const { configuration } = internals(command).context
      const absolute = configuration.serverRelative(path)
      if (configuration.options.source.kind(absolute) !== 'directory') {
        return 'DefaultRuntimeDir must be a valid directory, absolute or relative to ServerRoot'
      }
      configuration.runtimeDir = absolute
      return undefined
    },
  }),
}
