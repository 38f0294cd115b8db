import { type Command, directive } from '@gatewright/api'
import { internals } from '../../config/command-impl.ts'
import { includeFiles } from '../../config/include-files.ts'
import { ANYWHERE, CONF_FILES, type CoreTable } from './types.ts'

/**
 * Definitions and included files, which take effect while the file is read, and an error that stops reading.
 *
 * Define NAME [VALUE] UnDefine NAME Include PATTERN IncludeOptional PATTERN Error TEXT
 */
export const includeDirectives: CoreTable = {
  Define: directive.take12({
    scope: 'server',
    context: CONF_FILES,
    readTime: true,
    help: 'name of a variable, and the value that replaces ${NAME}',
    set: (_config, name, value, command) => {
      if (name.includes(':')) return "Variable name must not contain ':'"
      internals(command).context.configuration.defines.set(name, value)
      return undefined
    },
  }),
  UnDefine: directive.take1({
    scope: 'server',
    context: CONF_FILES,
    readTime: true,
    help: 'name of a variable whose definition is removed',
    set: (_config, name, command) => {
      if (name.includes(':')) return "Variable name must not contain ':'"
      internals(command).context.configuration.defines.delete(name)
      return undefined
    },
  }),
  Include: directive.take1({
    scope: 'server',
    context: CONF_FILES,
    readTime: true,
    help: 'file, folder or pattern to read at this point',
    set: (_config, pattern, command) => include(pattern, command, 'required'),
  }),
  IncludeOptional: directive.take1({
    scope: 'server',
    context: CONF_FILES,
    readTime: true,
    help: 'file, folder or pattern to read at this point, if it exists',
    set: (_config, pattern, command) => include(pattern, command, 'optional'),
  }),
  Error: directive.raw({
    scope: 'server',
    context: ANYWHERE,
    override: 'All',
    help: 'stops reading the configuration with this message',
    set: (_config, text) => (text === '' ? 'The Error directive was used with no message.' : withoutQuotes(text)),
  }),
}

/** Removes the quotes of a text that is quoted as a whole; backslashes in it are kept. */
function withoutQuotes(text: string): string {
  return /^(?:".*"|'.*')$/s.test(text) ? text.slice(1, -1) : text
}

/** Requests the files of an Include line from the reader. */
function include(pattern: string, command: Command, presence: 'required' | 'optional'): string | undefined {
  const { configuration } = internals(command).context
  const files = includeFiles(configuration.serverRelative(pattern), presence === 'optional', configuration.options.source)
  if (typeof files === 'string') return files
  configuration.requestEffect({ kind: 'include', files })
  return undefined
}
