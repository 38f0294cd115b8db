/** Whether the target of a log is a program: `|program`, `||program` or `|$command`. */
export function isProgram(target: string): boolean {
  return target.startsWith('|')
}
