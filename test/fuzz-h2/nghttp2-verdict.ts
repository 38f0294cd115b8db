import { performServerHandshake, type ServerHttp2Session } from 'node:http2'
import { Duplex } from 'node:stream'
import { bytesOf, type Conversation, framesOf } from './conversation.ts'
import { isComplete, type Verdict, verdictOf } from './verdict.ts'

/** Turns of the loop without output after the last answer. */
const QUIET_TURNS = 8

/** A connection in memory whose client sends everything at once. */
class MemorySocket extends Duplex {
  readonly output: Buffer[] = []
  onChange: () => void = () => {}

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.output.push(Buffer.from(chunk))
    this.onChange()
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    done(error)
    this.onChange()
  }
}

/** What nghttp2 makes of a conversation, as a part of Node's module http2. */
export async function nghttp2Verdict(conversation: Conversation): Promise<Verdict> {
  const socket = new MemorySocket()
  const session: ServerHttp2Session = performServerHandshake(socket, {
    settings: { maxConcurrentStreams: 100, enablePush: false },
    maxSessionInvalidFrames: 1_000_000,
    maxSessionRejectedStreams: 1_000_000,
    streamResetBurst: 1_000_000,
    streamResetRate: 1_000_000,
  })
  session.on('error', () => {})
  session.on('stream', (stream) => {
    stream.on('error', () => {})
    stream.resume()
    if (!stream.destroyed && !stream.headersSent) stream.respond({ ':status': 200 }, { endStream: true })
  })
  const ended = new Promise<void>((resolve) => {
    socket.onChange = () => {
      if (socket.destroyed || isComplete(framesOf(Buffer.concat(socket.output)))) resolve()
    }
    session.on('close', () => resolve())
  })
  socket.push(bytesOf(conversation))
  await ended
  for (let quiet = 0, writes = 0; quiet < QUIET_TURNS; quiet++) {
    await new Promise<void>((resolve) => setImmediate(resolve))
    if (socket.output.length > writes) quiet = 0
    writes = socket.output.length
  }
  const sent = framesOf(Buffer.concat(socket.output))
  session.destroy()
  socket.destroy()
  return verdictOf(conversation, sent)
}
