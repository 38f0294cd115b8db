import { spawnSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A pipe to a log program. This process holds both ends, so that unread lines outlive programs and workers.
 * Children inherit them only if they are passed explicitly.
 */
export interface LogPipe {
  readonly readEnd: number
  readonly writeEnd: number
}

/**
 * Creates pipes. One end of Node's own pipes is accessible only to Node; a FIFO whose name is removed
 * immediately is a pipe with two descriptors.
 * @param folder in which names can be created temporarily
 * @throws the system's error
 */
export function openLogPipes(folder: string, count: number): readonly LogPipe[] {
  if (count === 0) return []
  const place = mkdtempSync(join(folder, '.log-pipes-'))
  try {
    const names = Array.from({ length: count }, (_, number) => join(place, String(number)))
    const made = spawnSync('mkfifo', ['-m', '600', ...names], { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' })
    if (made.error !== undefined) throw made.error
    if (made.status !== 0) throw new Error(made.stderr.trim())
    return names.map(openBothEnds)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** The reader reaches the end of the data when no other process holds the writing end. */
export function closeLogPipe({ readEnd, writeEnd }: LogPipe): void {
  closeSync(readEnd)
  closeSync(writeEnd)
}

/** Opening only one end would block until the other is opened. */
function openBothEnds(name: string): LogPipe {
  const both = openSync(name, constants.O_RDWR)
  try {
    return { readEnd: openSync(name, constants.O_RDONLY), writeEnd: openSync(name, constants.O_WRONLY) }
  } finally {
    closeSync(both)
  }
}
