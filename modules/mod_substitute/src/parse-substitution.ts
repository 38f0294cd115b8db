import type { ConfigServices } from '@gatewright/api'
import { parseReplacement } from '@gatewright/filters'
import type { Substitution } from './substitution.ts'

/**
 * Reads `s/pattern/replacement/flags` with any delimiter. The delimiter cannot be escaped.
 * @returns an error text if it is invalid
 */
export function parseSubstitution(text: string, services: ConfigServices): Substitution | string {
  if (text[0]?.toLowerCase() !== 's') return 'Bad Substitute format, must be an s/// pattern'
  const delimiter = text[1] ?? ''
  const searchedEnd = delimiter === '' ? -1 : text.indexOf(delimiter, 2)
  if (searchedEnd < 0) return 'Bad Substitute format, must be a complete s/// pattern'
  const searched = text.slice(2, searchedEnd)
  const end = text.indexOf(delimiter, searchedEnd + 1)
  const replacement = text.slice(searchedEnd + 1, end < 0 ? undefined : end)
  let fixed = false
  let ignoreCase = false
  let flatten = true
  for (const flag of end < 0 ? '' : text.slice(end + 1)) {
    switch (flag.toLowerCase()) {
      case 'i':
        ignoreCase = true
        break
      case 'n':
        fixed = true
        break
      case 'f':
        flatten = true
        break
      case 'q':
        flatten = false
        break
      default:
        return 'Bad Substitute flag, only s///[infq] are supported'
    }
  }
  if (fixed) {
    if (searched === '') return 'Substitute could not compile pattern'
    return { searched: ignoreCase ? searched.toLowerCase() : searched, ignoreCase, replacement: [replacement], flatten }
  }
  // A dot never matches the line feed, whatever RegexDefaultOptions says.
  const pattern = services.pattern(`(?-s)${searched}`, { ignoreCase })
  if ('error' in pattern) return 'Substitute could not compile regex'
  return { searched: pattern, ignoreCase, replacement: parseReplacement(replacement), flatten }
}
