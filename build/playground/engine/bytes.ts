/** The server keeps texts as bytes, one character for each. */
export function toBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

/** A text of the server, for people. */
export function fromBytes(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
