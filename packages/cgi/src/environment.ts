import { decodePercent, escapeShell } from '@gatewright/api/text'

/**
 * The environment of a program, as httpd makes it of its variables: other characters than letters, digits and `_` in a name
 * become `_`, and so does a digit at its start.
 */
export function environmentOf(variables: Iterable<readonly [string, string]>): [name: string, value: string][] {
  const env = new Map<string, string>()
  for (const [name, value] of variables) {
    const cut = value.indexOf('\0')
    const key = name.replaceAll(/[^A-Za-z0-9_]/g, '_').replace(/^\d/, '_')
    // An equal name that stands later is hidden by the first.
    if (!env.has(key)) env.set(key, cut < 0 ? value : value.slice(0, cut))
  }
  return [...env]
}

/**
 * The arguments of a program: a query without `=` is a list of words, separated by `+` (RFC 3875 section 4.4). As in httpd,
 * characters that mean something to a shell get a backslash.
 */
export function argumentsOf(query: string | null): string[] {
  if (query === null || query === '' || query.includes('=')) return []
  return query.split('+').map((word) => escapeShell(decodePercent(word)))
}
