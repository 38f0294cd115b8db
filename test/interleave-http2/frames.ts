/** Types, flags and settings of HTTP/2 (RFC 9113 sections 6 and 7, RFC 9218). */
export const TYPE = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  push: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
  priorityUpdate: 16,
} as const
export const END_STREAM = 1
export const ACK = 1
export const END_HEADERS = 4
export const PADDED = 8
export const PRIORITY = 32
export const SETTING = { headerTableSize: 1, enablePush: 2, initialWindowSize: 4, maxFrameSize: 5 } as const

export function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

export function settings(pairs: readonly (readonly [id: number, value: number])[]): Buffer {
  const parts = pairs.map(([id, value]) => {
    const bytes = Buffer.alloc(6)
    bytes.writeUInt16BE(id)
    bytes.writeUInt32BE(value, 2)
    return bytes
  })
  return frame(TYPE.settings, 0, 0, Buffer.concat(parts))
}
