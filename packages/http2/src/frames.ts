/** Types of frames (RFC 9113 section 6, RFC 9218 section 7). */
export const FRAME = {
  data: 0,
  headers: 1,
  priority: 2,
  rstStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
  priorityUpdate: 16,
} as const

/** Flags of frames; `endStream` and `ack` share a bit. */
export const FLAG = { endStream: 1, ack: 1, endHeaders: 4, padded: 8, priority: 32 } as const

/** Bytes of the head of a frame. */
export const FRAME_HEAD = 9

/** The longest payload of a frame unless SETTINGS_MAX_FRAME_SIZE says otherwise. */
export const FRAME_SIZE = 16_384

/** What a client sends first (RFC 9113 section 3.4). */
export const PREFACE: Buffer = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1')

/** Names of settings (RFC 9113 section 6.5.2, RFC 8441 section 3, RFC 9218 section 2.1). */
export const SETTING = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  enableConnectProtocol: 8,
} as const

/** The largest number of a stream, and the largest window. */
export const LARGEST: number = 0x7fff_ffff

/** The window of a connection or stream at its start. */
export const INITIAL_WINDOW = 65_535
