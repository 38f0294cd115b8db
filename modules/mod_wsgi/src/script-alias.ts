import { type Command, directivePlace, type SetResult } from '@gatewright/api'
import { compileTemplate } from '@gatewright/api/text'
import type { AliasOptions, ScriptAlias, WsgiServerConfig } from './config.ts'

/** `WSGIScriptAlias PREFIX TARGET [OPTION=VALUE ...]`, or with a pattern. */
export function addScriptAlias(
  config: WsgiServerConfig,
  words: readonly string[],
  kind: 'prefix' | 'pattern',
  command: Command,
): SetResult {
  const [location, target, ...rest] = words
  if (location === undefined || location === '' || target === undefined || target === '')
    return `${command.name} requires at least two arguments, Map location to target WSGI script file.`
  const options = readOptions(rest)
  if (typeof options === 'string') return options
  const place = directivePlace(command)
  let match: ScriptAlias['match']
  if (kind === 'pattern') {
    const pattern = command.services.pattern(location)
    if ('error' in pattern) return 'Regular expression could not be compiled.'
    match = { kind, pattern, target: compileTemplate(target) }
  } else match = { kind, prefix: location, target }
  config.aliases = [...config.aliases, { match, options, serverRoot: command.serverRelative('.'), place }]
  const { processGroup, applicationGroup } = options
  // As in mod_wsgi: with both groups, the processes load the script when they start.
  if (kind === 'prefix' && processGroup !== null && applicationGroup !== null && isFixed(processGroup + applicationGroup)) {
    const [processes, application] = [plainGroup(processGroup), plainGroup(applicationGroup)]
    const script = command.serverRelative(target)
    config.imports = [...config.imports, { processGroup: processes, applicationGroup: application, script, place }]
  }
  return undefined
}

/** Whether names are the same for all requests. */
export function isFixed(names: string): boolean {
  return !/%\{(?!GLOBAL\})/.test(names)
}

/** `%{GLOBAL}` is the name of the group without name. */
export function plainGroup(name: string): string {
  return name === '%{GLOBAL}' ? '' : name
}

function readOptions(words: readonly string[]): AliasOptions | string {
  const read: { -readonly [K in keyof AliasOptions]: AliasOptions[K] } = {
    processGroup: null,
    applicationGroup: null,
    callableObject: null,
    passAuthorization: null,
  }
  for (const word of words) {
    const equals = word.indexOf('=')
    const value = word.slice(equals + 1)
    switch (equals < 0 ? '' : word.slice(0, equals)) {
      case 'process-group':
        if (value === '') return 'Invalid name for WSGI process group.'
        read.processGroup = value
        break
      case 'application-group':
        if (value === '') return 'Invalid name for WSGI application group.'
        read.applicationGroup = value
        break
      case 'callable-object':
        if (value === '') return 'Invalid name for WSGI callable object.'
        read.callableObject = value
        break
      case 'pass-authorization':
        if (!/^o(?:n|ff)$/i.test(value)) return 'Invalid value for authorization flag.'
        read.passAuthorization = value.toLowerCase() === 'on'
        break
      default:
        return 'Invalid option to WSGI script alias definition.'
    }
  }
  return read
}
