import { type FSWatcher, statSync, watch } from 'node:fs'
import { bytePath } from './byte-path.ts'

/** Milliseconds without a change after which changes count as one. */
const QUIET = 60
/** Milliseconds between checks of folders that may have appeared or disappeared. */
const LOOK = 250
/** Milliseconds between assumed changes if the system does not watch (any longer). */
const SUPPOSED = 2000

/**
 * Reports changes in some folders and everything below, combining changes that occur together. Before the
 * first report, every existing folder is watched, so that no later change is missed. Folders may disappear
 * and reappear.
 */
export class WatchedFolders {
  readonly #tops: readonly string[]
  readonly #below: (top: string) => Iterable<string>
  readonly #onChange: () => void
  readonly #watched = new Map<string, { readonly watcher: FSWatcher; readonly identity: string }>()
  readonly #looking: NodeJS.Timeout
  #quiet: NodeJS.Timeout | undefined
  #topIdentities = ''
  #unwatched = 0

  /**
   * @param tops absolute, one character for each byte
   * @param below all folders below one of them that are watched as well
   */
  constructor(tops: readonly string[], below: (top: string) => Iterable<string>, onChange: () => void) {
    this.#tops = tops
    this.#below = below
    this.#onChange = onChange
    this.#watchAll()
    this.#looking = setInterval(() => this.#look(), LOOK)
  }

  close(): void {
    clearInterval(this.#looking)
    clearTimeout(this.#quiet)
    for (const { watcher } of this.#watched.values()) watcher.close()
    this.#watched.clear()
  }

  readonly #changed = (): void => {
    clearTimeout(this.#quiet)
    this.#quiet = setTimeout(() => {
      this.#watchAll()
      this.#onChange()
    }, QUIET)
  }

  /** The watcher of a removed folder does not report on a new one with the same name. */
  #look(): void {
    if (this.#tops.map(identityOf).join(' ') !== this.#topIdentities) this.#changed()
    else if (this.#unwatched > 0 && Date.now() - this.#unwatched > SUPPOSED) {
      this.#unwatched = Date.now()
      this.#changed()
    }
  }

  #watchAll(): void {
    this.#topIdentities = this.#tops.map(identityOf).join(' ')
    const there = new Map(this.#tops.flatMap((top) => [top, ...this.#below(top)]).map((folder) => [folder, identityOf(folder)]))
    for (const [folder, { watcher, identity }] of this.#watched) {
      if (there.get(folder) === identity) continue
      watcher.close()
      this.#watched.delete(folder)
    }
    this.#unwatched = 0
    for (const [folder, identity] of there) {
      if (identity === '' || this.#watched.has(folder)) continue
      try {
        const watcher = watch(bytePath(folder), this.#changed)
        // It disappeared in the meantime: the parent folder reports it.
        watcher.on('error', () => watcher.close())
        this.#watched.set(folder, { watcher, identity })
      } catch {
        this.#unwatched = Date.now()
      }
    }
  }
}

/** '' if it does not exist. An inode number may be reused immediately, so the time is part of the key. */
function identityOf(folder: string): string {
  try {
    const { dev, ino, birthtimeMs } = statSync(bytePath(folder))
    return `${dev}:${ino}:${birthtimeMs}`
  } catch {
    return ''
  }
}
