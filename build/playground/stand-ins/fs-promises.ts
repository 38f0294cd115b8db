import type { Buffer } from 'node:buffer'
import {
  closeSync,
  constants,
  type Dir,
  type Dirent,
  fstatSync,
  opendirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  type Stats,
  statSync,
} from './fs.ts'

export { constants }

/** An open file. */
export class FileHandle {
  readonly fd: number

  constructor(fd: number) {
    this.fd = fd
  }

  async stat(): Promise<Stats> {
    return fstatSync(this.fd)
  }
  async read(
    buffer: Uint8Array,
    offset = 0,
    length: number = buffer.byteLength - offset,
    position: number | null = null,
  ): Promise<{ readonly bytesRead: number; readonly buffer: Uint8Array }> {
    return { bytesRead: readSync(this.fd, buffer, offset, length, position), buffer }
  }
  async readFile(encoding?: BufferEncoding): Promise<string | Buffer> {
    return readFileSync(this.fd, encoding)
  }
  async close(): Promise<void> {
    closeSync(this.fd)
  }
}

export async function open(path: string, flags?: number | string): Promise<FileHandle> {
  return new FileHandle(openSync(path, flags))
}

export async function opendir(path: string): Promise<Dir> {
  return opendirSync(path)
}

export async function readdir(path: string, options?: { readonly withFileTypes?: boolean }): Promise<string[] | Dirent[]> {
  return readdirSync(path, options)
}

export async function readFile(path: string, options?: BufferEncoding): Promise<string | Buffer> {
  return readFileSync(path, options)
}

export async function stat(path: string): Promise<Stats | undefined> {
  return statSync(path)
}

export const lstat: typeof stat = stat
