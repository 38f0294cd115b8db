/** Codes of RST_STREAM and GOAWAY (RFC 9113 section 7). */
export const ERROR = {
  none: 0,
  protocol: 1,
  internal: 2,
  flowControl: 3,
  settingsTimeout: 4,
  streamClosed: 5,
  frameSize: 6,
  refusedStream: 7,
  cancel: 8,
  compression: 9,
  connect: 10,
  enhanceYourCalm: 11,
  inadequateSecurity: 12,
  http11Required: 13,
} as const

const NAMES: readonly string[] = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY',
  'HTTP_1_1_REQUIRED',
]

/** The name of a code, or its number if the RFC has none. */
export function errorName(code: number): string {
  return NAMES[code] ?? String(code)
}

/** An error of the connection: it ends with GOAWAY. */
export class ConnectionError extends Error {
  readonly code: number
  /** Whether the client did something too often, which a line at level info reports: single mistakes are for level debug. */
  readonly isExcess: boolean

  constructor(code: number, text: string, isExcess: boolean = code === ERROR.enhanceYourCalm) {
    super(text)
    this.code = code
    this.isExcess = isExcess
  }
}
