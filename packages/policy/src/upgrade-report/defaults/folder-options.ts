import type { UpgradeFinding } from '../finding.ts'
import { lineText } from '../standing-lines.ts'
import type { OldConfiguration } from './old-configuration.ts'

/** Served folders without Options, or with only additions and removals. */
export function folderOptionFindings({ configuration, lines }: OldConfiguration): UpgradeFinding[] {
  return lines.named('documentroot', 'alias').flatMap(({ file, item }): UpgradeFinding[] => {
    const folder = configuration.serverRelative(item.words.at(-1) ?? '').replace(/(?<=.)\/+$/, '')
    const settings = configuration.folderSettings(folder)
    if (!settings.some(({ options }) => options.set === undefined)) return []
    return [
      {
        kind: 'default',
        weight: 'look',
        place: { file, line: item.line ?? 0 },
        subject: lineText(item),
        text: 'Options is not set for this folder: the default was All and is now FollowSymLinks: without Indexes there are no listings, without ExecCGI no scripts, without Includes no server-side includes',
        instead: [`<Directory "${folder}">`, '    Options All', '</Directory>'],
        by: 'hand',
      },
    ]
  })
}
