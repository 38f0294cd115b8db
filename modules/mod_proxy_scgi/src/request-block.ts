/** The netstring that begins a request: names and values, each with a zero byte, the length of the body first. */
export function requestBlock(variables: Iterable<readonly [name: string, value: string]>, length: string): Buffer {
  let text = `CONTENT_LENGTH\0${length}\0SCGI\x001\0`
  for (const [name, value] of variables) {
    if (name === 'CONTENT_LENGTH' || name === 'SCGI') continue
    // A zero byte would begin another variable.
    if (name.includes('\0') || value.includes('\0')) continue
    text += `${name}\0${value}\0`
  }
  return Buffer.from(`${text.length}:${text},`, 'latin1')
}
