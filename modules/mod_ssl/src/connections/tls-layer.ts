import type { Socket } from 'node:net'
import { type SecureContext, TLSSocket } from 'node:tls'
import type { Connection, ConnectionLayer, LayerSink, MaybePromise, ModuleLog, Server, Slot } from '@gatewright/api'
import type { ClientHello } from '../client-hello.ts'
import { ClientHelloReader } from '../client-hello-reader.ts'
import { checkStatus, needsStatus } from '../ocsp/check-client.ts'
import type { PreparedServer } from '../start/prepare-server.ts'
import type { PreparedServers } from '../start/prepare-servers.ts'
import { HandshakeAlert } from './alerts.ts'
import type { HandshakeAids } from './handshake-aids.ts'
import { HandshakeTurns } from './handshake-turns.ts'
import { Handshakes } from './handshakes.ts'
import { logVerification } from './log-verification.ts'
import { offerSession, staple } from './node-tls.ts'
import { judgeResumed } from './resumed-client.ts'
import type { SecureContexts } from './secure-contexts.ts'
import { type SessionClients, sessionClients } from './session-clients.ts'
import { SessionView } from './session-view.ts'
import { STRICTNESS, strictnessOf } from './strictness.ts'
import type { TakenConnection } from './tls-connection.ts'
import { type ClientVerdict, clientRules, judgeClient, TRUSTED_RESULT } from './verify-client.ts'

/** What the engine reads in the place of plain HTTP, whatever the client asked for. */
const PLAIN_REQUEST = Buffer.from('GET / HTTP/1.0\r\n\r\n')
const HTTP_1_1 = 'http/1.1'
/** Of a connection that is not asked for a certificate. */
const NO_CLIENT: ClientVerdict = { accepted: true, chain: [], result: TRUSTED_RESULT }
const END_OF_FILE = { code: 70014, text: 'End of file found' }

/** What connections are secured with. */
export interface TlsLayerParts {
  /** Null before postConfig. */
  prepared(): PreparedServers | null
  readonly contexts: SecureContexts
  readonly connections: Slot<Connection, TakenConnection>
  readonly log: ModuleLog
  /** As {@link chooseProtocol}; null if what the client offers is not possible. */
  chooseProtocol(connection: Connection, server: Server, hello: ClientHello): string | null
  /** What is to be known before a handshake; never rejects. */
  aids(prepared: PreparedServer, hello: ClientHello): MaybePromise<HandshakeAids>
  /** The context of a certificate that a module presents on a connection that speaks its protocol; null for none. */
  challengeContext(connection: Connection, protocol: string, hello: ClientHello | null): SecureContext | null
}

/** Takes the connections of servers with SSLEngine on, and makes their handshakes. */
export class TlsLayer implements ConnectionLayer {
  readonly #parts: TlsLayerParts
  readonly #turns = new HandshakeTurns()
  #accepted = 0

  constructor(parts: TlsLayerParts) {
    this.#parts = parts
  }

  open(socket: Socket, connection: Connection, sink: LayerSink): boolean {
    const base = this.#parts.prepared()?.servers.get(connection.baseServer)
    if (base === undefined) return false
    const number = this.#accepted++
    new Handshake(this.#parts, this.#turns, { socket, connection, sink, base, number }).begin()
    return true
  }
}

interface Accepted {
  readonly socket: Socket
  readonly connection: Connection
  readonly sink: LayerSink
  /** Of the first server of the address. */
  readonly base: PreparedServer
  readonly number: number
}

/** What a handshake has found about the client. */
interface SecuredClient {
  readonly serverName: string | null
  readonly chain: Extract<ClientVerdict, { accepted: true }>['chain']
  readonly result: Extract<ClientVerdict, { accepted: true }>['result']
  readonly context: SecureContext
  /** Whose sessions may be resumed; null without certificates of clients. */
  readonly clients: SessionClients | null
}

/** One connection until it is secured, or closed. */
class Handshake {
  readonly #parts: TlsLayerParts
  readonly #turns: HandshakeTurns
  readonly #accepted: Accepted
  /** Null after the ClientHello. */
  #reader: ClientHelloReader | null = new ClientHelloReader()
  #over = false

  constructor(parts: TlsLayerParts, turns: HandshakeTurns, accepted: Accepted) {
    this.#parts = parts
    this.#turns = turns
    this.#accepted = accepted
  }

