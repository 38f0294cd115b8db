import { dirname } from 'node:path'
import { treeEntries } from '@gatewright/policy'
import { afterEachChange } from '../after-each-change.ts'
import { absolutePath } from '../byte-path.ts'
import type { CheckRequest } from './check-options.ts'
import { type CheckRun, runOnce } from './check-run.ts'
import { configurationAt } from './configuration-at.ts'

/**
 * Checks now and after every change, until a signal ends it.
 * @returns the exit status of the last run
 */
export async function watchCheck(request: CheckRequest, show: (run: CheckRun, request: CheckRequest) => number): Promise<number> {
  let status = 2
  await afterEachChange(topsOf(request), foldersBelow, async () => {
    const run = await runOnce(request)
    if (process.stdout.isTTY) process.stdout.write(CLEARED)
    status = show(run, request)
  })
  return status
}

/** Clears the screen and moves the cursor to its start. */
const CLEARED = '\u001b[2J\u001b[H'

function topsOf({ subject, expectations }: CheckRequest): string[] {
  const whole =
    subject.kind === 'tree' ? subject.folder : dirname(configurationAt(subject.configFile, subject.serverRoot).configFile)
  return [...new Set([whole, ...(expectations === null ? [] : [dirname(expectations)])].map(absolutePath))]
}

function* foldersBelow(top: string): Generator<string, void, void> {
  for (const { path, kind } of treeEntries(top)) if (kind === 'folder') yield path
}
