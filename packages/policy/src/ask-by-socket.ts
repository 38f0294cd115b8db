import type { Duplex } from 'node:stream'
import { connect, type TLSSocket } from 'node:tls'
import type { DecisionTracer } from '@gatewright/api/tracing'
import { type InjectedResponse, readResponse, type WorkerServer } from '@gatewright/core'
import { type SimulatedEnds, simulatedSocket } from './simulated-socket.ts'
import type { TlsHandshake, TlsQuestion } from './tls-question.ts'

/** An answer over a connection in memory. */
export interface SocketReply {
  /** Status 0 if the connection ended without an answer. */
  readonly response: InjectedResponse
  /** Null without TLS. */
  readonly handshake: TlsHandshake | null
}

/** What is sent. */
export interface SocketRequest {
  /** The whole request, one byte per character. It ends the connection. */
  readonly text: string
  readonly ends: SimulatedEnds
  /** Null sends it in the clear. */
  readonly tls: TlsQuestion | null
  readonly tracer: DecisionTracer
}

/** A server that does not answer in this time (ms) never does. */
const PATIENCE = 20_000

/**
 * Sends a request through everything that takes a connection on its way to the server: layers of modules see it as
 * they see that of a client.
 */
export async function askBySocket(worker: WorkerServer, { text, ends, tls, tracer }: SocketRequest): Promise<SocketReply> {
  const { server, client } = simulatedSocket(ends)
  const expired = setTimeout(() => client.destroy(new Error('no answer')), PATIENCE)
  worker.simulate(server, tracer)
  try {
    if (tls === null) {
      client.on('error', () => undefined)
      const answer = textOf(client)
      client.write(text, 'latin1')
      return { response: readResponse(await answer), handshake: null }
    }
    return await askSecured(client, tls, text)
  } finally {
    clearTimeout(expired)
    client.destroy()
    server.destroy()
  }
}

async function askSecured(client: Duplex, tls: TlsQuestion, text: string): Promise<SocketReply> {
  const socket = connect({
    socket: client,
    rejectUnauthorized: false,
    ...(tls.serverName !== null && { servername: tls.serverName }),
    ...(tls.version !== null && { minVersion: tls.version, maxVersion: tls.version }),
    ...(tls.ciphers !== null && { ciphers: tls.ciphers }),
    ...(tls.certificate !== null && { cert: tls.certificate.pem, key: tls.certificate.pem }),
  })
  const state = { failure: '', protocol: '', cipher: '', serverCertificate: null as Uint8Array | null }
  socket.on('error', (error) => {
    state.failure ||= failureText(error)
  })
  socket.on('secureConnect', () => {
    Object.assign(state, describe(socket))
    socket.write(text, 'latin1')
  })
  const response = readResponse(await textOf(socket))
  if (response.status === 0) state.failure ||= 'the server closed the connection'
  return { response, handshake: { ...state, failure: response.status === 0 ? state.failure : '' } }
}

function describe(socket: TLSSocket): Omit<TlsHandshake, 'failure'> {
  return {
    protocol: socket.getProtocol() ?? '',
    cipher: socket.getCipher()?.name ?? '',
    serverCertificate: socket.getPeerX509Certificate()?.raw ?? null,
  }
}

/** OpenSSL's reason: `tlsv13 alert certificate required`. */
function failureText(error: Error): string {
  if ('code' in error && error.code === 'ECONNRESET') return 'the server ended the handshake'
  const reason = 'reason' in error && typeof error.reason === 'string' ? error.reason : undefined
  return (reason ?? /SSL routines:[^:]*:([^:\n]+)/.exec(error.message)?.[1] ?? error.message).toLowerCase()
}

/** Everything that arrives until the connection ends, one character per byte. */
function textOf(stream: Duplex): Promise<string> {
  let text = ''
  stream.on('data', (bytes: Buffer) => {
    text += bytes.toString('latin1')
  })
  return new Promise((resolve) => {
    stream.on('end', () => resolve(text))
    stream.on('close', () => resolve(text))
  })
}
