import { connect } from 'node:net'
import { LAST } from './shape.ts'

/** Ms; a server that waits for more does not make a test wait. */
const PATIENCE = 120_000

/**
 * Sends a shape, the last request behind it and the end of the stream; answers with what a server said until it closed: of every
 * answer its status, and what was asked for if the server says so in X-Saw.
 * @throws when it does not close
 */
export function talk(address: string, port: number, bytes: string): Promise<string[]> {
  const { promise, resolve, reject } = Promise.withResolvers<string[]>()
  const chunks: Buffer[] = []
  const socket = connect({ host: address, port, allowHalfOpen: true })
  socket.setTimeout(PATIENCE, () => socket.destroy(new Error(`not closed after ${PATIENCE} ms: ${JSON.stringify(bytes)}`)))
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('end', () => socket.destroy())
  socket.on('error', reject)
  socket.on('close', () => resolve(answersIn(Buffer.concat(chunks).toString('latin1'))))
  socket.end(Buffer.from(bytes + LAST, 'latin1'))
  return promise
}

function answersIn(text: string): string[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n/g)].map(([, status, fields]) => {
    const saw = /^X-Saw: (.*)$/im.exec(fields)?.[1].trimEnd()
    return status === '400' || saw === undefined ? status : `${status} ${saw}`
  })
}
