import { connect, type Socket } from 'node:net'
import type { Connection } from '@gatewright/api'

/** What httpd logs for a client whose machine gives no answer. */
const UNKNOWN = 'unknown'

/** RFC 1413 section 3. */
const IDENT_PORT = 113

/** In bytes; an answer of RFC 1413 is shorter. */
const ANSWER_LIMIT = 1024

/** In bytes, as in httpd. */
const NAME_LIMIT = 512

/** The addresses and ports that the question is about. */
export type IdentPeer = Pick<Connection, 'remoteAddress' | 'remotePort' | 'localAddress' | 'localPort'>

/** Receives the reason why there is no answer. */
type Report = (text: string, error?: Error) => void

/**
 * The user at the other end of a connection according to the ident service of its machine; `unknown` if it does not say.
 * @param timeout in milliseconds, for the whole exchange
 */
export function remoteUser(peer: IdentPeer, timeout: number, report: Report, port: number = IDENT_PORT): Promise<string> {
  return new Promise((resolve) => {
    const socket: Socket = connect({ host: peer.remoteAddress, port, localAddress: peer.localAddress })
    let answer = ''
    const end = (reason: string | null, error?: Error): void => {
      clearTimeout(timer)
      socket.destroy()
      if (reason !== null) report(reason, error)
      resolve(reason === null ? (userIn(answer, peer) ?? UNKNOWN) : UNKNOWN)
    }
    const timer = setTimeout(() => end('rfc1413: no answer in time'), timeout)
    socket.setEncoding('latin1')
    socket.on('connect', () => socket.write(`${peer.remotePort},${peer.localPort}\r\n`))
    socket.on('data', (text: string) => {
      answer += text
      if (answer.includes('\n') || answer.length > ANSWER_LIMIT) end(null)
    })
    socket.on('end', () => end(null))
    socket.on('error', (error) => end('rfc1413: the ident service cannot be reached', error))
  })
}

/** The user in a line `PORT , PORT : USERID : SYSTEM : USER`, if the ports are those of the question. */
function userIn(answer: string, { remotePort, localPort }: IdentPeer): string | null {
  const match = /^\s*(\d+)\s*,\s*(\d+)\s*:\s*USERID\s*:[^:]*:\s*(\S+)/.exec(answer)
  if (match === null || Number(match[1]) !== remotePort || Number(match[2]) !== localPort) return null
  return match[3].slice(0, NAME_LIMIT)
}
