const LONGEST = 253
/**
 * Letters, digits, hyphens and underscores between dots, no hyphen first: what the C library accepts as a
 * host name.
 */
const HOST_NAME = /^(?!-)[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/
/** A name that a resolver would parse as an address without a query, in any of inet_aton's forms. */
const NUMERIC = /(?:^|\.)(?:\d+|0x[\da-f]*)$/

/**
 * The name in lower case if it is a valid host name, otherwise undefined. The owner of an address controls
 * its PTR record: invalid bytes, or a name that looks like an address and so confirms itself, do not count as
 * a name.
 */
export function hostName(text: string): string | undefined {
  const name = text.toLowerCase()
  return name.length <= LONGEST && HOST_NAME.test(name) && !NUMERIC.test(name) ? name : undefined
}
