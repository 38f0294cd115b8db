/**
 * Whether a name of a certificate, perhaps with a wildcard, matches a host, by the rules of OpenSSL: one `*` at the start or the end
 * of the first label, at least two dots after it, and not within an internationalized label. A NUL never matches.
 * @param pattern bytes of the certificate @param host not empty, without NUL
 */
export function matchesHostPattern(pattern: string, host: string): boolean {
  if (pattern === '' || pattern.includes('\0')) return false
  if (host.length > 1 && host.startsWith('.')) return matchesSubdomain(pattern, host)
  const star = wildcardOf(pattern)
  if (star < 0) return lower(pattern) === lower(host)
  const before = lower(pattern.slice(0, star))
  const after = lower(pattern.slice(star + 1))
  const name = lower(host)
  if (name.length < before.length + after.length || !name.startsWith(before) || !name.endsWith(after)) return false
  const wild = name.slice(before.length, name.length - after.length)
  const completeLabel = before === '' && after.startsWith('.')
  if (completeLabel ? wild === '' : name.startsWith('xn--')) return false
  return wild === '*' || /^[a-z0-9-]*$/.test(wild)
}

/** A host that begins with a dot means any host below it. */
function matchesSubdomain(pattern: string, host: string): boolean {
  return pattern.length >= host.length && lower(pattern.slice(-host.length)) === lower(host)
}

/** Where the wildcard of a valid pattern is, or -1. */
function wildcardOf(pattern: string): number {
  const [first, ...others] = pattern.split('.')
  const star = first.indexOf('*')
  if (star < 0 || others.length < 2) return -1
  const rest = first.slice(0, star) + first.slice(star + 1)
  if (rest.includes('*') || (star > 0 && star < first.length - 1)) return -1
  if (/^xn--/i.test(first)) return -1
  const firstIsValid = /^[a-z0-9-]*$/i.test(rest) && !first.startsWith('-') && !rest.endsWith('-')
  return firstIsValid && others.every((label) => /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i.test(label)) ? star : -1
}

/** Lower case in ASCII alone. */
function lower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
