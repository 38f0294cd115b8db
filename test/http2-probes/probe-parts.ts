import { type Field, pseudoFields, uint32 } from '../../packages/http2/test/support/frames.ts'
import type { FrameSocket } from '../http2/frame-socket.ts'
import type { Expectation, Probe } from './probe.ts'

/** PROTOCOL_ERROR, FLOW_CONTROL_ERROR, STREAM_CLOSED, FRAME_SIZE_ERROR and COMPRESSION_ERROR. */
export const CODES = [1, 3, 5, 6, 9] as const

export const GET: readonly Field[] = pseudoFields('GET', '/page.html')
export const POST: readonly Field[] = pseudoFields('POST', '/reflect')

type Run = (client: FrameSocket) => void

export const connectionError = (...codes: readonly number[]): Expectation => ({ kind: 'connection error', codes })
export const streamError = (...codes: readonly number[]): Expectation => ({ kind: 'stream error', codes })
export const response = (stream = 1): Expectation => ({ kind: 'response', stream })

/** @param isRaw the client sends the preface and settings itself */
export function probe(id: string, section: string, title: string, expects: Expectation, run: Run, isRaw = false): Probe {
  return { id, section, title, expects, run, isRaw }
}

/** A setting as it is in a frame. */
export function setting(id: number, value: number): Buffer {
  return Buffer.concat([Buffer.from([0, id]), uint32(value)])
}

export const get = (client: FrameSocket, stream = 1, more: readonly Field[] = []): void => client.head(stream, [...GET, ...more])
export const openPost = (client: FrameSocket, more: readonly Field[] = []): void => client.head(1, [...POST, ...more], false)
/** A request whose body is still to come. */
export const half = (client: FrameSocket): void => client.send(1, 4, 1, client.block(POST))

/** The fields of a request but for one. */
export const without = (name: string): readonly Field[] => GET.filter(([field]) => field !== name)

/** A request that is none. */
export const malformed = (id: string, section: string, title: string, fields: readonly Field[]): Probe =>
  probe(`message/${id}`, section, title, streamError(CODES[0]), (c) => c.head(1, fields))
