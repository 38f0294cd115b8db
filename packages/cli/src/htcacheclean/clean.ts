import { BODY_DELAY, HEAD_END } from '@gatewright/disk-cache'
import type { HtcachecleanOptions } from './options.ts'
import { Removal, removeEmptyFolders } from './removal.ts'
import { Statistics } from './statistics.ts'
import { type StoredEntry, type StoredFile, type StoredFiles, storedFiles } from './stored-files.ts'

/** Milliseconds after which a file without a head, or one that is being written, is abandoned. */
const ABANDONED = 10 * 60_000

/** What a turn needs of a command line. */
export type CleanOptions = Pick<HtcachecleanOptions, 'limits' | 'round' | 'dryRun' | 'thorough' | 'removesFolders' | 'nice'>

/**
 * Removes responses until the limits hold: those from the future, those that have expired, then the others from the oldest.
 * @throws the system's error if the folder cannot be read
 */
export async function clean(root: string, options: CleanOptions): Promise<Statistics> {
  const stored = await storedFiles(root, options.nice)
  const statistics = new Statistics(options, stored)
  const delay = options.thorough ? 0 : BODY_DELAY
  const removal = new Removal(options.dryRun, delay)
  for (const { entry, cause } of inOrder(stored.entries, Date.now())) {
    if (cause !== 'unknown' && !statistics.isExceeded) break
    removal.entry(entry)
    statistics.removed(entry, cause)
  }
  for (const file of abandoned(stored, statistics.kept, options.thorough)) {
    removal.file(file)
    statistics.removedFile()
  }
  await removal.end()
  if (options.removesFolders && !options.dryRun) {
    statistics.removedFolders(removeEmptyFolders(stored.folders, delay))
  }
  return statistics
}

/** Why a response is removed. */
export type Cause = 'unknown' | 'future' | 'expired' | 'fresh'

const CAUSES: readonly Cause[] = ['unknown', 'future', 'expired', 'fresh']

function inOrder(entries: readonly StoredEntry[], now: number): { entry: StoredEntry; cause: Cause }[] {
  return entries
    .map((entry) => ({ entry, cause: causeOf(entry, now) }))
    .sort((one, other) => CAUSES.indexOf(one.cause) - CAUSES.indexOf(other.cause) || arrival(one.entry) - arrival(other.entry))
}

function arrival({ attributes }: StoredEntry): number {
  return attributes?.responseTime ?? 0
}

function causeOf({ isKnown, attributes }: StoredEntry, now: number): Cause {
  if (!isKnown || attributes === null) return 'unknown'
  if (attributes.responseTime > now) return 'future'
  return attributes.expires < now ? 'expired' : 'fresh'
}

/** Lists that lead to no response any more, and what a process that was ended has left. */
function* abandoned(stored: StoredFiles, kept: ReadonlySet<string>, thorough: boolean): Generator<StoredFile> {
  const before = Date.now() - ABANDONED
  for (const [key, { head }] of stored.lists) if (!kept.has(key) && (thorough || head.changed < before)) yield head
  for (const file of stored.others) {
    // A damaged head is replaced when its URL is stored again; here, it may be the file of another program.
    if (thorough || (file.changed < before && !file.path.endsWith(HEAD_END))) yield file
  }
}
