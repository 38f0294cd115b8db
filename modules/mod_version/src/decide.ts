import type { Command } from '@gatewright/api'
import { comparisonOf, parseVersion, VERSION_FORMAT_ERROR } from './version.ts'

/** The parts of a command that the decision needs. */
export type VersionCommand = Pick<Command, 'words' | 'services'>

/**
 * Evaluates `<IfVersion [[!]operator] version>` for the httpd release that this server emulates. The operator
 * defaults to `=`; `~`, or `=` with a version written as `/regex/`, matches the release against a pattern.
 * @param text the text after the name, including the closing `>`
 * @returns whether the lines inside apply, or an error text
 */
export function decideVersion(text: string, command: VersionCommand): boolean | string {
  const words = command.words(text)
  if (words.length < 1 || words.length > 3) {
    return '<IfVersion takes one, two or three arguments, a comparison operator, a version (and a delimiter)'
  }
  const opened = withoutDelimiter(words)
  if (opened === undefined) return "<IfVersion> directive missing closing '>'"
  const [operator, version] = opened
  const negated = operator.startsWith('!') && operator.length > 1
  const result = compare(negated ? operator.slice(1) : operator, version, command)
  if (result === 'unknown operator') return `unrecognized operator '${operator}'`
  return typeof result === 'string' ? result : result !== negated
}

/**
 * Removes the closing `>`: it ends the last word, or is a word by itself after a blank or a quoted version.
 */
function withoutDelimiter(words: readonly string[]): readonly [operator: string, version: string] | undefined {
  const [first, second, third] = words
  if (second === undefined) return first.endsWith('>') ? ['=', first.slice(0, -1)] : undefined
  if (third === undefined) {
    if (second === '>') return ['=', first]
    return second.endsWith('>') ? [first, second.slice(0, -1)] : undefined
  }
  return third === '>' ? [first, second] : undefined
}

function compare(operator: string, version: string, command: VersionCommand): boolean | string {
  switch (operator) {
    case '=':
    case '==':
      if (!version.startsWith('/')) return ordered(version, command, (order) => order === 0)
      if (version.length < 2 || !version.endsWith('/')) return 'Missing delimiting / of regular expression.'
      return matches(version.slice(1, -1), command)
    case '~':
      return matches(version, command)
    case '<':
      return ordered(version, command, (order) => order < 0)
    case '<=':
      return ordered(version, command, (order) => order <= 0)
    case '>':
      return ordered(version, command, (order) => order > 0)
    case '>=':
      return ordered(version, command, (order) => order >= 0)
    default:
      return 'unknown operator'
  }
}

function ordered(version: string, command: VersionCommand, holds: (order: number) => boolean): boolean | string {
  const requested = parseVersion(version)
  const own = parseVersion(command.services.httpdVersion)
  return requested === undefined || own === undefined ? VERSION_FORMAT_ERROR : holds(comparisonOf(own, requested))
}

function matches(regex: string, command: VersionCommand): boolean | string {
  const pattern = command.services.pattern(regex)
  return 'error' in pattern ? 'Unable to compile regular expression' : pattern.test(command.services.httpdVersion)
}
