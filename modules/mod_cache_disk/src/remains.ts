import { rmSync } from 'node:fs'
import { BODY_DELAY, bytesOf } from '@gatewright/disk-cache'

/** Bodies that have been replaced, until they are removed. */
export class Remains {
  readonly #timers = new Map<string, NodeJS.Timeout>()

  remove(path: string): void {
    if (this.#timers.has(path)) return
    const timer = setTimeout(() => this.#end(path), BODY_DELAY)
    timer.unref()
    this.#timers.set(path, timer)
  }

  /** Removes all of them now. */
  end(): void {
    for (const path of [...this.#timers.keys()]) this.#end(path)
  }

  #end(path: string): void {
    clearTimeout(this.#timers.get(path))
    this.#timers.delete(path)
    try {
      rmSync(bytesOf(path), { force: true })
    } catch {
      // It stays until the folder is cleaned.
    }
  }
}
