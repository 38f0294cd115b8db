import type { Command } from '@gatewright/api'
import { readBody } from './body.ts'
import { type Macro, type Macros, titleOf } from './macros.ts'
import { checkName, checkParameters } from './parameters.ts'
import { substitute } from './substitute.ts'

/**
 * `<Macro NAME PARAMETER...>`: reads the lines up to `</Macro>` and stores them under the name.
 * @param text the text after `<Macro`
 * @returns an error text
 */
export function defineMacro(
  macros: Macros,
  text: string,
  nextLine: () => string | undefined,
  command: Command,
): string | undefined {
  const end = text.lastIndexOf('>')
  if (text === '' || end === 0) return '<Macro macro definition: empty name'
  if (end < 0) return "<Macro> directive missing closing '>'"
  const rest = text.slice(end + 1)
  if (rest.trim() !== '') {
    const place = `on line ${command.line} of ${command.file}`
    command.report('warn', 'AH02989', `AH02801: non blank chars found after <Macro closing '>' ${place}: ${rest}`)
  }
  const [written, ...parameters] = command.words(text.slice(0, end))
  if (written === undefined || written === '') return '<Macro macro definition: name not found'
  const name = written.toLowerCase()
  const location = `defined on line ${command.line} of "${command.file}"`
  const title = titleOf({ name, location })
  macros.known ??= new Map()
  const former = macros.known.get(name)
  if (former !== undefined) {
    const again = `redefined on line ${command.line} of "${command.file}"`
    command.report('warn', 'AH02802', `macro '${name}' multiply defined: ${former.location}, ${again}`)
  }
  checkName(name, title, command)
  const body = readBody(nextLine, title, command, macros.ignoreBadNesting ? 'silent' : 'warn')
  if ('error' in body) return `${title}\n\tcontents error: ${body.error}`
  const macro: Macro = { name, parameters, lines: body.lines, location }
  const conflict = checkParameters(parameters, title, command)
  if (conflict !== undefined) return conflict
  warnOfUnused(macro, title, command)
  macros.known.set(name, macro)
  return undefined
}

function warnOfUnused({ parameters, lines }: Macro, title: string, command: Command): void {
  if (lines.length === 0) {
    command.report('warn', 'AH02799', `${title}: empty contents!`)
    return
  }
  const used = new Set<number>()
  const use = (index: number): string => {
    used.add(index)
    return ''
  }
  for (const line of lines) substitute(line, parameters, use)
  for (const [index, name] of parameters.entries()) {
    if (!used.has(index)) command.report('warn', 'AH02800', `${title}: argument '${name}' (#${index + 1}) never used`)
  }
}
