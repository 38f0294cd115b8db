import { connect } from 'node:tls'
import type { Client } from './random-clients.ts'

/** Milliseconds after which a server does not answer. */
const LONGEST = 20_000
/** In TLS 1.3 a client learns after its handshake that its certificate is refused: it gives the server this time (ms). */
const MOMENT = 30

/** What a client gets: the status and the fields X-V1, X-V2 and so on, and X-VU, or the alert. */
export async function visit(port: number, { version, host, path, certificates, key }: Client): Promise<string> {
  const socket = connect({
    port,
    host: '127.0.0.1',
    servername: host,
    rejectUnauthorized: false,
    // What is weak is for the server to refuse.
    ciphers: 'DEFAULT@SECLEVEL=0',
    minVersion: version,
    maxVersion: version,
    ...(certificates !== null && { cert: certificates, key }),
  })
  socket.setTimeout(LONGEST, () => socket.destroy(new Error('no answer')))
  let text = ''
  let error = ''
  socket.on('data', (bytes: Buffer) => {
    text += bytes.toString('latin1')
  })
  socket.on('error', (reason) => {
    error = 'code' in reason && typeof reason.code === 'string' ? reason.code : reason.message
  })
  // An alert that comes at the end of the handshake would not end the socket.
  socket.on('_tlsError', (reason: Error) => socket.destroy(reason))
  socket.on('secureConnect', () => {
    setTimeout(() => socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`), MOMENT)
  })
  await new Promise((closed) => socket.on('close', closed))
  const status = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1]
  if (status === undefined) return `closed: ${error}`
  const fields = [...text.matchAll(/^(X-V[\dU]+: .*)\r$/gm)].map(([, field]) => field)
  return [status, ...fields].join('\n    ')
}
