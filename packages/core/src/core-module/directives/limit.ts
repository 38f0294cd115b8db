import { directive, MethodSet, type SetResult } from '@gatewright/api'
import { openingArgument, splitWords } from '@gatewright/config'
import { type CommandImpl, internals } from '../../config/command-impl.ts'
import type { CoreTable } from './types.ts'

/** Directives that apply only to some methods: `<Limit GET POST>` and its complement `<LimitExcept>`. */
export const limitDirectives: CoreTable = {
  '<Limit': directive.section({
    scope: 'directory',
    context: ['directory', 'htaccess'],
    override: ['AuthConfig', 'Limit'],
    help: 'directives for the listed request methods',
    set: (_config, text, command) => limit(internals(command), text, 'these'),
  }),
  '<LimitExcept': directive.section({
    scope: 'directory',
    context: ['directory', 'htaccess'],
    override: ['AuthConfig', 'Limit'],
    help: 'directives for all request methods except those listed',
    set: (_config, text, command) => limit(internals(command), text, 'others'),
  }),
}

function limit(command: CommandImpl, text: string, which: 'these' | 'others'): SetResult {
  const opening = openingArgument(command.name, text)
  if ('error' in opening) return opening.error
  let named = MethodSet.NONE
  for (const name of splitWords(opening.argument)) {
    if (name === 'TRACE' && which === 'these') return 'TRACE cannot be controlled by <Limit>, see TraceEnable'
    // A .htaccess file is read while requests are served, so it must not register methods.
    const number = command.services.methodNumber(name, { register: !command.inHtaccess })
    if (number === undefined) {
      return command.inHtaccess
        ? `Could not register method '${name}' for ${command.name} from .htaccess configuration`
        : `Could not register method '${name}' for ${command.name}`
    }
    named = named.with(number)
  }
  const wanted = which === 'these' ? named : named.complement()
  const limited = command.limited.intersection(wanted)
  if (limited.isEmpty) return `${command.name}> directive excludes all methods`
  if (command.limited.isAll === false && command.limited.equals(limited))
    return `${command.name}> directive specifies methods already excluded`
  return command.walkInto(command.section, { limited, narrowed: true })
}
