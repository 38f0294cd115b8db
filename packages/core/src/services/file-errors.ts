/**
 * The path refers to something that must not be read: a folder, a pipe, a device. The module API exports this
 * name.
 */
export class NotRegularFile extends Error {
  override readonly name = 'NotRegularFile'
}

/** A file exceeds the caller's size limit. */
export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge'
}