  begin(): void {
    const { socket, base, number } = this.#accepted
    this.#log('info', 'AH01964', `Connection to child ${number} established (server ${base.id})`)
    socket.on('data', this.#onBytes)
    socket.on('end', this.#onEarlyEnd)
    socket.on('close', this.#onEarlyClose)
  }

  readonly #onBytes = (bytes: Buffer): void => {
    const reader = this.#reader
    if (reader === null) return
    const found = reader.read(bytes)
    switch (found.kind) {
      case 'incomplete':
        return
      case 'plain-http':
        return this.#speakPlain()
      case 'not-tls':
      case 'bad-name':
      case 'too-long':
        return this.#failed()
      case 'hello':
        return this.#attempt(() => this.#waitForTurn(found.hello, reader))
      default:
        // OpenSSL sends the alert.
        return this.#attempt(() => this.#waitForTurn(null, reader))
    }
  }

  readonly #onEarlyEnd = (): void => this.#stopped()

  readonly #onEarlyClose = (): void => {
    const { readableEnded, errored } = this.#accepted.socket
    if (readableEnded || errored !== null) this.#stopped()
    else this.#closedHere()
  }

  /** The host has closed the connection: the handshake took too long. */
  #closedHere(tls: TLSSocket | null = null): void {
    if (this.#over) return
    this.#over = true
    this.#end(tls)
  }

  #leaveSocket(): void {
    const { socket } = this.#accepted
    socket.off('data', this.#onBytes)
    socket.off('end', this.#onEarlyEnd)
    socket.off('close', this.#onEarlyClose)
  }

  #speakPlain(): void {
    const { socket, connection, sink } = this.#accepted
    this.#over = true
    this.#leaveSocket()
    this.#log('info', 'AH01996', 'SSL handshake failed: HTTP spoken on HTTPS port; trying to send HTML error page')
    this.#parts.connections.set(connection, { kind: 'plain' })
    sink.ready(socket, PLAIN_REQUEST, 'http')
  }

  /** An error of a module, or of OpenSSL, ends this connection alone. */
  #attempt(step: () => void): void {
    try {
      step()
    } catch (error) {
      const reason = error instanceof Error ? error : new Error(String(error))
      this.#parts.log.write(this.#accepted.connection, 'crit', '', 'the handshake could not be begun', reason)
      this.#failed(reason)
    }
  }

  #waitForTurn(hello: ClientHello | null, reader: ClientHelloReader): void {
    const { socket } = this.#accepted
    this.#leaveSocket()
    socket.pause()
    socket.unshift(reader.bytes())
    this.#reader = null
    const server = this.#chosenServer(hello)
    const prepared = this.#parts.prepared()?.servers.get(server) ?? this.#accepted.base
    const aids = hello === null ? {} : this.#parts.aids(prepared, hello)
    const begin = (found: HandshakeAids): void => this.#attempt(() => this.#secure(hello, server, prepared, found))
    const secure = (found: HandshakeAids): void => this.#turns.take(() => begin(found))
    if (aids instanceof Promise) void aids.then(secure)
    else secure(aids)
  }

