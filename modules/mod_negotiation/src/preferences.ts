import type { Fields, Request } from '@gatewright/api'
import { type AcceptItem, parseAcceptList, parseWords } from './accept-list.ts'

/** What a client accepts. null means that the field is absent. */
export interface Preferences {
  readonly types: readonly AcceptItem[]
  /** True if a type has a quality below 1. */
  readonly weighsTypes: boolean
  readonly charsets: readonly AcceptItem[] | null
  readonly encodings: readonly AcceptItem[] | null
  readonly languages: readonly AcceptItem[] | null
  readonly transparency: Transparency
  /** Encoded variants that are excluded: by `no-gzip` and `gzip-only-text/html`. */
  readonly withoutEncoding: 'none' | 'all' | 'all but html'
  /** The language in the variable `prefer-language`, or null. */
  readonly preferredLanguage: string | null
}

/** Effects of the Negotiate field (RFC 2295). */
export interface Transparency {
  /** The client can choose from a list itself. */
  readonly understood: boolean
  /** The server may choose. */
  readonly mayChoose: boolean
  /** The server uses the algorithm of RFC 2296 rather than httpd's. */
  readonly byRvsa: boolean
  /** The Accept fields are taken literally: nothing is added that browsers usually omit. */
  readonly literal: boolean
}

const NOT_TRANSPARENT: Transparency = { understood: false, mayChoose: true, byRvsa: false, literal: false }

/** The type of scripts in negotiation, which no client lists. */
export const SCRIPT_TYPE = 'application/x-httpd-cgi'
/** The smallest positive number of single precision. */
const LEAST = 1.1754943508222875e-38

/**
 * @param kind whether all variants are in the folder of the resource, so that clients may receive a list of
 * them
 * @param scripts whether scripts are preferred to all other variants, for example because there is a query
 */
export function preferencesOf(request: Request, kind: 'transparent' | 'opaque', scripts: 'preferred' | 'ordinary'): Preferences {
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
  // Lynx sends this field without supporting it.
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

function withoutEncoding({ env }: Request): Preferences['withoutEncoding'] {
  if (env.has('no-gzip')) return 'all'
  return env.get('gzip-only-text/html') === '1' ? 'all but html' : 'none'
}
