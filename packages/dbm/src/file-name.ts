/**
 * Returns what to pass to `fs` for a path from a configuration or a command line, in which one character is
 * one byte: Node would encode a string with characters above 0x7f as UTF-8 and name another file.
 */
export function fileName(path: string): string | Buffer {
  let highest = 0
  for (let index = 0; index < path.length; index++) highest = Math.max(highest, path.charCodeAt(index))
  return highest > 0x7f && highest <= 0xff ? Buffer.from(path, 'latin1') : path
}
