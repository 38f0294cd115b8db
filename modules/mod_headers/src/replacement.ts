import { type DirectivePlace, type MaybePromise, type Pattern, RequestTooExpensive, type Work } from '@gatewright/api'

/** In bytes: httpd's limit for the replacement of one match. */
const LONGEST_REPLACEMENT = 65_535
/**
 * In bytes: no useful header field is longer, and fields that edits double repeatedly would fill the memory.
 */
export const LONGEST_FIELD = 1_048_576

/** A search and its replacement. */
export interface Edit {
  readonly search: Pattern
  /** `$0` to `$9` are groups of the match; a backslash makes the next character literal. */
  readonly replacement: string
  readonly matches: 'first' | 'all'
  readonly place: DirectivePlace
}

/**
 * Replaces the first match, or all of them. As in httpd, each search begins after the previous match as if
 * the text began there, so `^` matches there again.
 * @throws RequestTooExpensive if the result is too long
 */
export function replace(text: string, edit: Edit, work: Work): MaybePromise<string> {
  return new Replacing(text, edit).run(work)
}

/** Keeps the position of a replacement in the text, to continue there after yielding to other requests. */
class Replacing {
  readonly #edit: Edit
  #done = ''
  #rest: string

  constructor(text: string, edit: Edit) {
    this.#edit = edit
    this.#rest = text
  }

  run(work: Work): MaybePromise<string> {
    const { search, replacement, matches, place } = this.#edit
    for (;;) {
      if (work.spend(1 + (this.#rest.length >> 10))) return work.pause(place).then(() => this.run(work))
      const match = search.search(this.#rest)
      if (match === null) return this.#done + this.#rest
      const { index, groups } = match
      const expanded = expand(replacement, groups)
      const after = this.#rest.slice(index + groups[0].length)
      this.#done += this.#rest.slice(0, index) + expanded
      if (expanded.length > LONGEST_REPLACEMENT || this.#done.length > LONGEST_FIELD) throw tooLong(place)
      if (matches === 'first' || after === '') return this.#done + after
      if (after.length < this.#rest.length - index) this.#rest = after
      else {
        // The match is empty: continue after the next character to avoid an endless loop.
        this.#done += after[0]
        this.#rest = after.slice(1)
      }
    }
  }
}

/** The error for a field that exceeds any useful length. It ends the request. */
export function tooLong(place: DirectivePlace): RequestTooExpensive {
  return new RequestTooExpensive('the value of the field is too long', place)
}

function expand(replacement: string, groups: readonly string[]): string {
  if (!replacement.includes('$') && !replacement.includes('\\')) return replacement
  let text = ''
  for (let at = 0; at < replacement.length; at++) {
    const character = replacement[at]
    const next = replacement.charCodeAt(at + 1)
    if (character === '$' && next >= 0x30 && next <= 0x39) {
      text += groups[next - 0x30] ?? ''
      at++
    } else if (character === '\\' && at + 1 < replacement.length) {
      text += replacement[++at]
    } else {
      text += character
    }
  }
  return text
}
