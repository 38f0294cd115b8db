import { type CheckedHtaccess, checkHtaccessTexts } from '@gatewright/core'
import type { PolicyServer } from '../policy-server.ts'

/** Checks the texts that are .htaccess files: all that do not belong to the server's own files. */
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
