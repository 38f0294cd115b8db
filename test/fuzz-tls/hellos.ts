import { once } from 'node:events'
import { Duplex } from 'node:stream'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'

/** Names of servers, protocols and versions that clients send. */
const OFFERS: readonly ConnectionOptions[] = [
  { servername: 'public.test', minVersion: 'TLSv1.3' },
  { servername: 'public.test', maxVersion: 'TLSv1.2' },
  { servername: 'members.test', ALPNProtocols: ['h2', 'http/1.1'] },
  { servername: 'stateful.test', maxVersion: 'TLSv1.2', ALPNProtocols: ['http/1.1'] },
  { servername: 'public.test', ALPNProtocols: ['acme-tls/1'] },
  { servername: 'unknown.test', ALPNProtocols: ['http/1.0'] },
  {},
]

/** The first messages of clients, complete records: some that begin anew, some that resume sessions of the server at the port. */
export async function capturedHellos(port: number): Promise<readonly Buffer[]> {
  const resuming = ['TLSv1.2', 'TLSv1.3'] as const
  const options: ConnectionOptions[] = [...OFFERS]
  for (const version of resuming) {
    const fixed = { servername: 'public.test', minVersion: version, maxVersion: version }
    options.push({ ...fixed, session: await sessionOf(port, fixed) })
  }
  return options.map(helloOf)
}

function helloOf(options: ConnectionOptions): Buffer {
  const written: Buffer[] = []
  const nowhere = new Duplex({
    read: () => undefined,
    write: (bytes: Buffer, _encoding, done) => {
      written.push(Buffer.from(bytes))
      done()
    },
  })
  const socket = connect({ ...options, socket: nowhere })
  socket.on('error', () => undefined)
  socket.destroy()
  return Buffer.concat(written)
}

async function sessionOf(port: number, options: ConnectionOptions): Promise<Buffer> {
  const socket: TLSSocket = connect({ ...options, port, host: '127.0.0.1', rejectUnauthorized: false })
  socket.write('GET / HTTP/1.0\r\n\r\n')
  socket.resume()
  const [session] = await once(socket, 'session')
  socket.destroy()
  return session
}
