/** Whether a text is a name of DNS in ASCII. @param qualified it needs a dot, as names of certificates do */
export function isDnsName(name: string, qualified: boolean): boolean {
  if (/\.\.|[^A-Za-z0-9.-]/.test(name) || name === '') return false
  return !qualified || name.replace(/\.$/, '').includes('.')
}

export function isWildcard(name: string): boolean {
  return name.startsWith('*.') && isDnsName(name.slice(2), true)
}

/** Whether a name or wildcard stands for a name; a wildcard for one label. */
export function dnsMatches(pattern: string, name: string): boolean {
  const [wanted, given] = [pattern.toLowerCase(), name.toLowerCase()]
  if (wanted === given) return true
  const dot = given.indexOf('.')
  return wanted.startsWith('*.') && dot >= 0 && wanted.slice(1) === given.slice(dot)
}

/** The names that are needed when wildcards among them stand for others, in their order. */
export function minimalNames(names: readonly string[]): readonly string[] {
  const kept: string[] = []
  for (const [index, name] of names.entries()) {
    if (kept.some((pattern) => dnsMatches(pattern, name))) continue
    const later = names.slice(index + 1)
    if (!isWildcard(name) && later.some((pattern) => isWildcard(pattern) && dnsMatches(pattern, name))) continue
    kept.push(name)
  }
  return kept
}
