import type { Command } from '@gatewright/api'

/** First characters that make a parameter easy to recognize. */
const PREFIXES = '$%@'

export function looksLikeParameter(name: string): boolean {
  return name !== '' && PREFIXES.includes(name[0])
}

/** Warns about names with surprising effects. @returns an error for names that cannot be distinguished */
export function checkParameters(parameters: readonly string[], title: string, command: Command): string | undefined {
  for (const [index, name] of parameters.entries()) {
    const number = index + 1
    if (name === '') return `${title}: empty argument #${number} name`
    if (!looksLikeParameter(name)) warnOfPrefix(name, number, title, command)
    if (/^\$\{.*\}$/.test(name)) {
      const better = "clashes with 'Define' syntax '${...}', better use '$(...)'."
      command.report('warn', 'AH02805', `${title} argument name '${name}' (#${number}) ${better}`)
    }
    for (let other = index + 1; other < parameters.length; other++) {
      const second = parameters[other]
      if (second === name) {
        return `argument name conflict in ${title}: argument '${name}': #${number} and #${other + 1}, change argument names!`
      }
      if (second !== '' && (second.startsWith(name) || name.startsWith(second))) {
        const which = `(${name} #${number} and ${second} #${other + 1})`
        command.report(
          'warn',
          'AH02797',
          `${title}: argument name prefix conflict ${which}, be careful about your macro definition!`,
        )
      }
    }
  }
  return undefined
}

/** Warns about a macro whose name looks like a parameter. */
export function checkName(name: string, title: string, command: Command): void {
  if (looksLikeParameter(name)) command.report('warn', 'AH02803', `${title} better prefix a macro name with any of '${PREFIXES}'`)
}

function warnOfPrefix(name: string, number: number, title: string, command: Command): void {
  const better = `without expected prefix, better prefix argument names with one of '${PREFIXES}'.`
  command.report('warn', 'AH02796', `${title} argument name '${name}' (#${number}) ${better}`)
}
