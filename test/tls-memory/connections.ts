import { connect as connectPlainly, type Socket } from 'node:net'
import { connect } from 'node:tls'
import { until } from '../fixtures/until.ts'

/** Connections that are made at a time. */
const AT_ONCE = 50

/** Waits until a server answers. */
export function connectsTo(port: number): Promise<void> {
  return until(`port ${port} answers`, () =>
    answered(port, true).then(
      (socket) => {
        socket.destroy()
        return true
      },
      () => false,
    ),
  )
}

/** Makes so many connections, each of which has had one request and its response. */
export async function idleConnections(port: number, hasTls: boolean, count: number): Promise<readonly Socket[]> {
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const length = Math.min(AT_ONCE, count - sockets.length)
    sockets.push(...(await Promise.all(Array.from({ length }, () => answered(port, hasTls)))))
  }
  return sockets
}

function answered(port: number, hasTls: boolean): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const address = { port, host: '127.0.0.1' }
    const socket = hasTls ? connect({ ...address, servername: 'localhost', rejectUnauthorized: false }) : connectPlainly(address)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the connection was closed')))
    socket.once('data', () => resolve(socket))
    socket.write('GET /f.txt HTTP/1.1\r\nHost: localhost\r\n\r\n')
  })
}
