/** The properties of the file that a request maps to. */
export interface FileInfo {
  /** `other` is a pipe, a socket or a device. */
  readonly kind: 'file' | 'directory' | 'other'
  /** Bytes. */
  readonly size: number
  /** Modification time in milliseconds (with fraction) since the epoch, and exactly in microseconds. */
  readonly mtimeMs: number
  /** Number of the inode. */
  readonly inode: number
  /** Number of the device. */
  readonly device: number
  /** Permission bits and type, as returned by stat. */
  readonly mode: number
  /** Number of the owner. */
  readonly uid: number
  /** Number of the group. */
  readonly gid: number
}
