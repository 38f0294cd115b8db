import type { ModuleLog, Request } from '@gatewright/api'

/**
 * Index of the first of some elements in the beginning of a document; 0, which is logged, if there is none.
 * @param names in lower case
 */
export function startOfMarkup(request: Request, head: Buffer, names: readonly string[], log: ModuleLog): number {
  const text = head.toString('latin1').toLowerCase()
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    const found = names.find((name) => text.startsWith(name, at + 1))
    if (found === undefined) continue
    log.write(request, 'debug', 'AH01428', `Skipped to first <${found}> element`)
    return at
  }
  log.write(request, 'warn', 'AH01429', 'Failed to find start of recognised HTML!')
  return 0
}
