import { connect as connectPlain, type Socket } from 'node:net'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { connect, type TLSSocket } from 'node:tls'
import { ClientProxy } from '../load/client-proxy.ts'
import type { Attack, BytesAttack, ClientAttack, Ending } from './attack.ts'
import { withDamage } from './damaged-records.ts'

/** A server that does not close a connection within this time (ms) never does: its own limits are far shorter. */
const PATIENCE = 90_000
/** A server that takes so many bytes of a handshake, or so many pieces, takes all. */
const MOST_BYTES = 4 * 1024 * 1024
const MOST_WRITES = 20_000
/** A connection that the server refuses ends within this time (ms), before the time for its handshake is over. */
const SOON = 15_000
/** What is kept of an answer. */
const KEPT = 4096
/** Milliseconds that an attacker waits for answers before it leaves. */
const MOMENT = 20

/** What the server is attacked through. */
export interface Target {
  readonly tlsPort: number
  readonly plainPort: number
  readonly certificate: { readonly cert: string; readonly key: string }
  /** Begins the contents of every file that the server serves. */
  readonly secret: string
}

/** Attacks once. @returns what the server did wrong, or null */
export async function attack(attacked: Attack, target: Target): Promise<string | null> {
  return attacked.kind === 'bytes' ? sendBytes(attacked, target) : beClient(attacked, target)
}

async function sendBytes({ pieces, endless, ending, answer, port }: BytesAttack, target: Target): Promise<string | null> {
  const socket = connectPlain({ host: '127.0.0.1', port: port === 'tls' ? target.tlsPort : target.plainPort, noDelay: true })
  const session = new Exchange(socket, target.secret)
  for (const piece of pieces) {
    if (session.isOver) break
    socket.write(piece)
    await turn()
  }
  if (endless !== null) {
    let sent = 0
    for (let writes = 0; !session.isOver && sent < MOST_BYTES && writes < MOST_WRITES; writes++) {
      const block = Buffer.concat(Array.from({ length: 32 }, () => endless))
      sent += block.length
      await new Promise((written) => socket.write(block, written))
      // A write that the system takes at once leaves no time for the end of the connection.
      await turn()
    }
    if (!session.isOver && !(await session.endsWithin(SOON))) {
      socket.destroy()
      return `took ${sent} bytes of a handshake`
    }
  }
  const isEnded = await session.leave(ending)
  if (session.answer.includes(target.secret)) return `sent a file without TLS: ${session.answer.slice(0, 60)}`
  if (!isEnded) return 'did not close the connection'
  // A reset that overtakes the answer leaves nothing to read.
  if (answer !== null && !session.wasReset && !session.answer.startsWith(answer)) {
    return `answered ${JSON.stringify(session.answer.slice(0, 60))} instead of ${answer}`
  }
  return null
}

async function beClient(attacked: ClientAttack, target: Target): Promise<string | null> {
  const sessions: Exchange[] = []
  const proxy = await ClientProxy.start(target.tlsPort, (server) => {
    sessions.push(new Exchange(server, target.secret))
    return withDamage(server, attacked.damage, () => void (attacked.ending === 'wait' || server.end()))
  })
  const tls: TLSSocket = connect({
    host: '127.0.0.1',
    port: proxy.port,
    servername: attacked.host,
    minVersion: attacked.version,
    maxVersion: attacked.version,
    rejectUnauthorized: false,
    ...(attacked.protocols.length > 0 && { ALPNProtocols: [...attacked.protocols] }),
    ...(attacked.hasCertificate && target.certificate),
  })
  tls.on('error', () => undefined)
  tls.on('data', () => undefined)
  tls.on('secureConnect', () => renegotiate(tls, attacked.renegotiations))
  if (attacked.text !== '') tls.write(attacked.text)
  if (attacked.ending !== 'wait') await pause(MOMENT)
  while (sessions.length === 0) await turn()
  const isEnded = await sessions[0].leave(attacked.ending)
  tls.destroy()
  proxy.close()
  return isEnded ? null : 'did not close the connection'
}

function renegotiate(tls: TLSSocket, times: number): void {
  if (times === 0 || tls.destroyed) return
  tls.renegotiate({ rejectUnauthorized: false }, (error) => {
    if (error === null) renegotiate(tls, times - 1)
  })
}

/** The bytes of one connection. */
class Exchange {
  readonly #socket: Socket
  readonly #closed: Promise<void>
  #isOver = false
  answer = ''
  wasReset = false

  /** @param secret nothing is waited for when it has been sent in the clear */
  constructor(socket: Socket, secret: string) {
    this.#socket = socket
    this.#closed = new Promise((closed) => {
      const end = (): void => {
        this.#isOver = true
        closed()
      }
      socket.on('end', end)
      socket.on('close', end)
      socket.on('data', (bytes) => {
        if (this.answer.length < KEPT) this.answer += bytes.toString('latin1')
        if (this.answer.includes(secret)) closed()
      })
    })
    socket.on('error', () => {
      this.wasReset = true
    })
  }

  /** The server has ended the connection. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Waits for the end. @returns false if it does not come in so many milliseconds */
  async endsWithin(limit: number): Promise<boolean> {
    const timeout = new AbortController()
    const late = pause(limit, undefined, { signal: timeout.signal }).catch(() => undefined)
    await Promise.race([this.#closed, late])
    timeout.abort()
    return this.#isOver
  }

  /** @returns false if the server should have ended the connection and has not */
  async leave(ending: Ending): Promise<boolean> {
    if (ending === 'reset') this.#socket.resetAndDestroy()
    if (ending === 'close') this.#socket.end()
    if (ending !== 'reset') await this.endsWithin(PATIENCE)
    this.#socket.destroy()
    return ending === 'reset' || this.#isOver
  }
}
