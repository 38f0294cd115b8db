import { statSync } from 'node:fs'
import type { FileInfo, WatchedFile } from '@gatewright/api'
import { describe, fsPath } from '../base/file-info.ts'
import { isSettled, sameVersion } from '../base/file-version.ts'

/** The current turn of the event loop: files are validated once per turn. */
export class TurnClock {
  #number = 0
  #armed = false

  /** A number that stays the same until the turn ends. */
  now(): number {
    if (!this.#armed) {
      this.#armed = true
      setImmediate(this.#advance)
    }
    return this.#number
  }

  readonly #advance = (): void => {
    this.#armed = false
    this.#number++
  }
}

/**
 * Files parsed once per version.
 * @throws the system's error from `current` if one of the files cannot be read
 */
export function watchFile<T>(clock: TurnClock, paths: readonly string[], parse: () => T): WatchedFile<T> {
  let versions: readonly FileInfo[] | null = null
  let checkedAt = -1
  let readAt = 0
  let value: { readonly parsed: T } | null = null
  return {
    current(): T {
      const turn = clock.now()
      if (value !== null && checkedAt === turn) return value.parsed
      // Looked up before the content is read, so that the next look-up sees a change in between.
      const found = paths.map((path) => describe(statSync(fsPath(path))))
      const same = versions !== null && found.every((info, index) => versions !== null && sameVersion(info, versions[index]))
      const settled = found.every((info) => isSettled(info, readAt))
      if (value === null || !same || !settled) {
        value = null
        readAt = Date.now()
        value = { parsed: parse() }
        versions = found
      }
      checkedAt = turn
      return value.parsed
    },
  }
}
