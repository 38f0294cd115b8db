import { closeSync, fstatSync, openSync } from 'node:fs'
import type { FileInfo } from '@gatewright/api'
import { fsPath } from '../base/file-info.ts'
import { READ_WITHOUT_WAITING } from './read-whole.ts'

/**
 * A large file while it is sent. If its name is reused in the meantime, the bytes are still those of the file
 * that was opened.
 */
export class OpenFile {
  readonly path: string
  readonly fd: number
  readonly #info: FileInfo

  /**
   * @param info the version that the head of the response describes
   * @throws the system's error, or why the file has changed
   */
  constructor(path: string, info: FileInfo) {
    this.path = path
    this.fd = openSync(fsPath(path), READ_WITHOUT_WAITING)
    this.#info = info
    const fault = this.fault()
    if (fault === null) return
    closeSync(this.fd)
    throw fault
  }

  /**
   * Why the bytes may not be those of the version that the head describes; null if they are. A file that has
   * only grown, such as a log, is sent with the length that it had when it was requested.
   */
  fault(): Error | null {
    const { dev, ino, size, mtimeMs } = fstatSync(this.fd)
    const info = this.#info
    const { path } = this
    if (ino !== info.inode || dev !== info.device) return new Error(`${path} was replaced before it could be sent`)
    if (size < info.size) return new Error(`${path} became shorter while it was sent`)
    return size > info.size || mtimeMs === info.mtimeMs ? null : new Error(`${path} was changed while it was sent`)
  }

  close(): void {
    closeSync(this.fd)
  }
}
