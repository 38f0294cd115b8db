import type { ConfigNode } from '@gatewright/config'
import { compilePattern, PatternError } from '@gatewright/expr'
import { nearestWord } from '../base/nearest-word.ts'
import type { BoundDirective } from '../modules/registry.ts'
import type { BindContext } from './bind-context.ts'
import { providerHint } from './provider-hints.ts'

/** A refused line, and where it was found. */
export interface RefusedLine {
  readonly message: string
  readonly bound: BoundDirective
  readonly node: ConfigNode
  readonly context: BindContext
}

/**
 * Advice for refusals whose text, httpd's own, names the mistake but not the remedy. Undefined if there is none
 * to give.
 */
export function hintForRefusal(refused: RefusedLine): string | undefined {
  for (const [known, advise] of ADVICE) if (known.test(refused.message)) return advise(refused)
  return undefined
}

const ADVICE: readonly (readonly [known: RegExp, advise: (refused: RefusedLine) => string | undefined])[] = [
  [/^order takes one argument/i, ({ node }) => (/,\s/.test(node.text) ? 'write no blank after the comma' : undefined)],
  [/^Unknown Auth[nz] provider: /, providerHint],
  [/^Illegal override option /, ({ message }) => amongWords(lastWord(message), OVERRIDES)],
  [/Log level keyword must be one of /, ({ node }) => levelHint(node.text)],
  [/regular expression|\bregex\b/i, ({ node }) => patternHint(node.text)],
  [/ not allowed (?:here|in .* context)$/, placeHint],
]

const OVERRIDES = [
  'AuthConfig',
  'FileInfo',
  'Indexes',
  'Limit',
  'Options',
  'All',
  'None',
  'Nonfatal=Override',
  'Nonfatal=Unknown',
]
const LEVELS = ['emerg', 'alert', 'crit', 'error', 'warn', 'notice', 'info', 'debug', 'trace1', 'trace8']

/** Words that other programs use for the levels. */
const OTHER_LEVELS: Readonly<Record<string, string>> = {
  critical: 'crit',
  emergency: 'emerg',
  err: 'error',
  fatal: 'crit',
  none: 'emerg',
  panic: 'emerg',
  trace: 'trace1',
  verbose: 'info',
  warning: 'warn',
}

function levelHint(text: string): string | undefined {
  const wrong = words(text)
    .map((word) => word.replace(/^.*:/, ''))
    .find((word) => !LEVELS.includes(word.toLowerCase()))
  if (wrong === undefined) return undefined
  const known = OTHER_LEVELS[wrong.toLowerCase()] ?? nearestWord(wrong, LEVELS)
  return known === undefined ? undefined : `did you mean ${known}?`
}

function amongWords(word: string, known: readonly string[]): string {
  const near = nearestWord(word, known)
  return near === undefined ? `known words are ${known.join(', ')}` : `did you mean ${near}?`
}

/** The reason why the first unusable pattern among the arguments cannot be compiled. */
function patternHint(text: string): string | undefined {
  for (const word of words(text)) {
    const pattern = compilePattern(word.replace(/^!/, ''))
    if (pattern instanceof PatternError) return `${pattern.message}, at character ${pattern.offset + 1} of ${word}`
  }
  return undefined
}

const PLACES: Readonly<Record<string, string>> = {
  server: 'outside of sections',
  virtualhost: 'in <VirtualHost>',
  directory: 'in <Directory>, <Files> and <Location>',
  htaccess: 'in .htaccess files',
}

function placeHint({ bound, node, context }: RefusedLine): string | undefined {
  const { parent } = node
  const { context: places, override } = bound.spec
  const shown = bound.name.startsWith('<') ? `${bound.name}>` : bound.name
  if (context.grant !== null && places.includes('htaccess'))
    return override === undefined ? undefined : `AllowOverride of this folder must include ${classText(override)}`
  if (parent !== null && bound.name.startsWith('<') && parent.name.toLowerCase() === bound.name.toLowerCase())
    return `close the ${parent.name}> of line ${parent.line} first`
  const allowed = places.map((place) => PLACES[place])
  return allowed.length === 0 ? undefined : `${shown} is allowed ${allowed.join(', and ')}`
}

function classText(override: string | readonly string[]): string {
  return typeof override === 'string' ? override : override.join(' or ')
}

function words(text: string): string[] {
  return [...text.matchAll(/"((?:\\.|[^"\\])*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}

function lastWord(message: string): string {
  return message.slice(message.lastIndexOf(' ') + 1)
}
