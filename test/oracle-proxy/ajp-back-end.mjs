// A back end that speaks AJP/1.3, as a process: node ajp-back-end.mjs. Prints its port. Each request states in its field
// X-Answer (JSON in base64url) what the response is, a list of parts:
//   { head: [STATUS, REASON, [[NAME or CODE, VALUE]...]] }  { chunk: TEXT, times: N }  { end: REUSABLE }
//   { seen: true }    a chunk of the body that lists what was received
//   { ask: SIZE }     asks for a part of the body, and waits for it
//   { packet: TEXT }  { bytes: TEXT }  a packet, or bytes, as they are
//   { close: true }
// In place of a text, null is one without a value.
import { createServer } from 'node:net'

const FORWARD = 2
const PING = 10
const NO_TEXT = 0xffff

const uint16 = (value) => String.fromCharCode((value >> 8) & 0xff, value & 0xff)
const text = (value) => (value === null ? uint16(NO_TEXT) : `${uint16(value.length)}${value}\0`)
const packet = (content) => `AB${uint16(content.length)}${content}`
const chunk = (body) => packet(`\x03${uint16(body.length)}${body}\0`)

function headPacket([status, reason, fields]) {
  const lines = fields.map(([name, value]) => (typeof name === 'number' ? uint16(name) : text(name)) + text(value))
  return packet(`\x04${uint16(status)}${text(reason)}${uint16(fields.length)}${lines.join('')}`)
}

/** What a Forward Request packet states, a line each. */
function readForward(data) {
  let at = 1
  const uint8 = () => data[at++]
  const number = () => {
    at += 2
    return data.readUInt16BE(at - 2)
  }
  const string = () => {
    const size = number()
    if (size === NO_TEXT) return '(none)'
    at += size + 1
    return data.toString('latin1', at - size - 1, at - 1)
  }
  const lines = [`method ${uint8()}`]
  for (const name of ['protocol', 'path', 'address', 'host', 'server']) lines.push(`${name} ${string()}`)
  lines.push(`port :${number()}`, `tls ${uint8()}`)
  const fields = new Map()
  for (let left = number(); left > 0; left--) {
    const code = data.readUInt16BE(at)
    if (code >> 8 === 0xa0) at += 2
    const name = code >> 8 === 0xa0 ? code.toString(16) : string()
    const value = string()
    if (name.toLowerCase() === 'x-answer') fields.set('answer', value)
    else lines.push(`${name}: ${value}`)
    if (name === 'a008') fields.set('length', value)
  }
  while (at < data.length && data[at] !== 0xff) {
    const kind = uint8()
    const name = kind === 10 ? string() : ''
    const value = kind === 11 ? number() : string()
    lines.push(`attribute ${kind} ${name} ${name === 'AJP_REMOTE_PORT' ? 'N' : value}`)
  }
  return { lines, answer: fields.get('answer'), length: Number(fields.get('length') ?? 0) }
}

/** Serves the requests of one connection, one after the other. */
async function serve(socket, nextPacket) {
  for (;;) {
    const data = await nextPacket()
    if (data === null) return
    if (data[0] === PING) {
      socket.write(packet('\x09'))
      continue
    }
    if (data[0] !== FORWARD) return socket.destroy()
    const request = readForward(data)
    // The first part of a body with a length comes unasked.
    if (request.length > 0) seePart(request, await nextPacket())
    const parts = JSON.parse(Buffer.from(request.answer ?? 'W10', 'base64url').toString('utf8'))
    for (const part of parts) if (!(await play(socket, nextPacket, request, part))) return
  }
}

function seePart(request, data) {
  if (data === null) return
  const size = data.length < 2 ? 0 : data.readUInt16BE(0)
  request.lines.push(`part ${size} of ${data.length} ${data.toString('latin1', 2, 12)}`)
}

async function play(socket, nextPacket, request, part) {
  if ('head' in part) socket.write(headPacket(part.head), 'latin1')
  else if ('chunk' in part) socket.write(chunk(part.chunk.repeat(part.times ?? 1)), 'latin1')
  else if ('seen' in part) socket.write(chunk(`${request.lines.join('\n')}\n`), 'latin1')
  else if ('packet' in part) socket.write(packet(part.packet), 'latin1')
  else if ('bytes' in part) socket.write(part.bytes, 'latin1')
  else if ('ask' in part) {
    socket.write(packet(`\x06${uint16(part.ask)}`), 'latin1')
    seePart(request, await nextPacket())
  } else if ('close' in part) {
    socket.end()
    return false
  } else if ('end' in part) socket.write(packet(part.end ? '\x05\x01' : '\x05\0'), 'latin1')
  return true
}

const server = createServer((socket) => {
  let rest = Buffer.alloc(0)
  let isOver = false
  let wake = null
  /** The next packet without its head, null at the end or if it has another signature. */
  const nextPacket = async () => {
    for (;;) {
      const size = rest.length >= 4 ? rest.readUInt16BE(2) : Number.POSITIVE_INFINITY
      if (rest.length >= 4 && rest.readUInt16BE(0) !== 0x1234) return null
      if (rest.length >= 4 + size) {
        const content = rest.subarray(4, 4 + size)
        rest = rest.subarray(4 + size)
        return content
      }
      if (isOver) return null
      await new Promise((resolve) => {
        wake = resolve
      })
    }
  }
  const gone = () => {
    isOver = true
    wake?.()
  }
  socket.on('error', gone)
  socket.on('close', gone)
  socket.on('end', gone)
  socket.on('data', (part) => {
    rest = Buffer.concat([rest, part])
    wake?.()
  })
  serve(socket, nextPacket).catch(() => socket.destroy())
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
process.on('disconnect', () => process.exit())
