import { directive } from '@gatewright/api'
import { nextWord, openingArgument } from '@gatewright/config'
import { internals } from '../../config/command-impl.ts'
import { ANYWHERE, type CoreTable } from './types.ts'

/**
 * Containers that are evaluated while the configuration is read: their bodies are either read as if there
 * were no container, or skipped.
 *
 * <IfModule [!]NAME> ... </IfModule>
 */
export const conditionDirectives: CoreTable = {
  '<IfModule': directive.condition({
    scope: 'server',
    context: ANYWHERE,
    override: 'All',
    help: 'directives that apply if the module is loaded',
    set: (_config, text, command) => decide('<IfModule', text, (name) => command.services.moduleLoaded(name)),
  }),
  '<IfDefine': directive.condition({
    scope: 'server',
    context: ANYWHERE,
    override: 'All',
    help: 'directives that apply if the name is defined',
    set: (_config, text, command) =>
      decide('<IfDefine', text, (name) => internals(command).context.configuration.defines.has(name)),
  }),
  '<IfFile': directive.condition({
    scope: 'server',
    context: ANYWHERE,
    override: 'All',
    help: 'directives that apply if the file exists',
    set: (_config, text, command) =>
      decide('<IfFile', text, (path) => {
        const { configuration } = internals(command).context
        return configuration.options.source.kind(configuration.serverRelative(path)) !== 'missing'
      }),
  }),
  '<IfDirective': directive.condition({
    scope: 'server',
    context: ANYWHERE,
    override: 'All',
    help: 'directives that apply if the directive is known',
    set: (_config, text, command) =>
      decide('<IfDirective', text, (name) => internals(command).context.configuration.registry.directive(name) !== undefined),
  }),
  '<IfSection': directive.condition({
    scope: 'server',
    context: ANYWHERE,
    override: 'All',
    help: 'directives that apply if the section is known',
    set: (_config, text, command) =>
      decide('<IfSection', text, (name) => internals(command).context.configuration.registry.directive(`<${name}`) !== undefined),
  }),
}

/** For the other containers, an exclamation mark alone is valid. */
const NEEDS_NAME: ReadonlySet<string> = new Set(['<IfModule', '<IfDefine', '<IfFile'])

/** Parses `[!]NAME>` and evaluates the name. */
function decide(container: string, text: string, test: (name: string) => boolean): boolean | string {
  const opening = openingArgument(container, text)
  if ('error' in opening) return opening.error
  const negated = opening.argument.startsWith('!')
  const { word } = nextWord(negated ? opening.argument.slice(1) : opening.argument)
  if (negated && word === '' && NEEDS_NAME.has(container)) return `${container}> directive requires additional arguments`
  return test(word) !== negated
}
