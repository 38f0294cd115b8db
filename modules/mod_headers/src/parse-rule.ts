import { type Command, directivePlace } from '@gatewright/api'
import type { Rule } from './rule.ts'
import { parseValue } from './value.ts'
import { parseWhen, type When } from './when.ts'

/** A successfully parsed line. */
export interface ParsedRule {
  readonly rule: Rule
  readonly time: 'early' | 'normal'
}

type Failure = { readonly error: string }

/**
 * Parses the words of a line after `always` and `onsuccess`. Errors are detected in httpd's order, because a
 * line may have several.
 * @param side whose headers the directive changes
 */
export function parseRule(words: readonly string[], side: 'request' | 'response', command: Command): ParsedRule | Failure {
  const [typed = '', field = '', ...rest] = words
  if (rest.length > 3) return { error: `${command.name} has too many arguments` }
  const action = typed.toLowerCase()
  // The text after the first colon is not part of the name.
  const name = field.split(':', 1)[0]
  switch (action) {
    case 'set':
    case 'setifempty':
    case 'add':
    case 'append':
    case 'merge':
      return parseSetting(action, name, rest, command)
    case 'note':
      if (side === 'request') return { error: "RequestHeader does not support the 'note' action" }
      return parseSetting(action, name, rest, command)
    case 'edit':
    case 'edit*':
      return parseEdit(name, action === 'edit' ? 'first' : 'all', rest, command)
    case 'unset':
      if (rest.length > 1) return { error: rest.length > 2 ? TOO_MANY : 'header unset takes two arguments' }
      return timed(rest[0], command, (when) => ({ action, name, when, place: directivePlace(command) }))
    case 'echo':
      return parseEcho(field, side, rest, command)
    default:
      return { error: UNKNOWN_ACTION }
  }
}

const TOO_MANY = 'Too many arguments to directive'
const UNKNOWN_ACTION =
  "first argument must be 'add', 'set', 'setifempty', 'append', 'merge', 'unset', 'echo', 'note', 'edit', or 'edit*'."

function parseSetting(
  action: Extract<Rule, { value: unknown }>['action'] & Exclude<Rule['action'], 'edit'>,
  name: string,
  [source, condition, surplus]: readonly string[],
  command: Command,
): ParsedRule | Failure {
  if (surplus !== undefined) return { error: TOO_MANY }
  if (source === undefined) return { error: 'Header requires three arguments' }
  return timed(condition, command, (when) => {
    const value = parseValue(source, command)
    return isFailure(value) ? value : { action, name, value, when, place: directivePlace(command) }
  })
}

function parseEdit(
  name: string,
  matches: 'first' | 'all',
  [regex, source, condition]: readonly string[],
  command: Command,
): ParsedRule | Failure {
  if (regex === undefined || source === undefined) return { error: 'Header edit requires a match and a substitution' }
  const search = command.services.pattern(regex)
  if ('error' in search) return { error: 'Header edit regex could not be compiled' }
  return timed(condition, command, (when) => {
    const value = parseValue(source, command)
    return isFailure(value) ? value : { action: 'edit', name, search, value, matches, when, place: directivePlace(command) }
  })
}

function parseEcho(regex: string, side: 'request' | 'response', rest: readonly string[], command: Command): ParsedRule | Failure {
  if (rest.length > 1) return { error: rest.length > 2 ? TOO_MANY : 'Header echo takes two arguments' }
  if (side === 'request') return { error: 'Header echo only valid on Header directives' }
  const pattern = command.services.pattern(regex)
  if ('error' in pattern) return { error: 'Header echo regex could not be compiled' }
  return timed(rest[0], command, (when) => ({ action: 'echo', pattern, when, place: directivePlace(command) }))
}

/** Parses the condition, then creates the rule. */
function timed(
  condition: string | undefined,
  command: Command,
  make: (when: When | null) => Rule | Failure,
): ParsedRule | Failure {
  const when = condition === undefined ? null : parseWhen(condition, command)
  if (when !== null && when !== 'early' && isFailure(when)) return when
  const rule = make(when === 'early' ? null : when)
  return isFailure(rule) ? rule : { rule, time: when === 'early' ? 'early' : 'normal' }
}

function isFailure(result: string | object): result is Failure {
  return typeof result === 'object' && 'error' in result
}
