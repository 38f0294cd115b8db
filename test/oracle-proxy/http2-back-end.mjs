// A back end that speaks HTTP/2 in the clear, as a process: node http2-back-end.mjs. Prints its port. Each request states in
// its field X-Answer (JSON in base64url) what the response is, a list of parts:
//   { head: [[NAME, VALUE]...], end: BOOLEAN }   a header block
//   { data: TEXT, times: N, end: BOOLEAN }
//   { seen: true }     data that lists what was received
//   { reset: CODE }  { goaway: [LAST STREAM, CODE] }  { bytes: TEXT }  { close: true }
import { createServer } from 'node:net'
import { BlockWriter, FrameParser, frameBytes, uint32 } from '../../packages/http2/test/support/frames.ts'

const PREFACE_LENGTH = 24
const DATA = 0
const HEADERS = 1
const SETTINGS = 4
const PING = 6
const END = 1

/** A window that no request of the cases exceeds. */
const WINDOW = 1024 * 1024

/** One connection: requests are answered when they are complete. */
class Connection {
  #blocks = new BlockWriter()
  #requests = new Map()
  #socket

  constructor(socket) {
    this.#socket = socket
    const settings = Buffer.alloc(6)
    settings.writeUInt16BE(4)
    settings.writeUInt32BE(WINDOW, 2)
    socket.write(Buffer.concat([frameBytes(SETTINGS, 0, 0, settings), frameBytes(8, 0, 0, uint32(WINDOW))]))
  }

  take({ type, flags, stream, payload, fields }) {
    if (type === SETTINGS && (flags & 1) === 0) this.#socket.write(frameBytes(SETTINGS, 1, 0))
    if (type === PING && (flags & 1) === 0) this.#socket.write(frameBytes(PING, 1, 0, payload))
    if (type === HEADERS) this.#requests.set(stream, { fields, length: 0 })
    const request = this.#requests.get(stream)
    if ((type !== DATA && type !== HEADERS) || request === undefined) return
    if (type === DATA) request.length += payload.length
    if ((flags & END) === 0) return
    this.#requests.delete(stream)
    this.#answer(stream, request)
  }

  #answer(stream, { fields, length }) {
    const stated = fields.find(([name]) => name === 'x-answer')?.[1] ?? 'W10'
    const lines = fields.filter(([name]) => name !== 'x-answer').map(([name, value]) => `${name}: ${value}\n`)
    // The order of fields means nothing.
    const seen = `${lines.sort().join('')}body of ${length}\n`
    const parts = JSON.parse(Buffer.from(stated, 'base64url').toString('utf8'))
    // At once: an error that arrives with the head can replace it.
    this.#socket.write(Buffer.concat(parts.map((part) => this.#bytesOf(stream, part, seen))))
    if (parts.some((part) => 'close' in part)) this.#socket.end()
  }

  #bytesOf(stream, part, seen) {
    const end = part.end === true ? END : 0
    if ('head' in part) return frameBytes(HEADERS, 4 | end, stream, this.#blocks.block(part.head))
    if ('data' in part) return frameBytes(DATA, end, stream, part.data.repeat(part.times ?? 1))
    if ('seen' in part) return frameBytes(DATA, end, stream, seen)
    if ('reset' in part) return frameBytes(3, 0, stream, uint32(part.reset))
    if ('goaway' in part) return frameBytes(7, 0, 0, uint32(...part.goaway))
    return Buffer.from(part.bytes ?? '', 'latin1')
  }
}

const server = createServer((socket) => {
  const connection = new Connection(socket)
  const parser = new FrameParser()
  let toSkip = PREFACE_LENGTH
  socket.on('error', () => socket.destroy())
  socket.on('data', (bytes) => {
    const skip = Math.min(toSkip, bytes.length)
    toSkip -= skip
    try {
      for (const frame of parser.push(bytes.subarray(skip))) connection.take(frame)
    } catch {
      socket.destroy()
    }
  })
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
process.on('disconnect', () => process.exit())
