import type { Command } from '@gatewright/api'
import { type Macros, titleOf } from './macros.ts'
import { replacementOf, substitute } from './substitute.ts'

/**
 * Maximum length of a line after substitution, in characters. Prevents nested uses from filling the memory.
 */
const MAX_LINE = 1_048_576

/** `Use NAME ARGUMENT...`: inserts the lines of a macro. @returns an error text */
export function useMacro(macros: Macros, words: readonly string[], command: Command): string | undefined {
  if (macros.known === undefined) return 'no macro defined before Use'
  const [written = '', ...args] = words
  if (written === '') return 'no macro name specified with Use'
  const name = written.toLowerCase()
  const macro = macros.known.get(name)
  if (macro === undefined) return `macro '${name}' undefined`
  // The file name of lines from a macro contains the names of all macros that led to them.
  if (command.file.includes(`macro '${name}'`)) return `recursive use of macro '${name}' is invalid`
  const title = titleOf(macro)
  const { parameters } = macro
  if (args.length !== parameters.length) return `${title} used with ${args.length} arguments instead of ${parameters.length}`
  const used = `macro '${name}' (${macro.location}) used on line ${command.line} of "${command.file}"`
  for (const [index, argument] of args.entries()) {
    if (argument === '' && !macros.ignoreEmptyArguments)
      command.report('warn', 'AH02798', `${used}: empty argument #${index + 1}`)
  }
  const replacements = parameters.map((parameter, index) => replacementOf(parameter, args[index]))
  const lines = macro.lines.map((line) => substitute(line, parameters, (index) => replacements[index]))
  const tooLong = lines.findIndex((line) => line.length > MAX_LINE)
  if (tooLong >= 0) return `while processing line ${tooLong + 1} of ${title} the line grows too long`
  command.insertLines(used, lines)
  return undefined
}

/** `UndefMacro NAME` @returns an error text */
export function removeMacro(macros: Macros, written: string): string | undefined {
  if (macros.known === undefined) return 'no macro defined before UndefMacro'
  const name = written.toLowerCase()
  return macros.known.delete(name) ? undefined : `cannot remove undefined macro '${name}'`
}
