/** Scope of a search. */
export type LdapScope = 'base' | 'one' | 'sub'

/** A parsed LDAP URL (RFC 4516). Text is bytes, without escapes. */
export interface LdapUrl {
  readonly scheme: 'ldap' | 'ldaps' | 'ldapi'
  /** As written: several hosts may be separated by blanks; '' without one. */
  readonly hosts: string
  /** The port after a single host; 0 without one, and where the port belongs to one of several hosts. */
  readonly port: number
  /** Null without one. */
  readonly base: string | null
  readonly attributes: readonly string[]
  /** Null without one. */
  readonly scope: LdapScope | null
  /** Null without one. */
  readonly filter: string | null
}

const SCOPES: ReadonlyMap<string, LdapScope> = new Map([
  ['base', 'base'],
  ['one', 'one'],
  ['onetree', 'one'],
  ['sub', 'sub'],
  ['subtree', 'sub'],
])

const SCHEMES: ReadonlyMap<string, LdapUrl['scheme']> = new Map([
  ['ldap', 'ldap'],
  ['ldaps', 'ldaps'],
  ['ldapi', 'ldapi'],
])

/**
 * Parses an LDAP URL as leniently as the Apache Portable Runtime: `<...>` and `URL:` are accepted around it, hosts may
 * be several, an escape that is none stays as it is.
 * @returns what is wrong with it, in the words of httpd
 */
export function parseLdapUrl(text: string): LdapUrl | { readonly error: string } {
  const bare = text.replace(/^<(.*?)>?$/, '$1').replace(/^URL:/i, '')
  const [, word = '', rest = ''] = /^(\w+):\/\/(.*)$/s.exec(bare) ?? []
  const scheme = SCHEMES.get(word.toLowerCase())
  if (scheme === undefined) return { error: 'The scheme was not recognised as a valid LDAP URL scheme.' }

  const slash = rest.search(/[/?]/)
  const hosts = unescaped(slash < 0 ? rest : rest.slice(0, slash))
  const [base, attributes, scopeText, filter] = slash < 0 ? [] : rest.slice(slash + (rest[slash] === '/' ? 1 : 0)).split('?')
  const scope = scopeText === undefined || scopeText === '' ? null : SCOPES.get(scopeText.toLowerCase())
  if (scope === undefined) return { error: 'Bad scope encountered while parsing LDAP URL.' }
  return {
    scheme,
    hosts,
    port: portOf(hosts),
    base: base === undefined || base === '' ? null : unescaped(base),
    attributes: attributes === undefined || attributes === '' ? [] : attributes.split(',').map(unescaped),
    scope,
    filter: filter === undefined || filter === '' ? null : unescaped(filter),
  }
}

function portOf(hosts: string): number {
  const port = /^[^\s]+?:(\d+)$/.exec(hosts)?.[1]
  return port === undefined || hosts.includes(' ') ? 0 : Number(port)
}

function unescaped(text: string): string {
  return text.replace(/%([0-9A-Fa-f]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
}

/**
 * The hosts of a list such as `one:3890 [::1]:389 two`, in their order.
 * @param defaultPort of hosts without a port, or with one that is no number
 */
export function hostsIn(list: string, defaultPort: number): { readonly host: string; readonly port: number }[] {
  const words = list.split(/[ \t,]+/).filter((word) => word !== '')
  if (words.length === 0) words.push('localhost')
  return words.map((word) => {
    const [, bracketed, plain, digits] = /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/.exec(word) ?? []
    const port = digits === undefined || !/^\d+$/.test(digits) ? defaultPort : Number(digits)
    return { host: bracketed || plain || (bracketed === undefined && plain === undefined ? word : 'localhost'), port }
  })
}
