// A backend of many slow clients: a page of 1 KiB, uploads that it reads, tunnels that stay open, and their number at /tunnels.
import { createServer } from 'node:http'

let tunnels = 0
const server = createServer((request, response) => {
  if (request.method === 'POST') request.resume().on('end', () => response.end('read'))
  else response.end(request.url === '/tunnels' ? String(tunnels) : 'x'.repeat(1024))
  request.on('error', () => undefined)
})
server.on('upgrade', (request, socket) => {
  tunnels++
  // Its end is that of the tunnel, too.
  socket.on('end', () => socket.end())
  socket.on('close', () => tunnels--)
  socket.on('error', () => undefined)
  socket.resume()
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${request.headers.upgrade}\r\n\r\n`)
})
// Slow clients are what this is about.
server.requestTimeout = 0
server.keepAliveTimeout = 0
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => process.stdout.write(`${server.address().port}\n`))
