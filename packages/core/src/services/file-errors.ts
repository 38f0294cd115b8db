/** The path names something that must not be read: a folder, a pipe, a device. The module API knows it by its name. */
export class NotRegularFile extends Error {
  override readonly name = 'NotRegularFile'
}

/** A file has more bytes than whoever asked for it is ready to take. */
export class FileTooLarge extends Error {
  override readonly name = 'FileTooLarge'
}
