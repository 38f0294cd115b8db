import { connect } from 'node:net'
import { wireBytes } from '@gatewright/http'

export interface RawOptions {
  readonly host?: string
  /** Source address, to play another client of the loopback network. */
  readonly localAddress?: string
  /** Close the sending side after the bytes. */
  readonly end?: boolean
  /**
   * Milliseconds after which the exchange ends although the server has not closed the connection, for a
   * server that is expected to stay silent. A minute unless given.
   */
  readonly timeout?: number
}

/**
 * Sends bytes to a port and collects the answer until the server closes. Text is one byte per character: a
 * character above U+00FF is a TypeError.
 */
export function rawExchange(port: number, bytes: string, options: RawOptions = {}): Promise<string> {
  const { host = '127.0.0.1', localAddress, end = false, timeout = 60_000 } = options
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect({ host, port, localAddress })
    const finish = (): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(Buffer.concat(chunks).toString('latin1'))
    }
    const timer = setTimeout(finish, timeout)
    socket.on('connect', () => {
      socket.write(wireBytes(bytes))
      if (end) socket.end()
    })
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('end', finish)
    socket.on('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
  })
}
