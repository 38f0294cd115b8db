/** User name and password before the host of an absolute target. The password ends at the last `@`. */
const PASSWORD = /^(\S+ +[a-z][a-z0-9+.-]*:\/\/[^\s/?#:@]*):[^\s/?#]*@/i

/** A request line without the password in its target, if there is one. */
export function withoutPassword(line: string): string {
  return line.includes('@') ? line.replace(PASSWORD, '$1:XXXXXXXX@') : line
}
