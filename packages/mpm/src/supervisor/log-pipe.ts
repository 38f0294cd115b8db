import { spawnSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A pipe to a log program, both ends of which this process holds, so that what lies in it outlives programs and workers. Children do not inherit them
 * unless they are given to them.
 */
export interface LogPipe {
  readonly readEnd: number
  readonly writeEnd: number
}

/**
 * Makes pipes. Node's own have one end that only Node reads or writes; a FIFO whose name is removed at once is a pipe with two descriptors.
 * @param folder where names may be made for a moment
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

/** The reader comes to the end of what there is when nobody else holds the writing end any more. */
export function closeLogPipe({ readEnd, writeEnd }: LogPipe): void {
  closeSync(readEnd)
  closeSync(writeEnd)
}

/** Opening one end alone would wait for the other. */
function openBothEnds(name: string): LogPipe {
  const both = openSync(name, constants.O_RDWR)
  try {
    return { readEnd: openSync(name, constants.O_RDONLY), writeEnd: openSync(name, constants.O_WRONLY) }
  } finally {
    closeSync(both)
  }
}
