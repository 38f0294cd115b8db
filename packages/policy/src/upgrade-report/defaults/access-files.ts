import { dirname } from 'node:path'
import type { UpgradeFinding } from '../finding.ts'
import type { OldConfiguration } from './old-configuration.ts'

/**
 * .htaccess files that 2.2 read because AllowOverride was not set, and its default was All. A file without
 * directives contains nothing to reject.
 */
export function accessFileFindings({ configuration, files, accessFiles }: OldConfiguration): UpgradeFinding[] {
  return accessFiles.flatMap((file): UpgradeFinding[] => {
    const folder = dirname(file)
    if (!configuration.folderSettings(folder).some(({ override }) => override === undefined)) return []
    const items = files.document(file)?.items ?? []
    if (!items.some(({ kind }) => kind === 'directive' || kind === 'section')) return []
    return [
      {
        kind: 'default',
        weight: 'must',
        place: { file, line: 0 },
        subject: 'AllowOverride',
        text: 'not set for this folder: the default was All and is now None: the server rejects each directive of the file and answers requests with 500',
        instead: [`<Directory "${folder}">`, '    AllowOverride All', '</Directory>'],
        by: 'hand',
      },
    ]
  })
}
