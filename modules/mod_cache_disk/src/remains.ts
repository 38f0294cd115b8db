import { rmSync } from 'node:fs'
import { bytesOf } from './places.ts'

/** Milliseconds for which a replaced body stays: responses that begin with it now have opened it by then. */
const DELAY = 10_000

/** Bodies that have been replaced, until they are removed. */
export class Remains {
  readonly #timers = new Map<string, NodeJS.Timeout>()

  remove(path: string): void {
    if (this.#timers.has(path)) return
    const timer = setTimeout(() => this.#end(path), DELAY)
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
