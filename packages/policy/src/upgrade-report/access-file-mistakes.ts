import { checkHtaccess, servedFolders } from '@gatewright/core'
import type { ConfigFiles } from '../migrate/config-files.ts'
import type { PolicyServer } from '../policy-server.ts'
import type { RefusedLine } from './refused-line.ts'

/**
 * Lines of .htaccess files that would be answered with 500. Such files are read as they stand, when a request meets them.
 * @param files those that the report is about
 */
export function accessFileMistakes({ snapshot }: PolicyServer, files: ConfigFiles): RefusedLine[] {
  const { generation, services } = snapshot
  return servedFolders(generation).flatMap((folder) =>
    [...checkHtaccess(generation, services, folder)].flatMap(({ file }) =>
      (file?.mistakes ?? []).flatMap(({ file: path, line, message, hint = null }) => {
        const text = files.text(path)?.split('\n')[line - 1]?.trim()
        return text === undefined ? [] : [{ file: path, line, text, message, hint }]
      }),
    ),
  )
}
