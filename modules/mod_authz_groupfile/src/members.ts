const DOUBLE_QUOTE = 0x22
const SINGLE_QUOTE = 0x27
const BACKSLASH = 0x5c

/** Longer names cannot be in a header field of a request. */
const LONGEST_NAME = 64 * 1024

/**
 * The members of a group: words by the configuration's quoting rules, so that `"al ice"` is one member.
 * Commas do not separate members. Words too long for a name are omitted.
 * @param text bytes, one per character: white space beyond ASCII is part of a name
 * @param from index at which the members begin
 */
export function* members(text: string, from: number): Generator<string, void> {
  let at = afterBlanks(text, from)
  while (at < text.length) {
    const first = text.charCodeAt(at)
    const quote = first === DOUBLE_QUOTE || first === SINGLE_QUOTE ? first : 0
    const start = quote === 0 ? at : at + 1
    const end = quote === 0 ? endOfWord(text, start) : endOfQuoted(text, start, quote)
    if (end - start <= LONGEST_NAME) yield withoutEscapes(text.slice(start, end), quote)
    at = afterBlanks(text, quote === 0 ? end : end + 1)
  }
}

function afterBlanks(text: string, from: number): number {
  let at = from
  while (at < text.length && isBlank(text.charCodeAt(at))) at++
  return at
}

function endOfWord(text: string, from: number): number {
  let at = from
  while (at < text.length && !isBlank(text.charCodeAt(at))) at++
  return at
}

/** Index of the closing quote, or the length of the text. */
function endOfQuoted(text: string, from: number, quote: number): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) !== quote) at += isEscape(text, at, quote) ? 2 : 1
  return Math.min(at, text.length)
}

/** @param quote 0 outside quotes */
function isEscape(text: string, at: number, quote: number): boolean {
  if (text.charCodeAt(at) !== BACKSLASH) return false
  const next = text.charCodeAt(at + 1)
  return next === BACKSLASH || (quote !== 0 && next === quote)
}

function withoutEscapes(text: string, quote: number): string {
  if (!text.includes('\\')) return text
  let plain = ''
  for (let at = 0; at < text.length; at++) {
    if (isEscape(text, at, quote)) at++
    plain += text[at]
  }
  return plain
}

/** C's isspace: no other characters are white space. */
function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}
