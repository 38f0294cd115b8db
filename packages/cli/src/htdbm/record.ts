/**
 * A database record of a user: the stored password, and a comment after the first colon, null if there is
 * none.
 */
export interface HtdbmRecord {
  readonly password: string
  readonly comment: string | null
}

export function readRecord(value: Buffer): HtdbmRecord {
  const text = value.toString('latin1')
  const colon = text.indexOf(':')
  return colon < 0 ? { password: text, comment: null } : { password: text.slice(0, colon), comment: text.slice(colon + 1) }
}

export function recordText(password: string, comment: string | null): string {
  return comment === null ? password : `${password}:${comment}`
}
