import { randomBytes } from 'node:crypto'

/** The folder in which the properties of a folder's files are, as in httpd. */
export const STATE_FOLDER = '.DAV'

/** Files that are being written. */
export const TEMPORARY = '.davfs.tmp'

/** Whether a name belongs to the repository itself: clients never see it. */
export function isOwnName(name: string): boolean {
  return name === STATE_FOLDER || name.startsWith(TEMPORARY)
}

/** The path for the system. */
export function bytesOf(path: string): Buffer {
  return Buffer.from(path, 'latin1')
}

export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/'
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** A new name beside a path. */
export function temporaryPath(path: string): string {
  const folder = folderOf(path)
  return `${folder === '/' ? '' : folder}/${TEMPORARY}${randomBytes(9).toString('hex')}`
}
