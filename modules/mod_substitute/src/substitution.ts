import type { Pattern } from '@gatewright/api'
import { type Replacement, replacementText } from '@gatewright/filters'

/** `s/pattern/replacement/flags`. */
export interface Substitution {
  /** A fixed text, or a pattern. */
  readonly searched: string | Pattern
  /** Whether a fixed text matches in any case. */
  readonly ignoreCase: boolean
  /** Text and numbers of groups; the text alone for a fixed text. */
  readonly replacement: Replacement
  /** Whether later substitutions see the replaced text joined with the text around it. */
  readonly flatten: boolean
}

/** A line, by substitution or at first, is longer than SubstituteMaxLineLength. */
export class SubstitutedLineTooLong extends Error {}

/**
 * Applies substitutions in order to a line.
 * @param limit the longest line, in bytes
 * @throws SubstitutedLineTooLong
 */
export function substituteLine(line: string, substitutions: readonly Substitution[], limit: number): string {
  let parts: readonly string[] = [line]
  for (const substitution of substitutions) {
    const joined: string[] = []
    for (const part of parts) substitutePart(part, substitution, limit, joined)
    parts = joined
  }
  return parts.length === 1 ? parts[0] : parts.join('')
}

function substitutePart(text: string, substitution: Substitution, limit: number, made: string[]): void {
  const { flatten } = substitution
  const pieces: string[] = []
  let rest = text
  let length = 0
  for (;;) {
    const match = searchIn(rest, substitution)
    if (match === null) break
    const replaced = replacementText(substitution.replacement, match.groups)
    length += match.index + replaced.length
    if (length > limit) throw new SubstitutedLineTooLong()
    pieces.push(rest.slice(0, match.index), replaced)
    // httpd replaces a match of nothing again and again, until the line is too long.
    if (match.groups[0] === '') throw new SubstitutedLineTooLong()
    rest = rest.slice(match.index + match.groups[0].length)
  }
  if (pieces.length === 0) {
    made.push(text)
    return
  }
  if (length + rest.length > limit) throw new SubstitutedLineTooLong()
  pieces.push(rest)
  if (flatten) made.push(pieces.join(''))
  else for (const piece of pieces) if (piece !== '') made.push(piece)
}

interface Match {
  readonly index: number
  readonly groups: readonly string[]
}

function searchIn(text: string, { searched, ignoreCase }: Substitution): Match | null {
  if (typeof searched !== 'string') return searched.search(text)
  const index = ignoreCase ? lowerCase(text).indexOf(searched) : text.indexOf(searched)
  return index < 0 ? null : { index, groups: [searched] }
}

/** Letters of ASCII only: the texts are bytes. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
