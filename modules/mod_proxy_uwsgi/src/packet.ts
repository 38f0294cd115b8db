const HEADER_SIZE = 4
const LENGTH_MAX = 0xffff

/**
 * The packet that begins a request: modifiers 0 and 0, and names and values with their lengths.
 * @returns null if it is longer than the protocol permits
 */
export function packetOf(variables: Iterable<readonly [name: string, value: string]>): Buffer | null {
  const list = [...variables]
  let size = 0
  for (const [name, value] of list) size += 4 + name.length + value.length
  if (size > LENGTH_MAX) return null
  const packet = Buffer.alloc(HEADER_SIZE + size)
  packet.writeUInt16LE(size, 1)
  let at = HEADER_SIZE
  for (const pair of list) {
    for (const text of pair) {
      at = packet.writeUInt16LE(text.length, at)
      at += packet.write(text, at, 'latin1')
    }
  }
  return packet
}
