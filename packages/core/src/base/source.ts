import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs'
import type { FileKind } from '@gatewright/api'

/** The kind of a path, for Include, `<IfFile>` and ServerRoot. */
export type PathKind = 'file' | 'directory' | 'missing'

/**
 * The source of the configuration's texts. The reader of a start records every result, and workers receive
 * the record. So all processes of a generation bind the same texts, even if files change meanwhile.
 */
export interface ConfigSource {
  /** Content as bytes (latin1). @throws the system's error */
  read(path: string): string
  kind(path: string): PathKind
  /** What a file of a directive is; 'missing' also for one that cannot be looked up. */
  fileKind(path: string): FileKind
  /** Names in a directory, unsorted. @throws the system's error */
  list(path: string): string[]
}

/** The results of a source by query; plain data, so that it can be sent to another process. */
export interface RecordedSource {
  readonly texts: Record<string, string>
  readonly kinds: Record<string, PathKind>
  readonly fileKinds: Record<string, FileKind>
  readonly lists: Record<string, string[]>
}

/** Reads from the file system. */
export class FileSource implements ConfigSource {
  read(path: string): string {
    return readFileSync(path, 'latin1')
  }

  kind(path: string): PathKind {
    try {
      const stat = statSync(path, { throwIfNoEntry: false })
      if (stat === undefined) return 'missing'
      return stat.isDirectory() ? 'directory' : 'file'
    } catch {
      // A file that cannot be looked up may exist: reading it reports why it is not readable.
      return 'file'
    }
  }

  fileKind(path: string): FileKind {
    try {
      const stat = statSync(Buffer.from(path, 'latin1'), { throwIfNoEntry: false })
      return stat === undefined ? 'missing' : kindOf(stat)
    } catch {
      return 'missing'
    }
  }

  list(path: string): string[] {
    return readdirSync(path)
  }
}

/** Reads from another source and records the results. */
export class RecordingSource implements ConfigSource {
  readonly record: RecordedSource = { texts: {}, kinds: {}, fileKinds: {}, lists: {} }
  readonly #inner: ConfigSource

  constructor(inner: ConfigSource) {
    this.#inner = inner
  }

  read(path: string): string {
    return (this.record.texts[path] = this.#inner.read(path))
  }

  kind(path: string): PathKind {
    return (this.record.kinds[path] = this.#inner.kind(path))
  }

  fileKind(path: string): FileKind {
    return (this.record.fileKinds[path] = this.#inner.fileKind(path))
  }

  list(path: string): string[] {
    return (this.record.lists[path] = this.#inner.list(path))
  }
}

/** Reads from a record, and from the file system if the record has no entry. */
export class ReplayedSource implements ConfigSource {
  readonly #record: RecordedSource
  readonly #fallback: ConfigSource

  constructor(record: RecordedSource, fallback: ConfigSource = new FileSource()) {
    this.#record = record
    this.#fallback = fallback
  }

  read(path: string): string {
    return this.#record.texts[path] ?? this.#fallback.read(path)
  }

  kind(path: string): PathKind {
    return this.#record.kinds[path] ?? this.#fallback.kind(path)
  }

  fileKind(path: string): FileKind {
    return this.#record.fileKinds[path] ?? this.#fallback.fileKind(path)
  }

  list(path: string): string[] {
    return this.#record.lists[path] ?? this.#fallback.list(path)
  }
}

/**
 * Files that exist only in memory, on top of another source: configuration strings of tests and of
 * `createServer`.
 */
export class TextSource implements ConfigSource {
  readonly #texts: ReadonlyMap<string, string>
  readonly #inner: ConfigSource

  constructor(texts: ReadonlyMap<string, string>, inner: ConfigSource = new FileSource()) {
    this.#texts = texts
    this.#inner = inner
  }

  read(path: string): string {
    return this.#texts.get(path) ?? this.#inner.read(path)
  }

  kind(path: string): PathKind {
    return this.#texts.has(path) ? 'file' : this.#inner.kind(path)
  }

  fileKind(path: string): FileKind {
    const text = this.#texts.get(path)
    if (text === undefined) return this.#inner.fileKind(path)
    return text === '' ? 'empty' : 'file'
  }

  list(path: string): string[] {
    return this.#inner.list(path)
  }
}

function kindOf(stat: Stats): FileKind {
  if (stat.isFile()) return stat.size > 0 ? 'file' : 'empty'
  return stat.isDirectory() ? 'directory' : 'other'
}
