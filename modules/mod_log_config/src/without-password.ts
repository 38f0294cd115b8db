/** User name and password before the host of an absolute target; the password ends at the last `@`. */
const PASSWORD = /^(\S+ +[a-z][a-z0-9+.-]*:\/\/[^\s/?#:@]*):[^\s/?#]*@/i

/** A request line without the password that its target may have. */
export function withoutPassword(line: string): string {
  return line.includes('@') ? line.replace(PASSWORD, '$1:XXXXXXXX@') : line
}
