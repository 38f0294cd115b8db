import { type Command, directive } from '@gatewright/api'
import { nextWord, openingArgument } from '@gatewright/config'
import { internals } from '../../config/command-impl.ts'
import { includeFiles } from '../../config/include-files.ts'
import { ANYWHERE, CONF_FILES, type CoreTable } from './types.ts'

/**
 * Directives that act while the configuration is read: what they say decides how the next line is understood.
 *
 *     Define NAME [VALUE]      UnDefine NAME      Include PATTERN      <IfModule [!]NAME> ... </IfModule>
 */
export const readTimeDirectives: CoreTable = {
  Define: directive.take12({
    scope: 'server',
    context: CONF_FILES,
    readTime: true,
    help: 'name of a variable, and the value that ${NAME} stands for',
    set: (_config, name, value, command) => {
      if (name.includes(':')) return "Variable name must not contain ':'"
      internals(command).context.generation.defines.set(name, value)
      return undefined
    },
  }),
  UnDefine: directive.take1({
    scope: 'server',
    context: CONF_FILES,
    readTime: true,
    help: 'name of a variable that is defined no longer',
    set: (_config, name, command) => {
      if (name.includes(':')) return "Variable name must not contain ':'"
      internals(command).context.generation.defines.delete(name)
      return undefined
    },
  }),
  Include: directive.take1({
    scope: 'server',
    context: CONF_FILES,
    readTime: true,
    help: 'file, folder or pattern to read at this place',
    set: (_config, pattern, command) => include(pattern, command, 'required'),
  }),
  IncludeOptional: directive.take1({
    scope: 'server',
    context: CONF_FILES,
    readTime: true,
    help: 'file, folder or pattern to read at this place if there is one',
    set: (_config, pattern, command) => include(pattern, command, 'optional'),
  }),
  ServerRoot: directive.take1({
    scope: 'server',
    context: CONF_FILES,
    readTime: true,
    help: 'folder that relative paths start from',
    set: (_config, path, command) => {
      const { generation } = internals(command).context
      const absolute = generation.serverRelative(path)
      if (generation.options.source.kind(absolute) !== 'directory') return 'ServerRoot must be a valid directory'
      generation.serverRoot = absolute.replace(/(.)\/$/, '$1')
      return undefined
    },
  }),
  DefaultRuntimeDir: directive.take1({
    scope: 'server',
    context: CONF_FILES,
    readTime: true,
    help: 'folder for files that exist while the server runs',
    set: (_config, path, command) => {
      const { generation } = internals(command).context
      const absolute = generation.serverRelative(path)
      if (generation.options.source.kind(absolute) !== 'directory') {
        return 'DefaultRuntimeDir must be a valid directory, absolute or relative to ServerRoot'
      }
      generation.runtimeDir = absolute
      return undefined
    },
  }),
  '<IfModule': directive.condition({
    scope: 'server',
    context: ANYWHERE,
    override: 'All',
    help: 'kept when the module is loaded',
    set: (_config, text, command) => decide('<IfModule', text, (name) => command.services.moduleLoaded(name)),
  }),
  '<IfDefine': directive.condition({
    scope: 'server',
    context: ANYWHERE,
    override: 'All',
    help: 'kept when the name is defined',
    set: (_config, text, command) => decide('<IfDefine', text, (name) => internals(command).context.generation.defines.has(name)),
  }),
  '<IfFile': directive.condition({
    scope: 'server',
    context: ANYWHERE,
    override: 'All',
    help: 'kept when the file exists',
    set: (_config, text, command) =>
      decide('<IfFile', text, (path) => {
        const { generation } = internals(command).context
        return generation.options.source.kind(generation.serverRelative(path)) !== 'missing'
      }),
  }),
  '<IfDirective': directive.condition({
    scope: 'server',
    context: ANYWHERE,
    override: 'All',
    help: 'kept when the directive is known',
    set: (_config, text, command) =>
      decide('<IfDirective', text, (name) => internals(command).context.generation.registry.directive(name) !== undefined),
  }),
  '<IfSection': directive.condition({
    scope: 'server',
    context: ANYWHERE,
    override: 'All',
    help: 'kept when the section is known',
    set: (_config, text, command) =>
      decide('<IfSection', text, (name) => internals(command).context.generation.registry.directive(`<${name}`) !== undefined),
  }),
  Error: directive.raw({
    scope: 'server',
    context: ANYWHERE,
    override: 'All',
    help: 'stops here with a message',
    set: (_config, text) => (text === '' ? 'The Error directive was used with no message.' : nextWord(text).word),
  }),
}

/** Asks the reader for the files of an Include line. */
function include(pattern: string, command: Command, presence: 'required' | 'optional'): string | undefined {
  const { generation } = internals(command).context
  const files = includeFiles(generation.serverRelative(pattern), presence === 'optional', generation.options.source)
  if (typeof files === 'string') return files
  generation.requestEffect({ kind: 'include', files })
  return undefined
}

/** Reads `[!]NAME>` and asks about the name. */
function decide(container: string, text: string, test: (name: string) => boolean): boolean | string {
  const opening = openingArgument(container, text)
  if ('error' in opening) return opening.error
  const negated = opening.argument.startsWith('!')
  const { word } = nextWord(negated ? opening.argument.slice(1) : opening.argument)
  return test(word) !== negated
}
