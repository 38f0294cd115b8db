/**
 * The groups in a user's record: the text between the first and the second colon, or the whole value without
 * a colon, so that one file can contain passwords, groups and comments. Commas separate groups; blanks are
 * part of the names.
 */
export function groupsIn(value: string): string[] {
  const fields = value.split(':', 2)
  return (fields.length === 2 ? fields[1] : value).split(',')
}

/**
 * The names in a `Require dbm-group` line, separated only by white space; quotes are part of a name. As in
 * httpd, a text that begins with white space (an empty first expression, for example) contains no groups.
 */
export function groupNames(text: string): string[] {
  const names = text.split(/[ \t\n\v\f\r]+/)
  return names[0] === '' ? [] : names.filter((name) => name !== '')
}
