import { dirname } from 'node:path'
import { folderSettings } from '@gatewright/core'
import { accessText } from '../../lint/access-text.ts'
import type { UpgradeFinding } from '../finding.ts'
import type { OldConfiguration } from './old-configuration.ts'

/** .htaccess files that 2.2 read because nobody said AllowOverride, which was All. */
export function accessFileFindings({ generation, files, accessFiles }: OldConfiguration): UpgradeFinding[] {
  return accessFiles.flatMap((file): UpgradeFinding[] => {
    const folder = dirname(file)
    if (!folderSettings(generation, folder).some(({ override }) => override === undefined)) return []
    const decides = accessText(files.document(file)?.items ?? [], () => true).length > 0
    const loss = decides ? 'what it says about access does not hold any more' : 'what it says does not hold any more'
    return [
      {
        kind: 'default',
        weight: decides ? 'must' : 'look',
        place: { file, line: 0 },
        subject: 'AllowOverride',
        text: `not said for this folder: it was All, and is None: the file is not read, so ${loss}`,
        instead: [`<Directory "${folder}">`, '    AllowOverride All', '</Directory>'],
        by: 'hand',
      },
    ]
  })
}
