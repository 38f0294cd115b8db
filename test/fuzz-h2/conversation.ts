/** One frame that a client sends. */
export interface Frame {
  readonly type: number
  readonly flags: number
  readonly stream: number
  readonly payload: Buffer
}

/** What the client sends after the preface and its settings; a PING follows, whose answer shows that the connection lives. */
export type Conversation = readonly Frame[]

export const PREFACE: Buffer = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1')

/** The data of the last PING. */
export const SENTINEL: Buffer = Buffer.from('the last', 'latin1')

export function frameBytes({ type, flags, stream, payload }: Frame): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** All bytes of a client. */
export function bytesOf(conversation: Conversation): Buffer {
  const settings: Frame = { type: 4, flags: 0, stream: 0, payload: Buffer.alloc(0) }
  const last: Frame = { type: 6, flags: 0, stream: 0, payload: SENTINEL }
  return Buffer.concat([PREFACE, ...[settings, ...conversation, last].map(frameBytes)])
}

/** The frames of what a server has sent; a rest that is no whole frame is left out. */
export function framesOf(bytes: Buffer): Frame[] {
  const frames: Frame[] = []
  for (let at = 0; bytes.length - at >= 9; ) {
    const length = bytes.readUIntBE(at, 3)
    if (bytes.length - at < 9 + length) break
    const payload = bytes.subarray(at + 9, at + 9 + length)
    frames.push({ type: bytes[at + 3], flags: bytes[at + 4], stream: bytes.readUInt32BE(at + 5), payload })
    at += 9 + length
  }
  return frames
}

/** A conversation as one line for each frame. */
export function describe(conversation: Conversation): string {
  return conversation
    .map(({ type, flags, stream, payload }) => `  type ${type} flags ${flags} stream ${stream} ${payload.toString('hex')}`)
    .join('\n')
}
