import { type OptionalFunction, optionalFunction, type Server } from '@gatewright/api'
import type { XmlElement } from './xml-element.ts'

/** What is at a path. */
export interface DavEntry {
  readonly kind: 'file' | 'folder'
  readonly size: number
  /** Milliseconds with fraction. */
  readonly mtimeMs: number
  readonly ctimeMs: number
  readonly executable: boolean
}

/** A property that clients define. */
export interface DeadProperty {
  readonly namespace: string
  readonly name: string
  /** The element as text: see `writeElement`. */
  readonly xml: string
}

/** A lock on a path. */
export interface DavLock {
  readonly token: string
  readonly path: string
  /** Whether it is also a lock of everything below the path. */
  readonly deep: boolean
  readonly exclusive: boolean
  /** The element `owner` as text; '' for none. */
  readonly owner: string
  /** The user who made it; '' for nobody. */
  readonly user: string
  /** Milliseconds since the epoch; 0 for a lock without end. */
  readonly expires: number
}

/** The locks of a server. Other processes see each change. */
export interface DavLocks {
  /** All locks that have not expired. */
  list(): readonly DavLock[]
  /** Changes the locks, while no other process does. @throws DavError */
  change(edit: (locks: readonly DavLock[]) => readonly DavLock[]): Promise<void>
}

/** Where resources are kept. Paths are absolute, one character per byte, without a slash at the end. */
export interface DavRepository {
  /** Null if nothing is there. */
  entry(path: string): DavEntry | null
  /** The names in a folder, sorted. */
  names(path: string): string[]
  /**
   * Writes a file aside, and puts it into its place when it is complete.
   * @param from the byte at which the content begins in the file that is there now, which keeps its other bytes; null for a whole file
   * @throws DavError
   */
  write(path: string, content: AsyncIterable<Uint8Array>, from: number | null): Promise<void>
  /** @throws DavError */
  makeFolder(path: string): void
  /** Removes a file, or a folder with all in it. @throws DavError */
  remove(path: string): Promise<void>
  /** Copies with properties; what is at the destination is replaced at the end. @throws DavError */
  copy(from: string, to: string, deep: boolean): Promise<void>
  /** Moves with properties; what is at the destination is replaced. @throws DavError */
  move(from: string, to: string): Promise<void>
  /** @throws the system's error */
  setExecutable(path: string, executable: boolean): void
  properties(path: string): readonly DeadProperty[]
  /** @throws DavError */
  setProperties(path: string, properties: readonly DeadProperty[]): void
}

/** What mod_dav_fs provides. */
export interface DavProvider {
  readonly repository: DavRepository
  /** Null without DavLockDB. */
  locks(server: Server): DavLocks | null
}

export const davFileSystem: OptionalFunction<() => DavProvider> = optionalFunction<() => DavProvider>('mod_dav_fs:provider')

/** The name of an element in messages and as a key. */
export function propertyKey({ namespace, name }: Pick<XmlElement, 'namespace' | 'name'>): string {
  return `${namespace} ${name}`
}
