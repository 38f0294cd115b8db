import { type FSWatcher, statSync, watch } from 'node:fs'
import { bytePath } from './byte-path.ts'

/** Milliseconds without a change after which changes count as one. */
const QUIET = 60
/** Milliseconds between looks at a folder that is not there. */
const LOOK = 250

export interface Watching {
  close(): void
}

/**
 * Tells of changes in some folders and all below, many that come together as one. A folder that goes away is waited for.
 * @param folders absolute, one character for each byte
 */
export function watchFolders(folders: readonly string[], onChange: () => void): Watching {
  let timer: NodeJS.Timeout | undefined
  const changed = (): void => {
    clearTimeout(timer)
    timer = setTimeout(onChange, QUIET)
  }
  const watched = folders.map((folder) => new WatchedFolder(folder, changed))
  return {
    close: () => {
      clearTimeout(timer)
      for (const one of watched) one.close()
    },
  }
}

class WatchedFolder {
  private readonly folder: string
  private readonly changed: () => void
  private watcher: FSWatcher | null = null
  private identity = ''
  private timer: NodeJS.Timeout | undefined

  constructor(folder: string, changed: () => void) {
    this.folder = folder
    this.changed = changed
    this.begin()
    // A watcher of a folder that was put in the place of another one is told nothing.
    this.timer = setInterval(() => this.look(), LOOK)
  }

  close(): void {
    clearInterval(this.timer)
    this.watcher?.close()
    this.watcher = null
  }

  private begin(): void {
    this.identity = identityOf(this.folder)
    if (this.identity === '') return
    try {
      this.watcher = watch(Buffer.from(bytePath(this.folder)).toString(), { recursive: true, persistent: true }, this.changed)
      this.watcher.on('error', () => this.renew())
    } catch {
      this.watcher = null
    }
  }

  private renew(): void {
    this.watcher?.close()
    this.watcher = null
    this.begin()
    this.changed()
  }

  private look(): void {
    if (identityOf(this.folder) !== this.identity || (this.watcher === null && this.identity !== '')) this.renew()
  }
}

/** '' for what is not there. */
function identityOf(folder: string): string {
  const stat = statSync(bytePath(folder), { throwIfNoEntry: false })
  return stat === undefined ? '' : `${stat.dev}:${stat.ino}`
}
