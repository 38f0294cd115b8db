import { type Command, directivePlace } from '@gatewright/api'
import { compileTemplate } from '@gatewright/api/text'
import { type AliasConfig, isServerLevel } from './config.ts'
import { isRedirection, type RedirectRule } from './redirect-rule.ts'
import { isUrl } from './redirect-target.ts'

/**
 * `Redirect`, `RedirectTemp` and `RedirectPermanent`. The first word is the status if it can be parsed as
 * one. In a section the path may be omitted; the line then applies to the whole section.
 */
export function addRedirect(
  config: AliasConfig,
  words: readonly (string | undefined)[],
  status: number,
  command: Command,
): string | undefined {
  const line = readStatus(words, status)
  if (typeof line === 'string') return line
  const [first, second] = line.words
  const bare = second === undefined && (first === undefined || (line.given && isRedirection(line.status)) || !line.given)
  if (bare && !isServerLevel(command.section)) return addSectionRedirect(config, line.status, first, command)
  const error = checkTarget(line.status, second)
  if (error !== undefined) return error
  if (second !== undefined && !isUrl(second) && !second.startsWith('/')) return 'Redirect to non-URL'
  // httpd accepts the line and then crashes on every request.
  if (first === undefined) return 'Redirect needs a URL path when it is used globally'
  const place = directivePlace(command)
  add(config, { kind: 'prefix', prefix: first, target: second ?? '', status: line.status, place }, command)
  return undefined
}

/** `RedirectMatch`. */
export function addRedirectMatch(
  config: AliasConfig,
  first: string,
  second: string,
  third: string | undefined,
  command: Command,
): string | undefined {
  const line = readStatus([first, second, third], 302)
  if (typeof line === 'string') return line
  const [regex, target] = line.words
  const pattern = command.services.pattern(regex ?? '')
  if ('error' in pattern) return 'Regular expression could not be compiled.'
  const error = checkTarget(line.status, target)
  if (error !== undefined) return error
  const place = directivePlace(command)
  add(config, { kind: 'pattern', pattern, target: compileTemplate(target ?? ''), status: line.status, place }, command)
  return undefined
}

interface StatusLine {
  readonly status: number
  /** True if the line contains a status. */
  readonly given: boolean
  /** The remaining words: the path and the target. */
  readonly words: readonly (string | undefined)[]
}

function readStatus(words: readonly (string | undefined)[], otherwise: number): StatusLine | string {
  const status = statusOf(words[0] ?? '')
  if (status !== undefined) return { status, given: true, words: words.slice(1) }
  return words[2] === undefined ? { status: otherwise, given: false, words } : 'Redirect: invalid first argument (of three)'
}

const STATUS_WORDS: ReadonlyMap<string, number> = new Map([
  ['permanent', 301],
  ['temp', 302],
  ['seeother', 303],
  ['gone', 410],
])

/** The status for a word, or the number at the beginning of the text. */
function statusOf(word: string): number | undefined {
  const named = STATUS_WORDS.get(word.toLowerCase())
  if (named !== undefined) return named
  const digits = /^\d+/.exec(word)
  return digits === null ? undefined : Number(digits[0])
}

function checkTarget(status: number, target: string | undefined): string | undefined {
  if (isRedirection(status)) return target === undefined ? 'URL to redirect to is missing' : undefined
  return target === undefined ? undefined : 'Redirect URL not valid for this status'
}

function addSectionRedirect(
  config: AliasConfig,
  status: number,
  source: string | undefined,
  command: Command,
): string | undefined {
  const error = checkTarget(status, source)
  if (error !== undefined) return error
  if (source === undefined) {
    config.redirect = { status, target: null, place: directivePlace(command) }
    return undefined
  }
  const target = command.services.text(source, command)
  if ('error' in target) return `Cannot parse redirect expression '${source}': ${target.error}`
  config.redirect = { status, target, place: directivePlace(command) }
  return undefined
}

function add(config: AliasConfig, rule: RedirectRule, command: Command): void {
  if (isServerLevel(command.section)) config.serverRedirects.push(rule)
  else config.redirects.push(rule)
}
