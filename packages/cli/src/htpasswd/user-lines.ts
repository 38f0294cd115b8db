/** A line of a password file, for htpasswd. */
export type UserLine =
  | { readonly kind: 'user'; readonly user: string; readonly stored: string; readonly text: string }
  /** An empty line or a comment. */
  | { readonly kind: 'other'; readonly text: string }
  /** A line without a colon. */
  | { readonly kind: 'wrong' }

/** The lines of a password file. White space before a name does not belong to it. */
export function* userLines(content: string): Iterable<UserLine> {
  const lines = content.split('\n')
  if (lines.at(-1) === '') lines.pop()
  for (const text of lines) yield userLine(text)
}

function userLine(text: string): UserLine {
  const line = text.replace(/^[ \t\v\f\r]+/, '')
  if (line === '' || line.startsWith('#')) return { kind: 'other', text }
  const colon = line.indexOf(':')
  if (colon < 0) return { kind: 'wrong' }
  return { kind: 'user', user: line.slice(0, colon), stored: line.slice(colon + 1).replace(/\r$/, ''), text }
}

/**
 * A file's content with new lines for a user, and whether it contains the user; null for a file that is not a
 * password file.
 */
export function rewrite(
  content: string,
  user: string,
  record: string | null,
): { readonly content: string; readonly found: boolean } | null {
  const kept: string[] = []
  let found = false
  for (const line of userLines(content)) {
    if (line.kind === 'wrong') return null
    const isUser = line.kind === 'user' && line.user === user
    found ||= isUser
    if (!isUser) kept.push(line.text)
    else if (record !== null) kept.push(record)
  }
  if (!found && record !== null) kept.push(record)
  return { content: kept.map((line) => `${line}\n`).join(''), found }
}
