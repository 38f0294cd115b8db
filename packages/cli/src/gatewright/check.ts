import { writeFileSync } from 'node:fs'
import { bytePath } from '../byte-path.ts'
import { print } from '../startup-output.ts'
import { CHECK_USAGE, type CheckRequest, parseCheckOptions } from './check-options.ts'
import { type CheckRun, runOnce } from './check-run.ts'
import { watchCheck } from './check-watch.ts'
import { printUsage } from './words.ts'

/** `gatewright check`. @returns the exit status */
export async function runCheck(argv: readonly string[]): Promise<number> {
  const request = parseCheckOptions(argv)
  if (request === 'help' || 'complaint' in request) return printUsage('check', request, CHECK_USAGE)
  if (request.watched) return watchCheck(request, show)
  const run = await runOnce(request)
  return show(run, request)
}

/** Writes the result of a run to the requested output. @returns the exit status */
function show({ status, text, complaints }: CheckRun, { output }: CheckRequest): number {
  for (const line of complaints) print(2, line)
  if (text === '') return status
  if (output === null) {
    // A line end is appended.
    print(1, text.replace(/\n$/, ''))
    return status
  }
  try {
    writeFileSync(bytePath(output), text, 'latin1')
    return status
  } catch (error) {
    print(2, `gatewright check: --output: ${error instanceof Error ? error.message : String(error)}`)
    return 2
  }
}
