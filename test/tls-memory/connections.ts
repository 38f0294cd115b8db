import { connect, type TLSSocket } from 'node:tls'
import { until } from '../fixtures/until.ts'

/** Connections that are made at a time. */
const AT_ONCE = 50

/** Waits until a server answers. */
export function connectsTo(port: number): Promise<void> {
  return until(`port ${port} answers`, () =>
    answered(port).then(
      (socket) => {
        socket.destroy()
        return true
      },
      () => false,
    ),
  )
}

/** Makes so many connections, each of which has had one request and its response. */
export async function idleConnections(port: number, count: number): Promise<readonly TLSSocket[]> {
  const sockets: TLSSocket[] = []
  while (sockets.length < count) {
    const length = Math.min(AT_ONCE, count - sockets.length)
    sockets.push(...(await Promise.all(Array.from({ length }, () => answered(port)))))
  }
  return sockets
}

function answered(port: number): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the connection was closed')))
    socket.once('data', () => resolve(socket))
    socket.write('GET /f.txt HTTP/1.1\r\nHost: localhost\r\n\r\n')
  })
}
