// Answers every request with one file, over TLS 1.3 or in the clear; for bare-node.mjs. A request ends with an empty line.
import { readFileSync } from 'node:fs'
import { createServer, Socket } from 'node:net'
import { join } from 'node:path'
import { createSecureContext, createServer as createTlsServer, TLSSocket } from 'node:tls'

const { form, root, file, port, tls, isRefused } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const body = isRefused ? Buffer.from('<h1>Forbidden</h1>\n') : readFileSync(file)
const answer = (fields) =>
  Buffer.concat([
    Buffer.from(`HTTP/1.1 ${isRefused ? '403 Forbidden' : '200 OK'}\r\nContent-Length: ${body.length}\r\n${fields}\r\n`),
    body,
  ])
const KEPT = answer('')
const LAST = answer('Connection: close\r\n')
const NO_TICKETS = 0x4000
const HALF_OPEN = { allowHalfOpen: true, noDelay: true }

const secure = tls && {
  key: readFileSync(join(root, 'conf/tls.key')),
  cert: readFileSync(join(root, 'conf/tls.crt')),
  minVersion: 'TLSv1.3',
  ...(!tls.resumes && { secureOptions: NO_TICKETS }),
}
const secureContext = secure && createSecureContext(secure)
const FORMS = {
  server() {
    const serve = (socket) => {
      socket.setNoDelay(true)
      attend(socket)
      socket.on('data', (bytes) => received(socket, bytes, bytes.length, write))
    }
    return secure ? createTlsServer(secure, serve) : createServer(serve)
  },
  shared: () => ownSockets(write),
  direct: () => ownSockets(writePastStream),
}

FORMS[form]().listen(port, '127.0.0.1')

function attend(socket) {
  socket.on('error', () => socket.destroy())
  socket.on('end', () => socket.end())
}

function received(socket, bytes, count, writing) {
  const text = bytes.latin1Slice(0, count)
  if (!text.endsWith('\r\n\r\n')) return
  if (text.includes('Connection: close')) socket.end(LAST)
  else writing(socket, KEPT)
}

function write(socket, bytes) {
  socket.write(bytes)
}

/** Sockets of our own that read into one buffer, as packages/http makes them. */
function ownSockets(writing) {
  const shared = Buffer.allocUnsafeSlow(64 * 1024)
  const [buffer, callback] = ['kBuffer', 'kBufferCb'].map((name) =>
    Object.getOwnPropertySymbols(new Socket()).find(({ description }) => description === name),
  )
  const read = (socket) => {
    socket[buffer] = shared
    socket[callback] = function (count, bytes) {
      received(this, bytes, count, writing)
      return true
    }
    socket._handle.useUserBuffer(shared)
    socket.resume()
  }
  return createServer(HALF_OPEN, (raw) => {
    attend(raw)
    if (!secureContext) return read(raw)
    const socket = new TLSSocket(raw, { isServer: true, secureContext })
    attend(socket)
    socket.once('secure', () => read(socket))
  })
}

/** With an object for the write that is made once for each connection; the client waits for each answer. */
function writePastStream(socket, bytes) {
  socket.written ??= new (process.binding('stream_wrap').WriteWrap)()
  socket._handle.writeBuffer(socket.written, bytes)
}
