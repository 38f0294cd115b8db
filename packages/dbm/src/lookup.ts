import { DbmError } from './dbm-error.ts'
import { dbmFiles, openDbm } from './open-dbm.ts'
import type { DbmReader } from './reader.ts'

/** Keeps what `open` returns until one of the files changes: the host's `watchFile`. */
export type KeepOpen = (paths: readonly string[], open: () => DbmReader) => { current(): DbmReader }

/** A failed look-up, in the form that the log needs. */
export interface LookupFailure {
  readonly code: number
  readonly text: string
}

/** Values from DBM files, each kept open until it changes. */
export class DbmLookup {
  readonly #keepOpen: KeepOpen
  readonly #watched = new Map<string, ReturnType<KeepOpen>>()

  constructor(keepOpen: KeepOpen) {
    this.#keepOpen = keepOpen
  }

  /** The value of the first key that has a non-empty one, or undefined. Keys and values are byte strings. */
  find(path: string, type: string, keys: readonly string[]): string | undefined | LookupFailure {
    try {
      const open = this.openReader(path, type)
      if (open !== undefined) return firstValue(open, keys)
      // Not all files exist, or one cannot be read: opening again yields the right error.
      const reader = openDbm(path, type)
      try {
        return firstValue(reader, keys)
      } finally {
        reader.close()
      }
    } catch (error) {
      if (!(error instanceof DbmError)) throw error
      return { code: error.code, text: error.text }
    }
  }

  /** The open file, the same object until the file changes; undefined if it cannot be opened. */
  openReader(path: string, type: string): DbmReader | undefined {
    const id = `${type}:${path}`
    let file = this.#watched.get(id)
    if (file === undefined) {
      let reader: DbmReader | undefined
      file = this.#keepOpen(dbmFiles(path, type), () => {
        reader?.close()
        reader = openDbm(path, type)
        return reader
      })
      this.#watched.set(id, file)
    }
    try {
      return file.current()
    } catch {
      return undefined
    }
  }
}

function firstValue(reader: DbmReader, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = reader.get(Buffer.from(key, 'latin1'))
    if (value !== undefined && value.length > 0) return value.toString('latin1')
  }
  // httpd treats a key that damage hides as absent; `Require not dbm-group` would then grant access to the
  // user.
  if (reader.damage !== undefined) throw reader.damage
  return undefined
}
