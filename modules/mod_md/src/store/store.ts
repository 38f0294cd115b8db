import { createPrivateKey, type KeyObject, randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { readOwnFile } from './read-own-file.ts'

/** The folders of the store. `''` is the store itself. */
export type Group = '' | 'accounts' | 'challenges' | 'domains' | 'staging' | 'archive' | 'tmp' | 'ocsp'

/** The user and group that workers run as. */
export interface WorkerOwner {
  readonly uid: number
  readonly gid: number
}

const KEY_LENGTH = 48
const STORE_FILE = 'md_store.json'
const OWN_FILES = 0o600
const READABLE_FILES = 0o644
const OWN_FOLDERS = 0o700
const READABLE_FOLDERS = 0o755
/** Groups that are made before they are needed. */
const GROUP_FOLDERS = 0o750

/**
 * The folder of managed domains in httpd's layout (MDStoreDir). Private keys are in plain text in `domains`, which
 * root alone reads, and encrypted with the key of `md_store.json` where workers write.
 */
export class Store {
  readonly path: string
  readonly #passPhrase: Buffer
  /** Null for a process that is not root. */
  readonly #workers: WorkerOwner | null

  private constructor(path: string, passPhrase: Buffer, workers: WorkerOwner | null) {
    this.path = path
    this.#passPhrase = passPhrase
    this.#workers = workers
  }

  /** For a tool, and for a process without domains: nothing is made, and what is encrypted stays closed. */
  static closed(path: string): Store {
    return new Store(path, randomBytes(KEY_LENGTH), null)
  }

  /**
   * Opens the store, and makes it when it does not exist.
   * @throws Error for one that cannot be read: in doubt nothing is changed
   */
  static open(path: string, workers: WorkerOwner | null): Store {
    mkdirSync(path, { recursive: true, mode: READABLE_FOLDERS })
    chmodSync(path, READABLE_FOLDERS)
    const store = new Store(path, storeKey(join(path, STORE_FILE)), workers)
    for (const group of ['challenges', 'staging', 'accounts', 'ocsp'] as const) store.#makeGroup(group)
    return store
  }

  /** For a process that follows another of the same configuration, which has opened the store: nothing is made. */
  static reopen(path: string, key: Uint8Array, workers: WorkerOwner | null): Store {
    return new Store(path, Buffer.from(key), workers)
  }

  /** The key of its encrypted files, for processes that follow. */
  get key(): Uint8Array {
    return this.#passPhrase
  }

  file(group: Group, name: string, aspect: string): string {
    return join(this.path, group, name, aspect)
  }

  has(group: Group, name: string, aspect: string): boolean {
    return existsSync(this.file(group, name, aspect))
  }

  /** True where the folder of a group exists and this process may not look into it. */
  isHidden(group: Group): boolean {
    try {
      accessSync(join(this.path, group), constants.R_OK | constants.X_OK)
      return false
    } catch (error) {
      return error instanceof Error && 'code' in error && error.code === 'EACCES'
    }
  }

  /** The text of a file, undefined when it does not exist. @throws Error for what is no plain file of sensible size */
  readText(group: Group, name: string, aspect: string): string | undefined {
    return readOwnFile(this.file(group, name, aspect))
  }

  /** The object in a file of JSON; undefined when there is none that can be read. */
  readJson(group: Group, name: string, aspect: string): Readonly<Record<string, unknown>> | undefined {
    try {
      const value: unknown = JSON.parse(this.readText(group, name, aspect) ?? 'null')
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
    } catch {
      return undefined
    }
  }

  writeText(group: Group, name: string, aspect: string, text: string): void {
    this.#write(group, name, aspect, text, group === 'domains' || group === 'tmp' ? OWN_FILES : READABLE_FILES)
  }

  writeJson(group: Group, name: string, aspect: string, value: unknown): void {
    this.writeText(group, name, aspect, JSON.stringify(value, null, 2))
  }

  /** Writes a private key: in plain text where only the owner can read it, encrypted elsewhere. */
  writeKey(group: Group, name: string, aspect: string, key: KeyObject): void {
    const isPlain = group === 'domains' || group === 'tmp' || group === 'challenges'
    const secret = isPlain ? {} : { cipher: 'aes-256-cbc', passphrase: this.#passPhrase }
    const pem = String(key.export({ type: 'pkcs8', format: 'pem', ...secret }))
    this.#write(group, name, aspect, pem, isPlain ? OWN_FILES : READABLE_FILES)
  }

  /** @returns undefined when there is no file, or no key in it that can be opened */
  readKey(group: Group, name: string, aspect: string): KeyObject | undefined {
    const key = this.readText(group, name, aspect)
    if (key === undefined) return undefined
    try {
      return createPrivateKey({ key, format: 'pem', passphrase: this.#passPhrase })
    } catch {
      return undefined
    }
  }

  /** Names of the folders in a group, in order. */
  names(group: Exclude<Group, ''>): readonly string[] {
    try {
      const entries = readdirSync(join(this.path, group), { withFileTypes: true })
      return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort()
    } catch {
      return []
    }
  }

  /** Removes a folder with its files. */
  purge(group: Exclude<Group, ''>, name: string): void {
    rmSync(join(this.path, group, name), { recursive: true, force: true })
  }

  remove(group: Group, name: string, aspect: string): void {
    rmSync(this.file(group, name, aspect), { force: true })
  }

  /** Gives a folder another name, when it exists and the other does not. */
  rename(group: Exclude<Group, ''>, from: string, to: string): void {
    const [source, target] = [join(this.path, group, from), join(this.path, group, to)]
    if (existsSync(source) && !existsSync(target)) renameSync(source, target)
  }

  /** Puts a folder of `tmp` in the place of that of `domains`, which goes to `archive` under a number. */
  replaceDomain(name: string): void {
    const target = join(this.path, 'domains', name)
    mkdirSync(join(this.path, 'domains'), { recursive: true, mode: OWN_FOLDERS })
    let archived: string | null = null
    if (existsSync(target)) {
      archived = this.#archiveFolder(name)
      renameSync(target, archived)
    }
    try {
      renameSync(join(this.path, 'tmp', name), target)
    } catch (error) {
      if (archived !== null) renameSync(archived, target)
      throw error
    }
  }

  #archiveFolder(name: string): string {
    const archive = join(this.path, 'archive')
    mkdirSync(archive, { recursive: true, mode: OWN_FOLDERS })
    for (let number = 1; number < 1000; number++) {
      const folder = join(archive, `${name}.${number}`)
      if (!existsSync(folder)) return folder
    }
    throw new Error(`${archive} has no number left for ${name}: remove old folders`)
  }

  #write(group: Group, name: string, aspect: string, text: string, mode: number): void {
    this.#makeFolder(group, name)
    const path = this.file(group, name, aspect)
    const draft = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.new`
    writeFileSync(draft, text, { mode, flag: 'wx' })
    try {
      chmodSync(draft, mode)
      this.#giveToWorkers(group, draft)
      renameSync(draft, path)
    } catch (error) {
      rmSync(draft, { force: true })
      throw error
    }
  }

  #makeGroup(group: 'challenges' | 'staging' | 'accounts' | 'ocsp'): void {
    const path = join(this.path, group)
    if (!existsSync(path)) {
      const mode = group === 'challenges' || group === 'staging' ? READABLE_FOLDERS : GROUP_FOLDERS
      mkdirSync(path, { mode })
      chmodSync(path, mode)
    }
    this.#giveToWorkers(group, path)
  }

  #makeFolder(group: Group, name: string): void {
    if (group === '') return
    const isOwn = group === 'domains' || group === 'tmp' || group === 'archive'
    const mode = isOwn ? OWN_FOLDERS : READABLE_FOLDERS
    for (const path of [join(this.path, group), join(this.path, group, name)]) {
      if (existsSync(path)) continue
      mkdirSync(path, { mode })
      chmodSync(path, mode)
      this.#giveToWorkers(group, path)
    }
  }

  /** Workers write challenges, certificates that are being obtained, and responses; and they read accounts. */
  #giveToWorkers(group: Group, path: string): void {
    if (this.#workers === null) return
    const { uid, gid } = this.#workers
    if (group === 'challenges' || group === 'staging' || group === 'ocsp') chownSync(path, uid, gid)
    else if (group === 'accounts') chownSync(path, 0, gid)
  }
}

/** @throws Error for a file that exists and is not understood */
function storeKey(path: string): Buffer {
  const text = readOwnFile(path)
  if (text === undefined) {
    const key = randomBytes(KEY_LENGTH)
    const content = { store: { version: 3 }, key: key.toString('base64url') }
    writeFileSync(path, JSON.stringify(content, null, 2), { mode: OWN_FILES, flag: 'wx' })
    return key
  }
  const content: unknown = parse(text)
  if (typeof content === 'object' && content !== null && 'key' in content && typeof content.key === 'string') {
    const key = Buffer.from(content.key, 'base64url')
    if (key.length === KEY_LENGTH) return key
  }
  throw new Error(
    'The central store file md/md_store.json seems to exist, but its content are not readable as JSON. Either it got somehow corrupted or the store directory was configured for a location with a foreign md_store.json file. Either way, it is unclear how to proceeed. You should either restore the correct file/location or clean the directory so it gets initialized again.',
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