  #secure(hello: ClientHello | null, server: Server, prepared: PreparedServer, aids: HandshakeAids): void {
    const { socket, connection } = this.#accepted
    if (socket.destroyed) return this.#stopped()
    const rules = clientRules(prepared)
    const strictness = strictnessOf(rules.verifyClient)
    const context = this.#parts.contexts.of(prepared)
    const isOffered = hello !== null && hello.protocols.length > 0
    // HTTP/1.1 where nothing is possible that the client offers: OpenSSL sends the alert no_application_protocol.
    const protocol = (isOffered ? this.#parts.chooseProtocol(connection, server, hello) : null) ?? HTTP_1_1
    const challenge = protocol === HTTP_1_1 ? null : this.#parts.challengeContext(connection, protocol, hello)
    const tls = new TLSSocket(socket, {
      isServer: true,
      secureContext: challenge ?? context,
      requestCert: strictness !== STRICTNESS.none && challenge === null,
      // Whether one that was sent is good is judged after the handshake.
      rejectUnauthorized: strictness === STRICTNESS.require && challenge === null,
      ...(isOffered && { ALPNProtocols: [protocol] }),
      ...(aids.storing !== undefined && challenge === null && { server: aids.storing }),
    })
    if (aids.session !== undefined && challenge === null) offerSession(tls, aids.session)
    if (aids.staple !== undefined && challenge === null) staple(tls, aids.staple)
    const alert = strictness === STRICTNESS.none || challenge !== null ? null : new HandshakeAlert(tls, socket)
    const clients = challenge === null ? sessionClients(prepared) : null
    clients?.begin(tls)
    this.#watch(tls)
    const serverName = hello?.serverName ?? null
    tls.once('secure', () => {
      if (this.#over) return
      tls.removeAllListeners('end')
      const verdict = challenge === null ? judgeResumed(tls, prepared, judgeClient(tls, rules), Date.now()) : NO_CLIENT
      // After a while, the rest of the handshake is sent, and an alert would come too late.
      const decide = (final: ClientVerdict): void => {
        const accepted = this.#decide(final, tls, prepared, final === verdict ? alert : null)
        if (accepted === null) return
        this.#register(tls, server, prepared, { ...accepted, serverName, context, clients })
        this.#accepted.sink.speak(protocol, tls, server)
      }
      if (verdict.accepted) {
        alert?.forget()
        clients?.end(tls)
      } else clients?.refuse(tls)
      if (needsStatus(prepared, verdict)) void checkStatus(prepared, verdict, connection, this.#parts.log).then(decide)
      else decide(verdict)
    })
  }

  /** A function of its own, because what it registers persists, and with it all that surrounds it. */
  #watch(tls: TLSSocket): void {
    tls.on('error', (error) => this.#failed(error, tls))
    tls.on('end', () => this.#stopped(tls))
    tls.on('close', () => this.#closedHere(tls))
  }

  /** Records what modules may ask about the connection. A function of its own for the same reason. */
  #register(tls: TLSSocket, server: Server, prepared: PreparedServer, client: SecuredClient): void {
    const { connection, socket } = this.#accepted
    const { verifyClient, verifyDepth } = clientRules(prepared)
    const source = { context: client.context, ciphers: prepared.context.ciphers ?? '', clients: client.clients }
    this.#parts.connections.set(connection, {
      kind: 'secured',
      socket: tls,
      server,
      prepared,
      handshakes: new Handshakes(tls, socket, source, () => this.#refused()),
      rules: {
        strictness: strictnessOf(verifyClient),
        verifyDepth,
        cipherList: prepared.settings.authentication.cipherList,
      },
      view: new SessionView(tls, client.serverName, client.chain, client.result),
      refusedIn: null,
      logAbort: () => this.#logAbort(),
    })
  }

  /** @returns null if the client is refused, or has left */
  #decide(
    verdict: ClientVerdict,
    tls: TLSSocket,
    prepared: PreparedServer,
    alert: HandshakeAlert | null,
  ): Extract<ClientVerdict, { accepted: true }> | null {
    if (this.#over) return null
    this.#over = true
    if (!verdict.accepted) {
      logVerification(this.#parts.log, this.#accepted.connection, verdict)
      this.#log('info', 'AH02008', `SSL library error 1 in handshake (server ${prepared.id})`)
      alert?.send(verdict.error)
      tls.destroy()
      this.#logAbort()
      return null
    }
    if (verdict.result !== TRUSTED_RESULT) {
      const text =
        'SSL client authentication failed, accepting certificate based on "SSLVerifyClient optional_no_ca" configuration'
      this.#log('info', 'AH02009', text)
    }
    return verdict
  }

  /** By SNI; without it, or if no server has the name, the first of the address. */
  #chosenServer(hello: ClientHello | null): Server {
    const { connection } = this.#accepted
    const name = hello?.serverName
    return (name === undefined ? undefined : connection.serverNamed(name.toLowerCase())) ?? connection.baseServer
  }

  /** The client closed the connection. */
  #stopped(tls: TLSSocket | null = null): void {
    if (this.#over) return
    this.#over = true
    this.#log('info', 'AH02006', 'SSL handshake stopped: connection was closed', END_OF_FILE)
    this.#end(tls)
  }

  #failed(error: Error | null = null, tls: TLSSocket | null = null): void {
    if (this.#over) return
    this.#over = true
    const { base } = this.#accepted
    this.#log('info', 'AH02008', `SSL library error 1 in handshake (server ${base.id})`)
    if (error !== null) this.#parts.log.write(null, 'info', '', `SSL Library Error: ${error.message}`)
    this.#end(tls)
  }

  /** The client began another handshake: OpenSSL refuses that in httpd. */
  #refused(): void {
    this.#log('info', 'AH01992', 'SSL library error 1 reading data')
    this.#logAbort()
  }

  #end(tls: TLSSocket | null): void {
    this.#leaveSocket()
    if (tls === null) this.#accepted.socket.destroy()
    else tls.destroy()
    this.#logAbort()
  }

  #logAbort(): void {
    const { base, number } = this.#accepted
    this.#log('info', 'AH01998', `Connection closed to child ${number} with abortive shutdown (server ${base.id})`)
  }

  #log(level: 'info', code: string, text: string, cause?: typeof END_OF_FILE): void {
    this.#parts.log.write(this.#accepted.connection, level, code, text, cause)
  }
}
