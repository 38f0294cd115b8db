/** The longest token, in characters. */
const LONGEST = 16_384

/**
 * The token in a field of credentials (RFC 6750, section 2.1); null without one, `invalid` for one that no issuer makes. Tokens in the query or
 * a form are not accepted, because URLs are logged.
 */
export function tokenOf(field: string | undefined): string | null {
  const [, token] = /^bearer +(.*)$/i.exec(field ?? '') ?? []
  if (token === undefined) return null
  return token.length <= LONGEST && /^[\w.~+/-]+=*$/.test(token) ? token : 'invalid'
}
