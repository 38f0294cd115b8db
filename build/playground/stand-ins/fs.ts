import { Buffer } from 'node:buffer'
import { entryAt, numberOf, plainPath } from './memory-files.ts'
import { systemError } from './system-error.ts'

/** Paths are texts, or bytes, as in Node. */
type Path = string | Uint8Array | URL

const MODES = { file: 0o100644, folder: 0o040755, device: 0o020666 } as const
/** Every file has the same age. */
const AGE = Date.UTC(2026, 0, 1)

/** What `stat` reports of an entry. */
export class Stats {
  readonly dev = 1
  readonly nlink = 1
  readonly uid = 0
  readonly gid = 0
  readonly rdev = 0
  readonly blksize = 4096
  readonly atimeMs = AGE
  readonly mtimeMs = AGE
  readonly ctimeMs = AGE
  readonly birthtimeMs = AGE
  readonly atime: Date = new Date(AGE)
  readonly mtime: Date = new Date(AGE)
  readonly ctime: Date = new Date(AGE)
  readonly birthtime: Date = new Date(AGE)
  readonly blocks: number
  readonly ino: number
  readonly mode: number
  readonly size: number
  readonly #kind: keyof typeof MODES

  constructor(kind: keyof typeof MODES, ino: number, size: number) {
    this.#kind = kind
    this.ino = ino
    this.mode = MODES[kind]
    this.size = size
    this.blocks = Math.ceil(size / 512)
  }

  isFile(): boolean {
    return this.#kind === 'file'
  }
  isDirectory(): boolean {
    return this.#kind === 'folder'
  }
  isCharacterDevice(): boolean {
    return this.#kind === 'device'
  }
  isSymbolicLink(): boolean {
    return false
  }
  isBlockDevice(): boolean {
    return false
  }
  isFIFO(): boolean {
    return false
  }
  isSocket(): boolean {
    return false
  }
}

/** A name in a folder. */
export class Dirent {
  readonly name: string
  readonly parentPath: string
  readonly #isFolder: boolean

  constructor(name: string, parentPath: string, isFolder: boolean) {
    this.name = name
    this.parentPath = parentPath
    this.#isFolder = isFolder
  }

  isFile(): boolean {
    return !this.#isFolder
  }
  isDirectory(): boolean {
    return this.#isFolder
  }
  isSymbolicLink(): boolean {
    return false
  }
  isFIFO(): boolean {
    return false
  }
  isSocket(): boolean {
    return false
  }
  isBlockDevice(): boolean {
    return false
  }
  isCharacterDevice(): boolean {
    return false
  }
}

export const constants = {
  O_RDONLY: 0,
  O_WRONLY: 1,
  O_RDWR: 2,
  O_CREAT: 64,
  O_EXCL: 128,
  O_NOCTTY: 256,
  O_TRUNC: 512,
  O_APPEND: 1024,
  O_NONBLOCK: 2048,
  O_DIRECTORY: 65536,
  O_NOFOLLOW: 131072,
  F_OK: 0,
  X_OK: 1,
  W_OK: 2,
  R_OK: 4,
} as const

const open = new Map<number, { readonly path: string; position: number }>()
let lastDescriptor = 100

export function statSync(path: Path, options: { readonly throwIfNoEntry?: boolean } = {}): Stats | undefined {
  const text = textOf(path)
  const stats = statsOf(text)
  if (typeof stats !== 'string') return stats
  if (options.throwIfNoEntry === false) return undefined
  throw systemError(stats, 'stat', text)
}

/** There are no symbolic links. */
export const lstatSync: typeof statSync = statSync

export function fstatSync(descriptor: number): Stats {
  const { path } = described(descriptor, 'fstat')
  const stats = statsOf(path)
  if (typeof stats === 'string') throw systemError(stats, 'fstat')
  return stats
}

export function existsSync(path: Path): boolean {
  return typeof statsOf(textOf(path)) !== 'string'
}

export function realpathSync(path: Path): string {
  const text = textOf(path)
  const stats = statsOf(text)
  if (typeof stats === 'string') throw systemError(stats, 'realpath', text)
  return plainPath(text)
}

/** Everything can be read, nothing can be written. */
export function accessSync(path: Path, mode = 0): void {
  const text = textOf(path)
  const stats = statsOf(text)
  if (typeof stats === 'string') throw systemError(stats, 'access', text)
  if ((mode & constants.W_OK) !== 0 && !stats.isCharacterDevice()) throw systemError('EROFS', 'access', text)
}

export function openSync(path: Path, flags: number | string = 0): number {
  const text = textOf(path)
  const stats = statsOf(text)
  const writes = typeof flags === 'number' ? (flags & (constants.O_WRONLY | constants.O_RDWR)) !== 0 : flags !== 'r'
  if (writes && text !== NOTHING) throw systemError('EROFS', 'open', text)
  if (typeof stats === 'string') throw systemError(stats, 'open', text)
  open.set(++lastDescriptor, { path: text, position: 0 })
  return lastDescriptor
}

