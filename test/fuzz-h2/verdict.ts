import { type Conversation, type Frame, SENTINEL } from './conversation.ts'

/** What a server makes of a conversation. */
export interface Verdict {
  /** `alive`, or the code of the error with which the connection ended. */
  readonly connection: string
  /** For each stream: `answered`, or `reset CODE`; in the order of their numbers. */
  readonly streams: readonly string[]
  /** Whether any stream was reset, also one that the client gave up. */
  readonly hasReset: boolean
}

const HEADERS = 1
const RST_STREAM = 3
const PING = 6
const GOAWAY = 7

/** Whether the server has answered the last frame, or ended the connection. */
export function isComplete(sent: readonly Frame[]): boolean {
  return sent.some(({ type, flags, payload }) => type === GOAWAY || (type === PING && flags === 1 && payload.equals(SENTINEL)))
}

/** @param sent all frames of the server */
export function verdictOf(conversation: Conversation, sent: readonly Frame[]): Verdict {
  const goaway = sent.find(({ type, payload }) => type === GOAWAY && payload.readUInt32BE(4) !== 0)
  if (goaway !== undefined) return { connection: `error ${goaway.payload.readUInt32BE(4)}`, streams: [], hasReset: false }
  // Whether a request is answered whose client gives it up depends on when it begins.
  const given = new Set(conversation.filter(({ type }) => type === RST_STREAM).map(({ stream }) => stream))
  const streams = new Map<number, string>()
  for (const { type, stream, payload } of sent) {
    if (given.has(stream) || stream % 2 === 0) continue
    if (type === HEADERS) streams.set(stream, 'answered')
    else if (type === RST_STREAM && payload.readUInt32BE(0) !== 0) {
      if (streams.get(stream) === undefined) streams.set(stream, `reset ${payload.readUInt32BE(0)}`)
    }
  }
  const sorted = [...streams].sort(([a], [b]) => a - b).map(([stream, text]) => `${stream} ${text}`)
  const hasReset = sent.some(({ type, payload }) => type === RST_STREAM && payload.readUInt32BE(0) !== 0)
  return { connection: isComplete(sent) ? 'alive' : 'closed', streams: sorted, hasReset }
}

/** In words; equal for equal verdicts. */
export function wordsOf({ connection, streams }: Verdict): string {
  return [connection, ...streams].join(', ')
}
