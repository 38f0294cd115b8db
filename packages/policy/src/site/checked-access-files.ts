import { type CheckedHtaccess, checkHtaccessTexts } from '@gatewright/core'
import type { PolicyServer } from '../policy-server.ts'

/**
 * Checks those of some texts, by path, that are .htaccess files: all that are not among the server's own
 * files.
 */
export function checkedAccessFiles(
  { snapshot: { configuration, services } }: PolicyServer,
  texts: Iterable<readonly [path: string, text: string]>,
): Generator<CheckedHtaccess, void, void> {
  const ofServer = new Set(configuration.includes.map(({ path }) => path))
  return checkHtaccessTexts(
    configuration,
    services,
    [...texts].filter(([path]) => !ofServer.has(path)),
  )
}
