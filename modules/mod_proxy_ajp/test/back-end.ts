import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import type { Test } from 'tap'

/** A packet of a back end. */
export function packet(content: Buffer | string): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content
  const header = Buffer.from('AB\0\0')
  header.writeUInt16BE(bytes.length, 2)
  return Buffer.concat([header, bytes])
}

const uint16 = (value: number): string => String.fromCharCode(value >> 8, value & 0xff)
const text = (value: string): string => `${uint16(value.length)}${value}\0`

/** The head of a response. Names may be codes. */
export function head(status: number, reason: string, fields: readonly (readonly [string | number, string])[] = []): Buffer {
  const lines = fields.map(([name, value]) => (typeof name === 'number' ? uint16(name) : text(name)) + text(value))
  return packet(`\x04${uint16(status)}${text(reason)}${uint16(fields.length)}${lines.join('')}`)
}

export const chunk = (body: string): Buffer => packet(`\x03${uint16(body.length)}${body}\0`)
export const ask = (): Buffer => packet(`\x06${uint16(8186)}`)
export const end = (isReusable = true): Buffer => packet(isReusable ? '\x05\x01' : '\x05\0')

/** A back end that calls a function for each packet it receives, without its header. It checks their signature. */
export interface BackEnd {
  readonly port: number
  /** The packets, as latin1. */
  readonly seen: string[]
  readonly figures: { connections: number; closed: number }
}

export async function backEnd(t: Test, reply: (socket: Socket, content: Buffer) => void): Promise<BackEnd> {
  const seen: string[] = []
  const figures = { connections: 0, closed: 0 }
  const server = createServer((socket) => {
    figures.connections++
    let rest = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('close', () => figures.closed++)
    socket.on('data', (part) => {
      rest = Buffer.concat([rest, Buffer.from(part)])
      while (rest.length >= 4 && rest.length >= 4 + rest.readUInt16BE(2)) {
        if (rest.readUInt16BE(0) !== 0x1234) return socket.destroy()
        const content = rest.subarray(4, 4 + rest.readUInt16BE(2))
        rest = rest.subarray(4 + content.length)
        seen.push(content.toString('latin1'))
        reply(socket, content)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void server.close())
  const address = server.address()
  return { port: typeof address === 'object' && address !== null ? address.port : 0, seen, figures }
}
