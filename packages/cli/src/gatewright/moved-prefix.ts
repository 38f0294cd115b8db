import { readFileSync, realpathSync } from 'node:fs'
import { parseOptions, parseWords, readNiceFile } from '@gatewright/module-kit/configure'

/**
 * The prefix to add to a recorded command because the installation has been moved since; undefined if the
 * command already has it.
 * @param niceFile the command
 * @param root the current folder of the installation
 */
export function movedPrefix(niceFile: string, root: string): string | undefined {
  const { words } = parseOptions(readNiceFile(readFileSync(niceFile, 'utf8'), niceFile).words)
  const said = parseWords(words).findLast((word) => word.kind === 'folder' && word.name === 'prefix')
  return said !== undefined && 'value' in said && realPath(said.value) === realPath(root) ? undefined : root
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
