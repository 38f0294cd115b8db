/**
 * The groups in the value of a user's record: the value itself, or what stands between its first and its second colon, so that one file can hold
 * passwords, groups and comments. Separated by commas; blanks belong to the names.
 */
export function groupsIn(value: string): string[] {
  const fields = value.split(':', 2)
  return (fields.length === 2 ? fields[1] : value).split(',')
}

/**
 * The names of a `Require dbm-group` line: split at white space alone, quotes are part of a name. A text that begins with white space, as one whose
 * first expression is empty, names no group: so httpd reads it.
 */
export function groupNames(text: string): string[] {
  const names = text.split(/[ \t\n\v\f\r]+/)
  return names[0] === '' ? [] : names.filter((name) => name !== '')
}
