import { errorName } from '@gatewright/http2'
import type { ReceivedFrame } from '../../packages/http2/test/support/frames.ts'
import { FrameSocket } from '../http2/frame-socket.ts'
import type { Expectation, Probe } from './probe.ts'

const RST_STREAM = 3
const GOAWAY = 7

/** The result of one probe. */
export interface Result {
  readonly id: string
  readonly section: string
  readonly title: string
  readonly isPassed: boolean
  /** For people: `GOAWAY PROTOCOL_ERROR`. */
  readonly came: string
}

/** @param patience ms after which what a server has not done counts as not done */
export async function resultOf(probe: Probe, port: number, patience: number): Promise<Result> {
  const { id, section, title, expects, isRaw = false, run } = probe
  const client = isRaw ? await FrameSocket.open({ port }) : await FrameSocket.begin({ port })
  const timer = setTimeout(() => client.destroy(), patience)
  let isLate = false
  timer.unref()
  const late = setTimeout(() => (isLate = true), patience - 1)
  try {
    client.together(() => run(client))
    const next = followUp(probe)
    if (next !== null) {
      await client.until(() => isMet(next.awaits, client.frames) || hasEnded(client.frames))
      client.together(() => next.run(client))
    }
    if (expects.kind === 'closed') await client.until(() => client.closed)
    else await client.until(() => isMet(expects, client.frames) || hasEnded(client.frames))
    const isPassed =
      isMet(expects, client.frames) ||
      (isError(expects) && client.closed && !isLate && (expects.kind === 'closed' || !hasEnded(client.frames)))
    return { id, section, title, isPassed, came: tell(client.frames, client.closed && !isLate) }
  } finally {
    clearTimeout(timer)
    clearTimeout(late)
    client.destroy()
  }
}

/** What the client does later, and what it waits for. */
function followUp({ afterResponse, afterData }: Probe): { awaits: Expectation; run: (client: FrameSocket) => void } | null {
  if (afterResponse !== undefined) return { awaits: { kind: 'response', stream: 1 }, run: afterResponse }
  if (afterData !== undefined) return { awaits: { kind: 'data', length: afterData.length }, run: afterData.run }
  return null
}

function isError({ kind }: Expectation): boolean {
  return kind === 'connection error' || kind === 'stream error' || kind === 'closed'
}

/** The server has announced the end: nothing else follows. */
function hasEnded(frames: readonly ReceivedFrame[]): boolean {
  return frames.some(({ type }) => type === GOAWAY)
}

function isMet(expects: Expectation, frames: readonly ReceivedFrame[]): boolean {
  switch (expects.kind) {
    case 'response':
      return frames.some(({ type, flags, stream }) => type < 2 && stream === expects.stream && (flags & 1) === 1)
    case 'data':
      return frames.some(({ type, payload }) => type === 0 && payload.length === expects.length)
    case 'closed':
      return false
    case 'frame':
      return frames.some(({ type, flags }) => type === expects.type && (flags & expects.flag) !== 0)
    case 'connection error':
      return frames.some((frame) => frame.type === GOAWAY && expects.codes.includes(codeOf(frame)))
    case 'stream error':
      return frames.some((frame) => (frame.type === GOAWAY || frame.type === RST_STREAM) && expects.codes.includes(codeOf(frame)))
  }
}

function codeOf({ type, payload }: ReceivedFrame): number {
  return payload.readUInt32BE(type === GOAWAY ? 4 : 0)
}

function tell(frames: readonly ReceivedFrame[], closed: boolean): string {
  const parts: string[] = []
  for (const frame of frames) {
    if (frame.type === GOAWAY) parts.push(`GOAWAY ${errorName(codeOf(frame))}`)
    else if (frame.type === RST_STREAM) parts.push(`RST_STREAM ${errorName(codeOf(frame))}`)
    else if (frame.type === 1) parts.push(frame.fields.find(([name]) => name === ':status')?.[1] ?? 'trailers')
  }
  const said = [...new Set(parts)].slice(-2).join(', ')
  return said === '' ? (closed ? 'closed' : 'nothing') : said
}
