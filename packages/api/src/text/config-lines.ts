/**
 * The lines of a password or group file, as httpd reads its configuration files. A backslash at the end joins
 * a line with the next one. White space at both ends is removed. A NUL ends a line early. Empty lines and
 * lines that begin with `#` are skipped.
 * @param limit longest physical line in bytes; reading stops at a longer one
 */
export function* configLines(text: string, limit: number): Generator<string> {
  let joined = ''
  let at = 0
  while (at < text.length) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    if (joined.length + end - at > limit) return
    const written = text.slice(at, newline > at && text[newline - 1] === '\r' ? end - 1 : end)
    const physical = untilNul(written)
    at = end + 1
    if (newline >= 0 && physical === written && physical.endsWith('\\')) {
      joined += physical.slice(0, -1)
      continue
    }
    const line = trimBlanks(joined + physical)
    joined = ''
    if (line !== '' && !line.startsWith('#')) yield line
  }
  const rest = trimBlanks(joined)
  if (rest !== '' && !rest.startsWith('#')) yield rest
}

/** @internal */
export function untilNul(line: string): string {
  const nul = line.indexOf('\0')
  return nul < 0 ? line : line.slice(0, nul)
}

/**
 * @internal Without a regular expression, which would examine each of a million blanks inside a line as often
 * as there are blanks after it.
 */
export function trimBlanks(line: string): string {
  let start = 0
  let end = line.length
  while (start < end && isBlank(line.charCodeAt(start))) start++
  while (end > start && isBlank(line.charCodeAt(end - 1))) end--
  return line.slice(start, end)
}

/** White space as in C's isspace, and no other. */
function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}
