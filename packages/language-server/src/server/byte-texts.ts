/** Paths and texts have one character for each byte where configurations are read, and are Unicode in editors. */
export function toBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

export function fromBytes(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8')
}
