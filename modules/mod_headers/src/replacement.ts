import { type DirectivePlace, type MaybePromise, type Pattern, RequestTooExpensive, type Work } from '@gatewright/api'

/** In bytes: httpd's bound for what one match is replaced by. */
const LONGEST_REPLACEMENT = 65_535
/** In bytes: no header field of use is longer, and fields that edits double would fill the memory. */
export const LONGEST_FIELD = 1_048_576

/** What is replaced in a text, and by what. */
export interface Edit {
  readonly search: Pattern
  /** `$0` to `$9` are groups of the match, and a backslash takes its meaning from the character behind it. */
  readonly replacement: string
  readonly matches: 'first' | 'all'
  readonly place: DirectivePlace
}

/**
 * Replaces the first match, or all of them. Each search begins after the previous match as if the text began
 * there, so `^` matches there again (httpd's rule).
 * @throws RequestTooExpensive if the result is too long
 */
export function replace(text: string, edit: Edit, work: Work): MaybePromise<string> {
  return new Replacing(text, edit).run(work)
}

/**
 * The position of a replacement in the text, so that it can continue there after yielding to other requests.
 */
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
      const behind = this.#rest.slice(index + groups[0].length)
      this.#done += this.#rest.slice(0, index) + expanded
      if (expanded.length > LONGEST_REPLACEMENT || this.#done.length > LONGEST_FIELD) throw tooLong(place)
      if (matches === 'first' || behind === '') return this.#done + behind
      if (behind.length < this.#rest.length - index) this.#rest = behind
      else {
        // The match is empty: continue after the next character to avoid an endless loop.
        this.#done += behind[0]
        this.#rest = behind.slice(1)
      }
    }
  }
}

/** The request fails if a field exceeds any useful length. */
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
