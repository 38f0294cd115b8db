// Answers every request on a TLS connection with one file; for bare-node.mjs. A request ends with an empty line.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createServer } from 'node:tls'

const { root, file, port, resumes } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const body = readFileSync(file)
const answer = (fields) =>
  Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n${fields}\r\n`), body])
const KEPT = answer('')
const LAST = answer('Connection: close\r\n')
const NO_TICKETS = 0x4000

const secure = {
  key: readFileSync(join(root, 'conf/tls.key')),
  cert: readFileSync(join(root, 'conf/tls.crt')),
  minVersion: 'TLSv1.3',
  ...(!resumes && { secureOptions: NO_TICKETS }),
}
createServer(secure, (socket) => {
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  socket.on('data', (bytes) => {
    const text = bytes.latin1Slice(0, bytes.length)
    if (!text.endsWith('\r\n\r\n')) return
    if (text.includes('Connection: close')) socket.end(LAST)
    else socket.write(KEPT)
  })
}).listen(port, '127.0.0.1')
