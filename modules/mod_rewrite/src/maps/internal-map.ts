import { escapeUriPath } from '@gatewright/api/text'
import { lowerCase, upperCase } from '../c-library-text.ts'
import { type RewriteMap, traceLookup } from './rewrite-map.ts'

/** Functions of the `int` maps, by name. */
export const INTERNAL_MAPS: Readonly<Record<string, (key: string) => string>> = {
  tolower: lowerCase,
  toupper: upperCase,
  escape: escapeUriPath,
  unescape: decodeEscapes,
}

/** A map that computes its values. */
export function internalMap(name: string, convert: (key: string) => string): RewriteMap {
  return {
    find: (key, run) => {
      const value = convert(key)
      // httpd changes the case in place, and therefore logs the converted key.
      traceLookup(run, name, convert === lowerCase || convert === upperCase ? value : key, value)
      return value
    },
  }
}

/** Invalid sequences stay unchanged. */
function decodeEscapes(text: string): string {
  return text.replace(/%([0-9A-Fa-f]{2})/g, (_whole, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
}
