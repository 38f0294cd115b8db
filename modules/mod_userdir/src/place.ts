/** The location of a user's pages by one word of UserDir: a folder, or the URL of a redirect. */
export type Place = { readonly kind: 'folder'; readonly path: string } | { readonly kind: 'url'; readonly url: string }

/**
 * The user's name replaces the `*` in a word; in a URL the text after the asterisk is dropped. The name is
 * appended to an absolute path without an asterisk; any other word is a folder in the user's home.
 * @param rest path of the request after the name, with its slash; only appended to a URL
 * @returns null if the user has no home
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
