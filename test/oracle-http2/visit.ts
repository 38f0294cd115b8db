import { type ClientHttp2Session, connect } from 'node:http2'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import type { Asked, Visit } from './random-world.ts'

/** Longer than RequestReadTimeout of the hosts. */
const STALL = 2_600
/** Milliseconds after which a server does not answer. */
const LONGEST = 15_000

/** Follows the status of hosts that limit the time of bodies. */
export const LIMITS_TIME = ' of a host that limits the time of bodies'

/** What each request got, in words; what the handshake chose, where it is not HTTP/2. */
export async function visit(address: string, port: number, { serverName, asked }: Visit, id: string): Promise<string[]> {
  const opened = await handshake(address, port, serverName)
  if (typeof opened === 'string') return [opened]
  const session = connect(`https://${address}:${port}`, { createConnection: () => opened })
  session.on('error', () => {})
  const answers: string[] = []
  for (const [index, one] of asked.entries()) answers.push(await answerTo(session, one, port, `${id}.${index}`))
  session.destroy()
  return answers
}

function handshake(address: string, port: number, serverName: string | null): Promise<TLSSocket | string> {
  return new Promise((resolve) => {
    const socket = connectTls({
      host: address,
      port,
      ...(serverName !== null && { servername: serverName }),
      rejectUnauthorized: false,
      ALPNProtocols: ['h2', 'http/1.1'],
    })
    socket.on('error', () => resolve('no handshake'))
    socket.on('secureConnect', () => {
      if (socket.alpnProtocol === 'h2') return resolve(socket)
      resolve(`alpn ${socket.alpnProtocol}`)
      socket.destroy()
    })
  })
}

async function answerTo(session: ClientHttp2Session, asked: Asked, port: number, id: string): Promise<string> {
  if (session.destroyed || session.closed) return 'the connection has ended'
  const { authority, method, path, body, statesLength, stalls } = asked
  const stream = session.request(
    {
      ':authority': authority.replace('@PORT@', String(port)),
      ':method': method,
      ':path': path,
      'x-id': id,
      ...(body !== null && statesLength && { 'content-length': String(body.join('').length) }),
    },
    { endStream: body === null },
  )
  let status = 'none'
  let text = ''
  stream.on('response', (head) => {
    status = `${head[':status']}${head['x-limits-time'] === undefined ? '' : LIMITS_TIME}`
  })
  stream.setEncoding('latin1').on('data', (part: string) => {
    text += part
  })
  stream.on('error', () => {})
  const ended = new Promise<void>((resolve) => stream.on('close', () => resolve()))
  const patience = setTimeout(() => stream.destroy(), LONGEST)
  for (const [index, part] of (body ?? []).entries()) {
    if (stalls && index === (body ?? []).length - 1) await Promise.race([pause(STALL), ended])
    if (stream.closed || stream.destroyed) break
    stream.write(part)
  }
  if (!stream.closed && !stream.destroyed) stream.end()
  await ended
  clearTimeout(patience)
  // Error pages are each server's own.
  return `${status}${status.startsWith('200') ? ` ${text.trim()}` : ''}${stream.rstCode === 0 ? '' : ` reset ${stream.rstCode}`}`
}
