import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import type { Test } from 'tap'
import { BlockWriter, type Field, FrameParser, frameBytes, type ReceivedFrame } from '../../packages/http2/test/support/frames.ts'

const PREFACE_LENGTH = 24

/** One connection to a back end that a test answers frame by frame. */
export class BackEndConnection {
  /** From 1. */
  readonly number: number
  readonly socket: Socket
  readonly #blocks = new BlockWriter()

  constructor(number: number, socket: Socket) {
    this.number = number
    this.socket = socket
  }

  send(...frames: readonly Buffer[]): void {
    this.socket.write(Buffer.concat(frames))
  }

  head(stream: number, fields: readonly Field[], flags = 4): Buffer {
    return frameBytes(1, flags, stream, this.#blocks.block(fields))
  }

  /** Sends a whole response. */
  answer(stream: number, body: string, fields: readonly Field[] = []): void {
    this.send(this.head(stream, [[':status', '200'], ...fields]), frameBytes(0, 1, stream, body))
  }
}

/** A back end that speaks HTTP/2 in the clear, and what it has received. */
export interface BackEnd {
  readonly port: number
  /** The fields of each request. */
  readonly requests: Field[][]
  /** All frames but those of settings. */
  readonly frames: ReceivedFrame[]
  readonly connections: BackEndConnection[]
}

/** Starts one. @param serve is called for each HEADERS frame */
export async function backEnd(
  t: Test,
  serve: (connection: BackEndConnection, stream: number, fields: readonly Field[]) => void,
): Promise<BackEnd> {
  const requests: Field[][] = []
  const frames: ReceivedFrame[] = []
  const connections: BackEndConnection[] = []
  const server = createServer((socket) => {
    const connection = new BackEndConnection(connections.length + 1, socket)
    connections.push(connection)
    const parser = new FrameParser()
    let skipped = 0
    socket.on('error', () => {})
    socket.write(frameBytes(4, 0, 0))
    socket.on('data', (bytes) => {
      const skip = Math.min(PREFACE_LENGTH - skipped, bytes.length)
      skipped += skip
      for (const frame of parser.push(bytes.subarray(skip))) {
        if (frame.type === 4) {
          if ((frame.flags & 1) === 0) socket.write(frameBytes(4, 1, 0))
          continue
        }
        frames.push(frame)
        if (frame.type !== 1) continue
        requests.push([...frame.fields])
        serve(connection, frame.stream, frame.fields)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    for (const { socket } of connections) socket.destroy()
  })
  const address = server.address()
  return { port: typeof address === 'object' && address !== null ? address.port : 0, requests, frames, connections }
}
