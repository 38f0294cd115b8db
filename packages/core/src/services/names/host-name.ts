const LONGEST = 253
/** Letters, digits, hyphens and underscores between dots, no hyphen first: what the C library takes for the name of a host. */
const HOST_NAME = /^(?!-)[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/
/** A name that a resolver would read as an address and never ask about, in any of inet_aton's forms. */
const NUMERIC = /(?:^|\.)(?:\d+|0x[\da-f]*)$/

/**
 * The name in lower case if it can be a host's, else undefined. Whoever owns an address chooses what its PTR record says: bytes that are not a
 * name's, or a name that looks like an address, and so confirms itself, count as no name.
 */
export function hostName(text: string): string | undefined {
  const name = text.toLowerCase()
  return name.length <= LONGEST && HOST_NAME.test(name) && !NUMERIC.test(name) ? name : undefined
}
