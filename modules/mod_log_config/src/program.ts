/** True for the target of a log that is written to a program: `|program`, `||program` or `|$command`. */
export function isProgram(target: string): boolean {
  return target.startsWith('|')
}
