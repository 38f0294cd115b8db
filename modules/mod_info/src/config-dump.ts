import type { ConfigLine } from '@gatewright/api/status'
import { shownLines } from './shown-line.ts'

/** The output of `-D DUMP_CONFIG`: the configuration, with comments about the position of each line. */
export function configDump(config: readonly ConfigLine[]): readonly string[] {
  const lines: string[] = []
  for (const line of shownLines(config, null)) {
    if (line.kind === 'file') {
      lines.push(`# In file: ${line.file}`)
      continue
    }
    const indent = '  '.repeat(line.depth)
    if (line.kind === 'close') {
      lines.push(`${indent}${line.name}`)
      continue
    }
    lines.push(`${indent}#${String(line.line).padStart(4)}:`)
    lines.push(`${indent}${line.kind === 'open' ? line.title : `${line.name} ${line.text}`.trimEnd()}`)
  }
  return lines
}
