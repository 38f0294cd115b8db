import { constants } from 'node:crypto'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import type { Owner } from '../fixtures/staged-server.ts'
import type { Approach } from './approach.ts'
import { ClientProxy } from './client-proxy.ts'
import { slowAtFirst } from './slow-handshake.ts'
import type { Membership, TlsHost, TlsHosts } from './tls-hosts.ts'

/** What distinguishes the connections of a client. */
export interface TlsVariant {
  readonly host: TlsHost
  readonly version: 'TLSv1.2' | 'TLSv1.3'
  /** By what the client resumes its sessions. */
  readonly resumes: 'nothing' | 'ticket' | 'identifier'
  /** Whether its handshakes arrive in small pieces. */
  readonly isSlow?: true
}

/** All kinds of clients. The clients of a mix have them one after the other. */
export const TLS_VARIANTS: readonly TlsVariant[] = [
  { host: 'public.test', version: 'TLSv1.2', resumes: 'nothing' },
  { host: 'public.test', version: 'TLSv1.3', resumes: 'nothing' },
  { host: 'public.test', version: 'TLSv1.2', resumes: 'ticket' },
  { host: 'public.test', version: 'TLSv1.3', resumes: 'ticket' },
  { host: 'public.test', version: 'TLSv1.2', resumes: 'identifier' },
  { host: 'stateful.test', version: 'TLSv1.2', resumes: 'identifier' },
  { host: 'stateful.test', version: 'TLSv1.3', resumes: 'identifier' },
  { host: 'members.test', version: 'TLSv1.2', resumes: 'nothing' },
  { host: 'members.test', version: 'TLSv1.3', resumes: 'nothing' },
  { host: 'members.test', version: 'TLSv1.2', resumes: 'ticket' },
  { host: 'members.test', version: 'TLSv1.3', resumes: 'ticket' },
  { host: 'members.test', version: 'TLSv1.2', resumes: 'identifier' },
  { host: 'public.test', version: 'TLSv1.2', resumes: 'nothing', isSlow: true },
  { host: 'members.test', version: 'TLSv1.3', resumes: 'ticket', isSlow: true },
]

/** About the length of what a client sends in a handshake. */
const HANDSHAKE_BYTES = 1500

/** A handshake that a client has completed. */
export interface Shaken {
  readonly variant: TlsVariant
  /** How often the configuration had been loaded when it began. */
  readonly begunIn: number
  /** How often it had been loaded when the session was made; null for a full handshake. */
  readonly sessionOf: number | null
  /** The common name of the server's certificate; that of the first handshake in a resumed one. */
  readonly commonName: string
}

/** Clients that visit the hosts by TLS, and keep a record of their handshakes. */
export class TlsVisitors {
  readonly handshakes: Shaken[] = []
  readonly #port: number
  /** To which the slow ones connect. */
  readonly #slowPort: number
  readonly #hosts: TlsHosts
  readonly #generation: () => number
  readonly #certificates = new Map<Membership, { readonly cert: string; readonly key: string }>()
  readonly #trusted: string

  /** @param generation how often the configuration has been loaded */
  static async make(owner: Owner, port: number, hosts: TlsHosts, generation: () => number): Promise<TlsVisitors> {
    const proxy = await ClientProxy.start(port, (server) => slowAtFirst(server, HANDSHAKE_BYTES))
    owner.teardown(async () => proxy.close())
    return new TlsVisitors(port, proxy.port, hosts, generation)
  }

  private constructor(port: number, slowPort: number, hosts: TlsHosts, generation: () => number) {
    this.#port = port
    this.#slowPort = slowPort
    this.#hosts = hosts
    this.#generation = generation
    this.#trusted = hosts.trusted()
  }

  /** One client, which remembers its session. */
  approach(client: number): Approach {
    const variant = TLS_VARIANTS[client % TLS_VARIANTS.length]
    let known: { readonly session: Buffer; readonly madeIn: number } | null = null
    const open = (): TLSSocket => {
      const begunIn = this.#generation()
      const offered = variant.resumes === 'nothing' ? null : known
      const socket = this.open(variant, 'member', offered === null ? {} : { session: offered.session })
      socket.on('session', (session) => {
        known = { session, madeIn: this.#generation() }
      })
      socket.on('secureConnect', () => {
        const { CN: commonName = '' } = socket.getPeerCertificate().subject ?? {}
        const sessionOf = socket.isSessionReused() ? (offered?.madeIn ?? null) : null
        this.handshakes.push({ variant, begunIn, sessionOf, commonName: String(commonName) })
      })
      return socket
    }
    return { host: variant.host, open }
  }

  /** Begins a connection that nothing is recorded of. */
  open({ host, version, resumes, isSlow }: TlsVariant, membership: Membership, more: ConnectionOptions): TLSSocket {
    const socket = connect({
      host: '127.0.0.1',
      port: isSlow ? this.#slowPort : this.#port,
      ca: this.#trusted,
      servername: host,
      minVersion: version,
      maxVersion: version,
      ...(resumes === 'identifier' && version === 'TLSv1.2' && { secureOptions: constants.SSL_OP_NO_TICKET }),
      ...(host === 'members.test' && this.#certificateOf(membership)),
      ...more,
    })
    socket.setNoDelay(true)
    return socket
  }

  #certificateOf(membership: Membership): { readonly cert: string; readonly key: string } {
    let certificate = this.#certificates.get(membership)
    if (certificate === undefined) {
      certificate = this.#hosts.client(membership)
      this.#certificates.set(membership, certificate)
    }
    return certificate
  }
}
