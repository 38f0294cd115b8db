import { buildDate } from '@gatewright/mpm/role'

/** The two lines of -v. */
export function versionLines(product: string, entry: string): string[] {
  return [`Server version: ${product}`, `Server built:   ${buildDate(entry)}`]
}
