import { statSync } from 'node:fs'
import type { Command } from '@gatewright/api'

/** Warns of a file that cannot be served, as httpd does; the line stays valid. */
export function checkListedFile(path: string, command: Command): void {
  const file = command.serverRelative(path)
  try {
    if (!statSync(Buffer.from(file, 'latin1')).isFile())
      command.report('warn', 'AH00796', `${file} isn't a regular file, skipping`)
  } catch (error) {
    command.report('warn', 'AH00795', `unable to stat(${file}), skipping`, error instanceof Error ? error : undefined)
  }
}
