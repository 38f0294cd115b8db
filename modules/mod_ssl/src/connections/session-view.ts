import type { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import type { TlsView } from '@gatewright/api/peers'

/** Bits of the keys of ciphers by parts of their names; the first that is found applies. */
const KEY_BITS: readonly (readonly [string, number, number])[] = [
  ['AES_256', 256, 256],
  ['AES256', 256, 256],
  ['CHACHA20', 256, 256],
  ['CAMELLIA256', 256, 256],
  ['ARIA256', 256, 256],
  ['3DES', 112, 168],
  ['DES-CBC3', 112, 168],
]
const OTHER_BITS: readonly [string, number, number] = ['', 128, 128]

/** Describes a connection after its handshake; certificates are read when they are first asked for. */
export class SessionView implements TlsView {
  readonly protocol: string
  readonly cipher: string
  readonly sessionReused: boolean
  readonly serverName: string | null
  readonly clientCertificate: Uint8Array | null
  readonly clientChain: readonly Uint8Array[]
  readonly verifyResult: string
  readonly #socket: TLSSocket
  readonly #chain: readonly X509Certificate[]
  #sessionId: string | null = null
  #serverCertificate: Uint8Array | null | undefined

  /** @param verifyResult as {@link TlsView.verifyResult} */
  constructor(socket: TLSSocket, serverName: string | null, chain: readonly X509Certificate[], verifyResult: string) {
    this.#socket = socket
    this.#chain = chain
    this.protocol = socket.getProtocol() ?? ''
    this.cipher = socket.getCipher()?.name ?? ''
    this.sessionReused = socket.isSessionReused()
    this.serverName = serverName
    const [client, ...others] = chain
    this.clientCertificate = client === undefined ? null : client.raw
    this.clientChain = others.map(({ raw }) => raw)
    this.verifyResult = verifyResult
  }

  get cipherKeyBits(): number {
    return this.#bits()[1]
  }

  get cipherAlgorithmBits(): number {
    return this.#bits()[2]
  }

  get sessionId(): string {
    this.#sessionId ??= sessionIdIn(this.#socket.getSession())
    return this.#sessionId
  }

  get serverCertificate(): Uint8Array | null {
    if (this.#serverCertificate === undefined) this.#serverCertificate = this.#socket.getX509Certificate()?.raw ?? null
    return this.#serverCertificate
  }

  /** Reads what is read late, because the connection may be about to end. */
  readServer(): void {
    this.#serverCertificate = this.serverCertificate
    this.#sessionId = this.sessionId
  }

  /** The same connection with another result of verifying its client. */
  withResult(verifyResult: string): SessionView {
    return new SessionView(this.#socket, this.serverName, this.#chain, verifyResult)
  }

  /** The same connection without a certificate of its client. */
  withoutClient(verifyResult: string): SessionView {
    const view = new SessionView(this.#socket, this.serverName, [], verifyResult)
    view.readServer()
    return view
  }

  #bits(): readonly [string, number, number] {
    return KEY_BITS.find(([part]) => this.cipher.includes(part)) ?? OTHER_BITS
  }
}

/** The identifier in OpenSSL's DER form of a session: its fourth element. */
function sessionIdIn(session: Buffer | null | undefined): string {
  // Null comes from a socket that is closed.
  if (session === undefined || session === null) return ''
  let at = elementStart(session, 0)
  for (let index = 0; index < 3; index++) at = elementEnd(session, at)
  if (session[at] !== OCTET_STRING) return ''
  return session.toString('hex', elementStart(session, at), elementEnd(session, at))
}

const OCTET_STRING = 4

/** Where the contents of the element at an offset begin. */
function elementStart(der: Buffer, at: number): number {
  return at + 2 + ((der[at + 1] & 0x80) === 0 ? 0 : der[at + 1] & 0x7f)
}

function elementEnd(der: Buffer, at: number): number {
  const start = elementStart(der, at)
  const bytes = start - at - 2
  return start + (bytes === 0 ? der[at + 1] : der.readUIntBE(at + 2, Math.min(bytes, 4)))
}