export function closeSync(descriptor: number): void {
  open.delete(descriptor)
}

export function close(descriptor: number, done?: (error: Error | null) => void): void {
  closeSync(descriptor)
  queueMicrotask(() => done?.(null))
}

export function readSync(
  descriptor: number,
  target: Uint8Array,
  offset = 0,
  length: number = target.byteLength - offset,
  position: number | bigint | null = null,
): number {
  const file = described(descriptor, 'read')
  const bytes = bytesAt(file.path, 'read')
  const start = position === null || Number(position) < 0 ? file.position : Number(position)
  const part = bytes.subarray(start, start + length)
  target.set(part, offset)
  if (start === file.position && position === null) file.position += part.length
  return part.length
}

export function read(
  descriptor: number,
  target: Uint8Array,
  offset: number,
  length: number,
  position: number | bigint | null,
  done: (error: Error | null, count: number, target: Uint8Array) => void,
): void {
  let count = 0
  try {
    count = readSync(descriptor, target, offset, length, position)
  } catch (error) {
    queueMicrotask(() => done(error instanceof Error ? error : new Error(String(error)), 0, target))
    return
  }
  queueMicrotask(() => done(null, count, target))
}

export function readFileSync(
  from: Path | number,
  options?: BufferEncoding | { readonly encoding?: BufferEncoding | null } | null,
): string | Buffer {
  const path = typeof from === 'number' ? described(from, 'read').path : textOf(from)
  const bytes = Buffer.from(bytesAt(path, typeof from === 'number' ? 'read' : 'open'))
  const encoding = typeof options === 'string' ? options : options?.encoding
  return encoding === undefined || encoding === null ? bytes : bytes.toString(encoding)
}

export function readdirSync(path: Path, options?: { readonly withFileTypes?: boolean } | string | null): string[] | Dirent[] {
  const text = textOf(path)
  const entry = entryAt(text)
  if (typeof entry === 'string') throw systemError(entry, 'scandir', text)
  if (entry.kind === 'file') throw systemError('ENOTDIR', 'scandir', text)
  const names = [...entry.names].sort()
  if (typeof options !== 'object' || options?.withFileTypes !== true) return names
  return names.map((name) => new Dirent(name, text, statsOf(`${text}/${name}`) instanceof Stats && isFolder(`${text}/${name}`)))
}

/** A folder whose names are read one after the other. */
export class Dir {
  readonly path: string
  readonly #rest: Dirent[]

  constructor(path: string) {
    this.path = path
    this.#rest = readdirSync(path, { withFileTypes: true }).filter((entry) => typeof entry !== 'string')
  }

  readSync(): Dirent | null {
    return this.#rest.shift() ?? null
  }
  async read(): Promise<Dirent | null> {
    return this.readSync()
  }
  closeSync(): void {}
  async close(): Promise<void> {}
  async *[Symbol.asyncIterator](): AsyncGenerator<Dirent> {
    yield* this.#rest.splice(0)
  }
}

export function opendirSync(path: Path): Dir {
  return new Dir(textOf(path))
}

/** A name for files of programs, which a page does not start. */
export function mkdtempSync(prefix: string): string {
  return `${prefix}page`
}

export function mkdirSync(path: Path): void {
  throw systemError('EROFS', 'mkdir', textOf(path))
}

export function writeFileSync(path: Path): void {
  throw systemError('EROFS', 'open', textOf(path))
}

export function appendFileSync(path: Path): void {
  throw systemError('EROFS', 'open', textOf(path))
}

export function writeSync(_descriptor: number, data: string | Uint8Array): number {
  return data.length
}

export function rmSync(): void {}

const NOTHING = '/dev/null'

function statsOf(path: string): Stats | 'ENOENT' | 'ENOTDIR' {
  if (path === NOTHING) return new Stats('device', 1, 0)
  const entry = entryAt(path)
  if (typeof entry === 'string') return entry
  return entry.kind === 'folder'
    ? new Stats('folder', numberOf(path), 4096)
    : new Stats('file', numberOf(path), entry.bytes.length)
}

function isFolder(path: string): boolean {
  const entry = entryAt(path)
  return typeof entry !== 'string' && entry.kind === 'folder'
}

function bytesAt(path: string, call: string): Uint8Array {
  if (path === NOTHING) return new Uint8Array()
  const entry = entryAt(path)
  if (typeof entry === 'string') throw systemError(entry, call, path)
  if (entry.kind === 'folder') throw systemError('EISDIR', 'read', path)
  return entry.bytes
}

function described(descriptor: number, call: string): { readonly path: string; position: number } {
  const found = open.get(descriptor)
  if (found === undefined) throw systemError('EBADF', call)
  return found
}

function textOf(path: Path): string {
  if (typeof path === 'string') return path
  return path instanceof URL ? decodeURIComponent(path.pathname) : Buffer.from(path).toString('utf8')
}
