// A server of Node alone, for comparison: node bare-server.ts PORT CERTIFICATE KEY. It answers every piece of input.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'

const [port, certificate, key] = process.argv.slice(2)
const secureContext = createSecureContext({ cert: readFileSync(certificate), key: readFileSync(key) })

createServer((socket) => {
  const tls = new TLSSocket(socket, { isServer: true, secureContext })
  tls.on('data', () => tls.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nx\n'))
  tls.on('error', () => socket.destroy())
}).listen(Number(port), '127.0.0.1')
