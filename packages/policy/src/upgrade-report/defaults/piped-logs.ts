import type { UpgradeFinding } from '../finding.ts'
import { lineText } from '../standing-lines.ts'
import type { OldConfiguration } from './old-configuration.ts'

/** Log programs that need the shell by which 2.2 ran them. */
export function pipedLogFindings({ lines }: OldConfiguration): UpgradeFinding[] {
  return lines.named('errorlog', 'customlog', 'transferlog').flatMap(({ file, item }): UpgradeFinding[] => {
    const target = item.words[0] ?? ''
    if (!/^\|(?![|$])/.test(target) || !NEEDS_SHELL.test(target.slice(1))) return []
    return [
      {
        kind: 'default',
        weight: 'look',
        place: { file, line: item.line ?? 0 },
        subject: lineText(item),
        text: 'log programs ran in /bin/sh and now run directly: a shell no longer interprets these words',
        instead: [lineText(item).replace('|', '|$')],
        by: 'hand',
      },
    ]
  })
}

const NEEDS_SHELL = /[|&;<>()$`*?[\]~#]/
