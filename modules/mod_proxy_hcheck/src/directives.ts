import { type Command, contexts, type DirectiveTable, directive, type SetResult } from '@gatewright/api'
import { leadingInteger } from '@gatewright/api/text'
import { type CheckSettings, namedSettings, PARAMETERS, setParameter } from './check-settings.ts'
import { compileVerdict } from './health-expression.ts'

const SERVER = { scope: 'server', context: ['server', 'virtualhost', 'directory'] } as const

export const directives: DirectiveTable<undefined, undefined> = {
  ProxyHCTemplate: directive.raw({
    ...SERVER,
    help: 'Health check template',
    set: (_config: undefined, text, command) => addTemplate(command.words(text), command),
  }),
  ProxyHCExpr: directive.raw({
    ...SERVER,
    help: 'Define a health check condition ruleset expression',
    set: (_config: undefined, text, command) => addExpression(text, command),
  }),
  ProxyHCTPsize: directive.take1({
    scope: 'server',
    context: contexts.mainServer,
    effect: 'none',
    help: 'Set size of health check thread pool',
    set: (_config: undefined, text) =>
      leadingInteger(text) < 0 ? 'Invalid ProxyHCTPsize parameter. Parameter must be >= 0' : undefined,
  }),
}

/** Whether the module is loaded that CPING needs. */
export function hasAjp({ services }: Command): boolean {
  return services.moduleLoaded('mod_proxy_ajp.c')
}

function addTemplate([name, ...words]: readonly string[], command: Command): SetResult {
  if (name === undefined) return 'Missing template name for ProxyHCTemplate'
  const named = namedSettings(command.server)
  const template: Partial<CheckSettings> = {}
  for (const word of words) {
    const equals = word.indexOf('=')
    if (equals < 0) return "Invalid ProxyHCTemplate parameter. Parameter must be in the form 'key=value'"
    const [key, value] = [word.slice(0, equals), word.slice(equals + 1)]
    const parameter = PARAMETERS.find((one) => one === key.toLowerCase())
    const problem =
      parameter === undefined
        ? 'unknown Worker hcheck parameter'
        : setParameter(template, parameter, value, named, hasAjp(command))
    if (problem !== undefined) return `ProxyHCTemplate: ${problem} ${key}=${value}; ${name}`
  }
  named.templates.set(name.toLowerCase(), template)
  return undefined
}

function addExpression(text: string, command: Command): SetResult {
  const [, name = '', rest = ''] = /^\s*(\S*)\s*(.*)$/s.exec(text) ?? []
  if (name === '') return 'Missing expression name for ProxyHCExpr'
  const source = rest.trim()
  if (source === '') return 'Missing expression for ProxyHCExpr'
  const expression = source.startsWith('{') ? withinBraces(source) : firstWord(source, command)
  const parsed = command.services.condition(expression, command)
  if ('error' in parsed) return `Could not parse expression "${expression}": ${parsed.error}`
  const verdict = compileVerdict(expression, command.services)
  if (typeof verdict !== 'function') return `Could not use expression "${expression}": ${verdict.error}`
  namedSettings(command.server).verdicts.set(name.toLowerCase(), verdict)
  return undefined
}

/** An expression without braces is one word, which may be in quotes. */
function firstWord(text: string, command: Command): string {
  return command.words(text)[0] ?? ''
}

/** Up to the brace that closes the first one, or to the end of the line. */
function withinBraces(text: string): string {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '{') depth++
    else if (text[at] === '}' && --depth === 0) return text.slice(1, at)
  }
  return text.slice(1)
}
