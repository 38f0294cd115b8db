import { type Dirent, readdirSync, readFileSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ASIDE, bytesOf, commonKeyOf, decodeRecord, HEAD_END, MAX_RECORD, type StoredRecord, urlOf } from '@gatewright/disk-cache'

/** What is stored below a CacheRoot. Paths have one character per byte. */
export interface StoredFiles {
  readonly entries: readonly StoredEntry[]
  /** Lists of the fields that choose a variant, by their key. */
  readonly lists: ReadonlyMap<string, StoredList>
  /** Heads that cannot be read, bodies without a head, and files that are being written. */
  readonly others: readonly StoredFile[]
  /** Folders below the root, each after those in it. */
  readonly folders: readonly string[]
  readonly files: number
}

/** A file, with its length in bytes and its last change in milliseconds since 1970. */
export interface StoredFile {
  readonly path: string
  readonly size: number
  readonly changed: number
}

/** The list of a URL. */
export interface StoredList {
  readonly head: StoredFile
  readonly generation: string
}

/** A response: a head, and a body unless it answers HEAD. */
export interface StoredEntry {
  /** The key that finds it, of its list if it is a variant. */
  readonly key: string
  readonly url: string
  readonly head: StoredFile
  readonly body: StoredFile | null
  /** Whether requests find it: a variant is found by the list of its URL only, and what was forgotten is not found at all. */
  readonly isKnown: boolean
  readonly attributes: EntryAttributes | null
}

/** What a head states; times are milliseconds since 1970. */
export interface EntryAttributes {
  readonly status: number
  readonly date: number
  readonly expires: number
  readonly requestTime: number
  readonly responseTime: number
  readonly headerOnly: boolean
}

/** Files that are read between two pauses, and the milliseconds of one. */
const BATCH = 64
const PAUSE = 100

/** The names that mod_cache_disk gives: 256 bits in base 64 without those characters that became folders. */
const HEAD_NAME = /^[\w@]{20,43}\.header$/
const BODY_NAME = /^[\w@]{20,43}\.[0-9a-f]{12}\.data$/
const ASIDE_NAME = new RegExp(`^${ASIDE}[0-9a-f]{24}$`)

/**
 * Reads all heads below a folder. Symbolic links are not followed, and files with other names are ignored.
 * @param nice pauses now and then
 * @throws the system's error if the folder itself cannot be read
 */
export async function storedFiles(root: string, nice: boolean): Promise<StoredFiles> {
  const found = new Map<string, StoredFile>()
  const folders: string[] = []
  await walk(root, found, folders, nice)
  const responses: { head: StoredFile; record: Extract<StoredRecord, { kind: 'response' }> }[] = []
  const lists = new Map<string, StoredList>()
  const others = new Set(found.values())
  let read = 0
  for (const head of found.values()) {
    if (!head.path.endsWith(HEAD_END)) continue
    if (nice && ++read % BATCH === 0) await pause(PAUSE)
    const record = recordIn(head)
    if (record === null) continue
    others.delete(head)
    if (record.kind === 'vary') lists.set(record.key, { head, generation: record.generation })
    else responses.push({ head, record })
  }
  const entries = responses.map(({ head, record }): StoredEntry => {
    const body = record.body === null ? undefined : found.get(join(dirname(head.path), record.body.name))
    if (body !== undefined) others.delete(body)
    const key = commonKeyOf(record.key)
    const generation = lists.get(key)?.generation
    const isVariant = key !== record.key
    const isKnown = record.head !== null && (isVariant ? isOfGeneration(record.key, generation) : generation === undefined)
    return { key, url: urlOf(key), head, body: body ?? null, isKnown, attributes: record.head }
  })
  return { entries, lists, others: [...others], folders, files: found.size }
}

/** Whether a list of this generation leads to the key of a variant. */
function isOfGeneration(key: string, generation: string | undefined): boolean {
  const parts: unknown = JSON.parse(key)
  return Array.isArray(parts) && parts[1] === generation
}

async function walk(folder: string, found: Map<string, StoredFile>, folders: string[], nice: boolean): Promise<void> {
  for (const entry of entriesOf(folder, folders.length === 0 && found.size === 0)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      await walk(path, found, folders, nice)
      folders.push(path)
    } else if (entry.isFile() && (HEAD_NAME.test(entry.name) || BODY_NAME.test(entry.name) || ASIDE_NAME.test(entry.name))) {
      const info = infoOf(path)
      if (info !== null) found.set(path, { path, size: info.size, changed: info.mtimeMs })
      if (nice && found.size % BATCH === 0) await pause(PAUSE)
    }
  }
}

/** @throws the system's error if `mustExist` */
function entriesOf(folder: string, mustExist: boolean): Dirent<string>[] {
  try {
    return readdirSync(bytesOf(folder), { withFileTypes: true, encoding: 'latin1' })
  } catch (error) {
    // It has gone since.
    if (mustExist) throw error
    return []
  }
}

function infoOf(path: string): Stats | null {
  try {
    return statSync(bytesOf(path))
  } catch {
    return null
  }
}

function recordIn({ path, size }: StoredFile): StoredRecord | null {
  if (size > MAX_RECORD) return null
  try {
    return decodeRecord(readFileSync(bytesOf(path)))
  } catch {
    // It is damaged, or has gone since.
    return null
  }
}
