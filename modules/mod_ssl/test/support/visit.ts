import { type ConnectionOptions, connect } from 'node:tls'

export interface Visit {
  readonly text: string
  readonly reused: boolean
  /** The last session that the server gave. */
  readonly session: Buffer | undefined
}

/** One request on one connection, and the session that can be resumed. */
export function visitServer(port: number, options: ConnectionOptions, path = '/f.txt'): Promise<Visit> {
  const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ...options })
  let text = ''
  let session: Buffer | undefined
  let reused = false
  socket.on('secureConnect', () => {
    reused = socket.isSessionReused()
    // Node reports no new ticket of a session that it resumed with TLS 1.2.
    if (socket.getProtocol() === 'TLSv1.2') session = socket.getSession()
  })
  socket.on('session', (given: Buffer) => {
    session = given
  })
  socket.on('data', (bytes: Buffer) => {
    text += bytes.toString('latin1')
  })
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
  return new Promise((resolve) => {
    socket.on('error', () => resolve({ text, reused, session }))
    socket.on('close', () => resolve({ text, reused, session }))
  })
}
