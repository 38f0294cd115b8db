import type { Command } from '@gatewright/api'

/**
 * Takes the lines of a macro up to the `</Macro>` that belongs to it; comments are left out.
 * @param nesting whether sections that are opened and not closed, or closed and not opened, are worth a warning
 */
export function readBody(
  nextLine: () => string | undefined,
  title: string,
  command: Command,
  nesting: 'warn' | 'silent',
): { readonly lines: readonly string[] } | { readonly error: string } {
  const lines: string[] = []
  let macros = 1
  let sections = 0
  let number = 1
  for (let line = nextLine(); line !== undefined; line = nextLine()) {
    number++
    if (line.startsWith('#')) continue
    const [first = ''] = command.words(line)
    const word = first.toLowerCase()
    if (word === '</macro>') {
      const behind = line.slice(line.lastIndexOf('>') + 1)
      if (behind.trim() !== '' || line.trimEnd().length > '</macro>'.length) warnOfRest(line, command, number)
      macros--
      if (macros === 0) {
        if (sections !== 0 && nesting === 'warn') {
          const sum = sections > 0 ? `+${sections}` : String(sections)
          command.report('warn', 'AH02795', `bad cumulated nesting (${sum}) in ${title}`)
        }
        return { lines }
      }
    } else if (word === '<macro') macros++
    if (word.startsWith('</')) {
      sections--
      if (sections < 0 && nesting === 'warn')
        command.report('warn', 'AH02793', `bad (negative) nesting on line ${number} of ${title}`)
    } else if (word.startsWith('<')) sections++
    lines.push(line)
  }
  return { error: 'expected token not found: </Macro>' }
}

function warnOfRest(line: string, command: Command, number: number): void {
  const behind = line.slice(line.lastIndexOf('>') + 1)
  if (behind.trim() === '') return
  const place = `on line ${command.line + number - 1} of ${command.file}`
  command.report('warn', 'AH02989', `AH02794: non blank chars found after directive closing ${place}: ${behind}`)
}
