import { uriProblem } from './url-checks.ts'

const KNOWN: readonly (readonly [name: string, url: string])[] = [
  ['LetsEncrypt', 'https://acme-v02.api.letsencrypt.org/directory'],
  ['LetsEncrypt-Test', 'https://acme-staging-v02.api.letsencrypt.org/directory'],
  ['Buypass', 'https://api.buypass.com/acme/directory'],
  ['Buypass-Test', 'https://api.test4.buypass.no/acme/directory'],
]

/** The CA of domains that name none. */
export const DEFAULT_AUTHORITY: string = KNOWN[0][1]

/** The URL of a CA by name or URL, or the error text. */
export function authorityUrl(word: string): { readonly url: string } | { readonly error: string } {
  const known = KNOWN.find(([name]) => name.toLowerCase() === word.toLowerCase())
  if (known !== undefined) return { url: known[1] }
  const problem = uriProblem(word)
  if (problem === undefined) return { url: word }
  const names = KNOWN.map(([name]) => name).join(' ')
  return { error: `The CA name '${word}' is not known and it is not a URL either (${problem}). Known CA names are: ${names}.` }
}

/** How pages name a CA. */
export function authorityName(url: string): string {
  const known = KNOWN.find(([, known]) => known.toLowerCase() === url.toLowerCase())
  return known?.[0] ?? URL.parse(url)?.hostname ?? url
}
