import { createServer, type Server, type Socket } from 'node:net'
import type { ProxyServer } from './proxy-server.ts'
import { exchange, responsesIn } from './raw-client.ts'
import { isMixed } from './requests.ts'
import { RESPONSE_SHAPES } from './response-shapes.ts'

/** What became of a malformed response. */
export type ResponseFate =
  /** The client got one response from the front with what the backend said. */
  | 'passed'
  /** The front replaced it by an error, or ended the connection. */
  | 'rejected'
  /** The client got another response than it asked for, or a head that two clients divide into lines differently. */
  | 'split'
  /** Another client got a wrong response, or none. */
  | 'mixed'

/** A backend that answers `/shape-N` with the shape of that number, and other requests with what it was asked for. */
export class LyingBackend {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(server: Server) {
    this.#server = server
    server.on('connection', (socket) => this.#serve(socket))
  }

  static async start(port: number): Promise<LyingBackend> {
    const server = createServer()
    const backend = new LyingBackend(server)
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
    return backend
  }

  stop(): void {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
  }

  #serve(socket: Socket): void {
    let waiting = ''
    this.#sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('data', (chunk) => {
      waiting += chunk.toString('latin1')
      for (let end = waiting.indexOf('\r\n\r\n'); end >= 0; end = waiting.indexOf('\r\n\r\n')) {
        const [method, target] = waiting.split(' ')
        waiting = waiting.slice(end + 4)
        this.#answer(socket, method, target)
      }
    })
  }

  #answer(socket: Socket, method: string, target: string): void {
    const number = /^\/shape-(\d+)$/.exec(target)?.[1]
    if (number === undefined) {
      const length = method === 'HEAD' ? '' : 'page'
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 4\r\nX-Saw: ${method} ${target}\r\n\r\n${length}`)
      return
    }
    const { bytes, closes = false } = RESPONSE_SHAPES[Number(number)]
    const octets = Buffer.from(bytes, 'latin1')
    if (closes) socket.end(octets)
    else socket.write(octets)
  }
}

/** Asks the front for a shape and, on the same connection, for something else; then other clients ask. */
export async function fateOfResponse(front: ProxyServer, number: number): Promise<ResponseFate> {
  const { method = 'GET' } = RESPONSE_SHAPES[number]
  const next = `/victim-next-${number}`
  const text = await exchange(
    front.port,
    `${method} /shape-${number} HTTP/1.1\r\nHost: h\r\n\r\nGET ${next} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`,
  )
  const [first, second, ...others] = responsesIn(text, [method, 'GET'])
  if (await isMixed(front, `r${number}`)) return 'mixed'
  if (others.length > 0 || hasStrayControl(text) || first?.fields.get('x-saw') === 'FORGED') return 'split'
  if (second !== undefined && second.fields.get('x-saw') !== `GET ${next}`) return 'split'
  return first === undefined || first.status === 0 || first.status >= 500 ? 'rejected' : 'passed'
}

/** NUL, or CR and LF apart from each other, in the head of the first response. */
function hasStrayControl(text: string): boolean {
  const head = text.slice(0, text.indexOf('\r\n\r\n'))
  return head.includes('\0') || /\r(?!\n)|(?<!\r)\n/.test(head)
}
