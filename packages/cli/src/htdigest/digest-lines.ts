/**
 * A file's content with a new line for a user in a realm: replacing the first existing one, or at the end.
 */
export function rewrite(content: string, user: string, realm: string, record: string): string {
  const lines = linesOf(content)
  const at = findLine(lines, user, realm)
  if (at < 0) lines.push(record)
  else lines[at] = record
  return lines.map((line) => `${line}\n`).join('')
}

/** Whether the file has a line for the user in the realm. */
export function hasUser(content: string, user: string, realm: string): boolean {
  return findLine(linesOf(content), user, realm) >= 0
}

function linesOf(content: string): string[] {
  const lines = content.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function findLine(lines: readonly string[], user: string, realm: string): number {
  return lines.findIndex((line) => !line.startsWith('#') && line.startsWith(`${user}:${realm}:`))
}
