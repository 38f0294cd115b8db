import type { Command, Pattern } from '@gatewright/api'
import { parseReplacement } from '@gatewright/filters'
import type { Mapping, UrlMapLine } from './url-map.ts'

/**
 * Reads `FROM TO [FLAGS [CONDITION]]`.
 * @returns an error text if the condition is invalid
 */
export function parseUrlMapLine(text: string, command: Command): UrlMapLine | string {
  const [from = '', to = '', flags = '', condition = ''] = command.words(text)
  const has = (flag: string): boolean => flags.includes(flag)
  const when = flags === '' || condition === '' ? null : command.services.condition(currentSyntax(condition), command)
  if (when !== null && 'error' in when) return when.error
  const regex = has('R') ? { ignoreCase: has('i'), multiline: has('s') } : null
  const mapping = has('v') ? null : compile(from, to, regex, (source, options) => command.services.pattern(source, options))
  return {
    from,
    to,
    regex,
    mapping,
    inLinks: !has('h'),
    inEvents: !has('e'),
    inScripts: !has('c'),
    atStart: has('^'),
    atEnd: has('$'),
    last: has('L'),
    notLast: has('l'),
    interpolatesFrom: has('v'),
    interpolatesTo: has('V'),
    condition: when,
  }
}

/** Makes the mapping of a line; null for an invalid pattern. */
export function compile(
  from: string,
  to: string,
  regex: UrlMapLine['regex'],
  pattern: (source: string, flags: { readonly ignoreCase: boolean }) => Pattern | { readonly error: string },
): Mapping | null {
  if (regex === null) return { fixed: from, to }
  const compiled = pattern(regex.multiline ? `(?m)${from}` : from, { ignoreCase: regex.ignoreCase })
  return 'error' in compiled ? null : { pattern: compiled, to: parseReplacement(to) }
}

/** The former syntax of conditions, `VARIABLE=VALUE` and `!VARIABLE=VALUE`, as an expression. */
function currentSyntax(condition: string): string {
  return condition.replace(
    /^(!?)(\w+)(?:=(.+))?$/,
    (_whole, not: string, name: string, value: string | undefined) =>
      `reqenv('${name}')${not}${value === undefined ? '' : '='}'${value ?? ''}'`,
  )
}
