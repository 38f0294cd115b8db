import type { Fields, Request } from '@gatewright/api'
import { type AcceptItem, parseAcceptList, parseWords } from './accept-list.ts'

/** What a client says it takes. null: no such field. */
export interface Wishes {
  readonly types: readonly AcceptItem[]
  /** True when a type has a quality below 1. */
  readonly weighsTypes: boolean
  readonly charsets: readonly AcceptItem[] | null
  readonly encodings: readonly AcceptItem[] | null
  readonly languages: readonly AcceptItem[] | null
  readonly transparency: Transparency
  /** Encoded variants that are left out: `no-gzip` and `gzip-only-text/html`. */
  readonly withoutEncoding: 'none' | 'all' | 'all but html'
  /** Language that the variable `prefer-language` asks for, or null. */
  readonly preferredLanguage: string | null
}

/** What the Negotiate field allows (RFC 2295). */
export interface Transparency {
  /** The client can choose itself from a list. */
  readonly understood: boolean
  /** The server may choose. */
  readonly mayChoose: boolean
  /** By the algorithm of RFC 2296 rather than by httpd's. */
  readonly byRvsa: boolean
  /** The Accept fields are meant as they stand: nothing is made up for what browsers leave out. */
  readonly literal: boolean
}

const NOT_TRANSPARENT: Transparency = { understood: false, mayChoose: true, byRvsa: false, literal: false }

/** Type that scripts go by here, for which no client asks. */
export const SCRIPT_TYPE = 'application/x-httpd-cgi'
/** The least that is more than nothing in single precision. */
const LEAST = 1.1754943508222875e-38

/**
 * @param kind whether all variants are beside the resource, so that clients may receive a list of them
 * @param scripts whether a script is preferred to everything else, as with a query
 */
export function wishesOf(request: Request, kind: 'transparent' | 'opaque', scripts: 'preferred' | 'ordinary'): Wishes {
  const { headersIn } = request
  const accepted = parseAcceptList(headersIn.get('accept'))
  const transparency = kind === 'transparent' ? transparencyOf(headersIn) : NOT_TRANSPARENT
  const scriptQuality = transparency.byRvsa ? 0 : scripts === 'preferred' ? 2 : LEAST
  return {
    types: [
      ...(accepted ?? [{ name: '*/*', quality: 1, level: 0, charset: '' }]),
      { name: SCRIPT_TYPE, quality: scriptQuality, level: 0, charset: '' },
    ],
    weighsTypes: accepted?.some(({ quality }) => quality < 1) === true,
    charsets: parseAcceptList(headersIn.get('accept-charset')),
    encodings: parseAcceptList(headersIn.get('accept-encoding')),
    languages: parseAcceptList(headersIn.get('accept-language')),
    transparency,
    withoutEncoding: withoutEncoding(request),
    preferredLanguage: request.env.get('prefer-language') ?? null,
  }
}

function transparencyOf(headersIn: Fields): Transparency {
  const field = headersIn.get('negotiate')
  if (field === undefined) return NOT_TRANSPARENT
  // Lynx says so and does not mean it.
  if (field === 'trans' && headersIn.get('user-agent')?.startsWith('Lynx') === true) return NOT_TRANSPARENT
  let understood = false
  let mayChoose = false
  let byRvsa = false
  let literal = false
  for (const word of parseWords(field)) {
    if (word !== 'trans' && word !== 'vlist' && word !== 'guess-small' && word !== '*' && !/^\d/.test(word)) continue
    understood = true
    if (word !== '1.0' && word !== '*') continue
    mayChoose = true
    literal = true
    byRvsa ||= word === '1.0'
  }
  return { understood, mayChoose, byRvsa, literal }
}

function withoutEncoding({ env }: Request): Wishes['withoutEncoding'] {
  if (env.has('no-gzip')) return 'all'
  return env.get('gzip-only-text/html') === '1' ? 'all but html' : 'none'
}
