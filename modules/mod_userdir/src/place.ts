/** Where one word of UserDir says that a user's pages are: a folder, or a URL that clients are sent to. */
export type Place = { readonly kind: 'folder'; readonly path: string } | { readonly kind: 'url'; readonly url: string }

/**
 * A word with `*` has the user's name in its place; of a URL what follows the asterisk is dropped. An absolute path without one has the name behind it, and anything
 * else lies in the user's home.
 * @param rest path of the request behind the name, with its slash; it is part of a URL alone
 * @returns null when the user has no home
 */
export function placeOf(word: string, user: string, rest: string, homeFolder: (user: string) => string | null): Place | null {
  const star = word.indexOf('*')
  const prefix = star < 0 ? null : word.slice(0, star)
  if (prefix?.includes(':') === true && !word.startsWith('/')) return { kind: 'url', url: `${prefix}${user}${rest}` }
  const suffix = word.slice(star + 1)
  if (word.startsWith('/') || suffix === '') {
    return { kind: 'folder', path: prefix === null ? `${word}/${user}` : `${prefix}${user}${suffix}` }
  }
  const home = homeFolder(user)
  return home === null ? null : { kind: 'folder', path: `${home}/${suffix}` }
}
