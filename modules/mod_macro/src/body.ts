import type { Command } from '@gatewright/api'

/**
 * Reads the lines of a macro up to its `</Macro>`, without comments.
 * @param nesting whether to warn about sections that are not closed, or not opened
 */
export function readBody(
  nextLine: () => string | undefined,
  title: string,
  command: Command,
  nesting: 'warn' | 'silent',
): { readonly lines: readonly string[] } | { readonly error: string } {
  const warn = (code: string, text: string): void => {
    if (nesting === 'warn') command.report('warn', code, `${text} ${title}`)
  }
  const lines: string[] = []
  let macros = 1
  /** Number of open sections, including this macro. */
  let sections = 1
  let number = 0
  for (let line = nextLine(); line !== undefined; line = nextLine()) {
    number++
    if (line.startsWith('#')) continue
    const word = command.words(line)[0]?.toLowerCase() ?? ''
    if (word.startsWith('</')) {
      sections--
      if (sections < 0) warn('AH02793', `bad (negative) nesting on line ${number} of`)
    } else if (word.startsWith('<')) sections++
    if (word === '<macro') macros++
    else if (word === '</macro>') {
      warnOfRest(line, command, number)
      macros--
      if (macros === 0) {
        if (sections !== 0) warn('AH02795', `bad cumulated nesting (${sections > 0 ? '+' : ''}${sections}) in`)
        return { lines }
      }
    }
    lines.push(line)
  }
  return { error: 'expected token not found: </Macro>' }
}

function warnOfRest(line: string, command: Command, number: number): void {
  const rest = line.slice(line.lastIndexOf('>') + 1)
  if (rest.trim() === '') return
  const place = `on line ${command.line + number} of ${command.file}`
  command.report('warn', 'AH02989', `AH02794: non blank chars found after directive closing ${place}: ${rest}`)
}
