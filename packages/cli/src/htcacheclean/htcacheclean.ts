import { accessSync, constants, opendirSync } from 'node:fs'
import { systemErrorOf } from '@gatewright/dbm'
import { bytesOf } from '@gatewright/disk-cache'
import { absolutePath } from '../byte-path.ts'
import type { ToolConsole } from '../tool-console.ts'
import { cleanInTurns, isInBackground, startInBackground } from './background.ts'
import { clean } from './clean.ts'
import { attributeLines, urlLines } from './listing.ts'
import { type HtcachecleanOptions, parseHtcachecleanOptions, wrong } from './options.ts'
import { removeUrls } from './remove-urls.ts'
import { storedFiles } from './stored-files.ts'

/** The exit status if none of the URLs is stored. */
const NOT_CACHED = 2

/**
 * htcacheclean's command line.
 * @param argv bytes, one character each
 * @returns the exit status
 */
export async function htcacheclean(argv: readonly string[], console: Pick<ToolConsole, 'out' | 'err'>): Promise<number> {
  const options = parseHtcachecleanOptions(argv)
  if (typeof options === 'string') {
    console.err(options)
    return 1
  }
  const root = options.folder === '' ? '' : absolutePath(options.folder)
  try {
    opendirSync(bytesOf(root)).closeSync()
    accessSync(bytesOf(root), constants.X_OK)
  } catch (error) {
    console.err(wrong(`Could not set filepath to '${options.folder}': ${systemErrorOf(error).text}`))
    return 1
  }
  try {
    return await act(root, options, console)
  } catch (error) {
    console.err(`htcacheclean error: ${systemErrorOf(error).text}\n`)
    return 1
  }
}

async function act(root: string, options: HtcachecleanOptions, console: Pick<ToolConsole, 'out' | 'err'>): Promise<number> {
  const { action, urls, interval, verbose, nice, dryRun } = options
  if (interval !== null) {
    if (isInBackground()) return cleanInTurns(root, options, interval)
    await startInBackground(options.pidFile)
    return 0
  }
  if (action === 'clean') {
    const statistics = await clean(root, options)
    if (verbose) console.err(statistics.text(root))
    return 0
  }
  const stored = await storedFiles(root, nice)
  if (action === 'list') console.out(urlLines(stored))
  if (action === 'list with attributes') console.out(attributeLines(stored))
  if (action !== 'remove') return 0
  const found = await removeUrls(stored, new Set(urls), dryRun)
  if (verbose) for (const url of urls) console.err(`${found.has(url) ? 'Removed' : 'Not cached'}: ${url}\n`)
  return found.size > 0 ? 0 : NOT_CACHED
}
