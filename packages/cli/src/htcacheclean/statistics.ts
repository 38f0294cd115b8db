import type { Cause } from './clean.ts'
import type { HtcachecleanOptions } from './options.ts'
import type { StoredEntry, StoredFiles } from './stored-files.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** What a turn has found and removed. */
export class Statistics {
  /** The keys that still find a response. */
  readonly kept: Set<string> = new Set()
  readonly #options: Pick<HtcachecleanOptions, 'limits' | 'round' | 'dryRun' | 'removesFolders'>
  readonly #before: { readonly bytes: number; readonly inodes: number; readonly entries: number }
  readonly #counts = new Map<Cause, number>()
  /** For each key, the responses that are left. */
  readonly #left = new Map<string, number>()
  #bytes: number
  #inodes: number

  constructor(
    options: Pick<HtcachecleanOptions, 'limits' | 'round' | 'dryRun' | 'removesFolders'>,
    { entries, files, folders }: StoredFiles,
  ) {
    this.#options = options
    this.#bytes = entries.reduce((sum, entry) => sum + this.#size(entry), 0)
    this.#inodes = files + folders.length
    this.#before = { bytes: this.#bytes, inodes: this.#inodes, entries: entries.length }
    for (const { key } of entries) {
      this.kept.add(key)
      this.#left.set(key, (this.#left.get(key) ?? 0) + 1)
    }
  }

  /** Whether there is more than the limits permit. */
  get isExceeded(): boolean {
    const { bytes, inodes } = this.#options.limits
    return (bytes > 0 && this.#bytes > bytes) || (inodes > 0 && this.#inodes > inodes)
  }

  removed(entry: StoredEntry, cause: Cause): void {
    this.#bytes -= this.#size(entry)
    this.#inodes -= entry.body === null ? 1 : 2
    this.#counts.set(cause, (this.#counts.get(cause) ?? 0) + 1)
    const left = (this.#left.get(entry.key) ?? 1) - 1
    this.#left.set(entry.key, left)
    if (left === 0) this.kept.delete(entry.key)
  }

  removedFile(): void {
    this.#inodes--
  }

  removedFolders(count: number): void {
    this.#inodes -= count
  }

  /** The text of httpd's htcacheclean. */
  text(root: string): string {
    const { limits, dryRun, removesFolders } = this.#options
    const { bytes, inodes, entries } = this.#before
    const count = (cause: Cause): number => this.#counts.get(cause) ?? 0
    const removed = [...this.#counts.values()].reduce((sum, one) => sum + one, 0)
    const estimate = dryRun && removesFolders ? 'estimated ' : ''
    const expired = count('expired') + count('unknown')
    return [
      `Cleaned ${root}. Statistics:`,
      `size limit ${limits.bytes < MIB ? `${Math.floor(limits.bytes / KIB)}.0K` : `${Math.floor(limits.bytes / MIB)}.0M`}`,
      `inodes limit ${limits.inodes}`,
      `total size was ${sizeText(bytes)}, total size now ${sizeText(this.#bytes)}`,
      `total inodes was ${inodes}, total ${estimate}inodes now ${this.#inodes}`,
      `total entries was ${entries}, total entries now ${entries - removed}`,
      `${removed} entries deleted (${count('future')} from future, ${expired} expired, ${count('fresh')} fresh)`,
      '',
    ].join('\n')
  }

  #size({ head, body }: StoredEntry): number {
    return this.#rounded(head.size) + this.#rounded(body?.size ?? 0)
  }

  #rounded(size: number): number {
    const { round } = this.#options
    return Math.ceil(size / round) * round
  }
}

function sizeText(bytes: number): string {
  return bytes < MIB ? `${(bytes / KIB).toFixed(1)}K` : `${(bytes / MIB).toFixed(1)}M`
}
