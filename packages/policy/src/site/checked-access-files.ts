import type { CheckedHtaccess } from '@gatewright/core'
import type { PolicyServer } from '../policy-server.ts'

/** Checks the texts that are .htaccess files: all that do not belong to the server's own files. */
export function checkedAccessFiles(
  { configuration }: PolicyServer,
  texts: Iterable<readonly [path: string, text: string]>,
): Iterable<CheckedHtaccess> {
  const ofServer = new Set(configuration.includes.map(({ path }) => path))
  return configuration.checkAccessTexts([...texts].filter(([path]) => !ofServer.has(path)))
}
