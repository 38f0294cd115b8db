import type { Condition, Pattern } from '@gatewright/api'
import { type Replacement, replacementText } from '@gatewright/filters'

/** What a rule replaces: a fixed text, or what a pattern matches. */
export type Mapping = { readonly fixed: string; readonly to: string } | { readonly pattern: Pattern; readonly to: Replacement }

/** Where a rule applies, and how. */
export interface MapScope {
  readonly inLinks: boolean
  readonly inEvents: boolean
  readonly inScripts: boolean
  /** Only at the start or end of the text, for fixed texts in events and scripts. */
  readonly atStart: boolean
  readonly atEnd: boolean
  /** Whether no later rule sees an event that this one has changed. */
  readonly last: boolean
  /** Whether later rules see a link that this one has changed. */
  readonly notLast: boolean
}

/** A ProxyHTMLURLMap line as it applies to a response. */
export interface UrlRule extends MapScope {
  readonly mapping: Mapping
}

/** A ProxyHTMLURLMap line. */
export interface UrlMapLine extends MapScope {
  readonly from: string
  readonly to: string
  /** Null for a fixed text. */
  readonly regex: { readonly ignoreCase: boolean; readonly multiline: boolean } | null
  /** The compiled mapping; null for a pattern that is invalid, or is made for each request. */
  readonly mapping: Mapping | null
  /** Whether `${NAME}` is replaced in the first and in the second text, with ProxyHTMLInterp. */
  readonly interpolatesFrom: boolean
  readonly interpolatesTo: boolean
  /** With ProxyHTMLInterp, the line applies only if this holds. */
  readonly condition: Condition | null
}

/** The value of a link: a fixed text is replaced at its start, in any case, and ends the search. */
export function mapLink(value: string, rules: readonly UrlRule[]): string {
  let made = value
  let changed = false
  for (const { mapping, inLinks, notLast } of rules) {
    if (!inLinks) continue
    if ('fixed' in mapping) {
      if (!startsWithIgnoringCase(made, mapping.fixed)) continue
      return mapping.to + made.slice(mapping.fixed.length)
    }
    const match = mapping.pattern.search(made)
    if (match !== null) {
      changed = true
      const after = made.slice(match.index + match.groups[0].length)
      made = made.slice(0, match.index) + replacementText(mapping.to, match.groups) + after
    }
    if (changed && !notLast) return made
  }
  return made
}

/** The value of a scripting event: all matches are replaced. */
export function mapEvent(value: string, rules: readonly UrlRule[]): string {
  let made = value
  for (const rule of rules) {
    if (!rule.inEvents) continue
    const mapped = mapAll(made, rule)
    if (mapped.matched && rule.last) return mapped.text
    made = mapped.text
  }
  return made
}

/** A script, a style sheet or a comment: all matches are replaced. */
export function mapScript(text: string, rules: readonly UrlRule[]): string {
  let made = text
  for (const rule of rules) if (rule.inScripts) made = mapAll(made, rule).text
  return made
}

function mapAll(text: string, { mapping, atStart, atEnd }: UrlRule): { readonly text: string; readonly matched: boolean } {
  if ('pattern' in mapping) return replaceMatches(text, mapping.pattern, mapping.to)
  const { fixed, to } = mapping
  if (fixed === '') return { text, matched: false }
  if (atStart) {
    const matched = text.startsWith(fixed) && (!atEnd || text.length === fixed.length)
    return { text: matched ? to + text.slice(fixed.length) : text, matched }
  }
  if (atEnd) {
    const matched = text.endsWith(fixed)
    return { text: matched ? text.slice(0, text.length - fixed.length) + to : text, matched }
  }
  const matched = text.includes(fixed)
  return { text: matched ? text.replaceAll(fixed, () => to) : text, matched }
}

/** A match of nothing ends the search: httpd would never end. */
function replaceMatches(text: string, pattern: Pattern, to: Replacement): { readonly text: string; readonly matched: boolean } {
  const parts: string[] = []
  let rest = text
  for (let match = pattern.search(rest); match !== null; match = pattern.search(rest)) {
    const length = match.groups[0].length
    if (length === 0) break
    parts.push(rest.slice(0, match.index), replacementText(to, match.groups))
    rest = rest.slice(match.index + length)
  }
  return { text: parts.join('') + rest, matched: parts.length > 0 }
}

function startsWithIgnoringCase(text: string, start: string): boolean {
  return lowerCase(text.slice(0, start.length)) === lowerCase(start)
}

/** Letters of ASCII only: the texts are bytes. */
export function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
