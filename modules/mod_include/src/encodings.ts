import { decodeBase64Lenient, decodePercent, escapeHtml, escapeUriPath } from '@gatewright/api/text'
import { decodeEntities } from './entities.ts'

type Coding = (text: string) => string

/** The values of `encoding`. */
const ENCODINGS: Readonly<Record<string, Coding>> = {
  none: (text) => text,
  url: escapeUriPath,
  urlencoded: (text) => text.replaceAll(/[^A-Za-z0-9.*_ -]/g, percent).replaceAll(' ', '+'),
  entity: escapeHtml,
  base64: (text) => Buffer.from(text, 'latin1').toString('base64'),
}

/** The values of `decoding`. */
const DECODINGS: Readonly<Record<string, Coding>> = {
  none: (text) => text,
  url: decodeUri,
  urlencoded: (text) => decodeUri(text.replaceAll('+', ' ')),
  entity: decodeEntities,
  base64: (text) => untilNul(decodeBase64Lenient(text).toString('latin1')),
}

/** A value after its decodings and encodings, or the one that does not exist. */
export type CodedText = { readonly text: string } | { readonly kind: 'decoding' | 'encoding'; readonly unknown: string }

/** Applies lists of codings, separated by commas or blanks, in their order. */
export function recoded(text: string, decodings: string, encodings: string): CodedText {
  let coded = text
  for (const name of wordsOf(decodings)) {
    const decode = codingOf(DECODINGS, name)
    if (decode === undefined) return { kind: 'decoding', unknown: name }
    coded = decode(coded)
  }
  for (const name of wordsOf(encodings)) {
    const encode = codingOf(ENCODINGS, name)
    if (encode === undefined) return { kind: 'encoding', unknown: name }
    coded = encode(coded)
  }
  return { text: coded }
}

/** Decodes `%hh`; others stay. As in httpd, a NUL ends the text. */
export function decodeUri(text: string): string {
  return untilNul(decodePercent(text))
}

function codingOf(codings: Readonly<Record<string, Coding>>, name: string): Coding | undefined {
  const key = name.toLowerCase()
  return Object.hasOwn(codings, key) ? codings[key] : undefined
}

function wordsOf(list: string): string[] {
  return list.split(/[, \t]+/).filter((word) => word !== '')
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`
}

function untilNul(text: string): string {
  const end = text.indexOf('\0')
  return end < 0 ? text : text.slice(0, end)
}
