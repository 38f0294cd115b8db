import type { BodyConsumer, BodyRequest } from './body-consumer.ts'
import type { ClientConnection } from './client-connection.ts'
import type { FilePart, FileSent } from './file-part.ts'
import type { HeaderFields } from './header-fields.ts'
import type { Refusal } from './refusal.ts'
import type { KeepAliveTerms, ResponseHead } from './response-head.ts'
import type { ReadTimeLimit } from './settings.ts'
import type { ProtocolSwitch } from './successor.ts'
import type { ParsedTarget } from './target.ts'

/** Is notified of the end of a response. */
export interface ResponseListener {
  /** The last byte was passed to the transport. */
  responseSent(): void
}

/** A request as a client sent it, independently of the protocol. All text is latin1. */
export interface ReceivedRequest {
  readonly connection: ClientConnection
  /** Without its line end, with single blanks: what `%r` shows. '' if not even a line was received. */
  readonly requestLine: string
  readonly method: string
  /** As sent. `uri` has its parts. */
  readonly target: string
  readonly uri: ParsedTarget
  /** As sent, `HTTP/0.9` for a simple request. */
  readonly protocol: string
  /** 1001 for HTTP/1.1, 9 for HTTP/0.9; HTTP/1.2 to HTTP/9.9 count as 1002 to 9009. */
  readonly version: number
  readonly fields: HeaderFields
  /**
   * From the target or the Host field: in lower case, without port and trailing dot; null if there is none.
   */
  readonly hostname: string | null
  /** 0 if there is none. */
  readonly hostPort: number
  /** Set if the request cannot be served: the host responds with this status, and the connection closes. */
  readonly refusal: Refusal | null
  /** When the request line was complete: ms since the epoch. */
  readonly receivedAt: number
  /** The same moment on the clock of performance.now, in microseconds. */
  readonly receivedAtUs: number
  /** Bytes of this exchange including heads and framing. */
  readonly bytesReceived: number
  readonly bytesSent: number

  /** False if a body was not announced; one of length 0 counts as a body. */
  readonly hasBody: boolean
  /** -1 unless it was announced. */
  readonly contentLength: number
  /**
   * Time limit for the body: that of the connection's settings, unless the host replaces it by that of the
   * virtual host.
   */
  bodyLimit: ReadTimeLimit | null
  /** The client sent `Expect: 100-continue`. */
  readonly expectContinue: boolean
  /** The client waits for a 100 (Continue) that was not sent; it may or may not send its body. */
  readonly awaitsContinue: boolean
  /** Whether the connection can serve another request after this one, if the host agrees. */
  readonly persistencePossible: boolean
  /** Whether all bytes of the request have been received. */
  readonly requestEnded: boolean
  /** The trailer fields of the body, after it was read; null if there are none. */
  readonly trailers: HeaderFields | null
  /** Reads the body, once. The first read asks the client for it if the client waits for that. */
  readBody(consumer: BodyConsumer, asks?: BodyRequest): void
  /** Continues after a `'pause'`. */
  resumeBody(): void
  /** The host refuses the rest of the body: its consumer is notified, and reading stops. */
  refuseBody(reason: Refusal): void
  /**
   * Reads the body, or what another consumer has left of it, and discards it. `done` is called synchronously
   * if there is no body or all of it has arrived. `limit` in bytes, 0 = none: a longer body is rejected with
   * 413, before the client is asked to send it if its length was announced.
   */
  discardBody(limit: number, done: (refusal: Refusal | null) => void): void
}

/**
 * One request and its response: what the host needs of HTTP/1.x, of another protocol, or of a test.
 *
 * An exchange is answered once: by `respond`, by `begin`, `write` and `finish`, or by `sendFile`. A text with
 * a character above U+00FF is rejected with a TypeError before any of it is sent. After the response, the
 * object may be kept, but has no effect any longer.
 */
export interface Exchange extends ReceivedRequest {
  /** The response is complete on this side. */
  readonly answered: boolean
  /** The client disconnected before the response was complete. Data sent from now on is dropped. */
  readonly aborted: boolean
  /** Whether the connection serves another request after the response; known once a head was sent. */
  readonly persistent: boolean
  /** Whether the client accepts trailer fields after a body whose end is marked. */
  readonly takesTrailers: boolean
  /** Called after `write` returned false, when all pending writes are complete. */
  onDrain: (() => void) | null
  /** Whether other exchanges of the same connection may be in progress: a stream of HTTP/2. */
  readonly isStream: boolean
  /** Continues the connection with another protocol; null if this one cannot be left. */
  readonly protocolSwitch: ProtocolSwitch | null
  /** Sends cached small responses; null if the protocol does not support this. */
  readonly images: ResponseImages | null

  /**
   * Sends an interim response (1xx other than 101), unless the response has begun or the protocol of the client has
   * none.
   * @param fields lines, each with CR and LF
   * @returns true if it was sent
   */
  interim(status: number, reason: string, fields: string): boolean
  /**
   * Begins a tunnel: sends these bytes as they are, and from now on what the client sends goes to the consumer, and what
   * is written goes to the client, without any framing. `finish` ends the tunnel and the connection. The body of the
   * request must have been read.
   * @param opening for example the head of a response with status 101
   * @returns false if the protocol of the client has no tunnels; nothing was sent then
   */
  beginTunnel(opening: string, client: BodyConsumer): boolean
  /** Sends a complete response. @param listener is notified before the next request is read */
  respond(head: ResponseHead, body: Buffer | string | null, listener: ResponseListener | null): void
  /**
   * Begins a response that is sent in pieces. Data written in the same turn of the loop is sent together with
   * the head.
   */
  begin(head: ResponseHead): void
  /** Sends another piece. False means: wait for onDrain. */
  write(chunk: Buffer | string): boolean
  /**
   * @param trailers fields as lines, sent only if `takesTrailers` is true and the end of the body is marked; ''
   * for none
   * @param listener is notified before the next request is read
   */
  finish(trailers: string, listener: ResponseListener | null): void
  /**
   * Responds with parts of files, in constant memory. `done` receives the result before the next request is
   * processed. A file that is shorter than announced, cannot be read or has another fault breaks the
   * response off.
   */
  sendFile(head: ResponseHead, parts: readonly FilePart[], done: FileSent): void
  /**
   * Ends a response that cannot be completed, so that the client detects it.
   * @param how `when sent`: what was written is sent before the connection closes. For a response that shows its end
   */
  breakOff(how?: 'when sent'): void
  /**
   * Calls the listener if the client disconnects before the response is complete; immediately if it has done
   * so already.
   * @returns a function that removes the listener
   */
  whenGone(listener: () => void): () => void
  /** The value of a field (in lower case) that the exchange itself added to the response; null for none. */
  ownField(name: string): string | null
}

/** A small response in the form in which an exchange sends it. */
export interface WireImage {
  /** The bytes, as sent for the request for which they were made. */
  readonly bytes: Buffer
}

/** The capability of an exchange to keep small responses as bytes, and to send them to other requests. */
export interface ResponseImages {
  /** The response that `respond` would send. */
  makeImage(head: ResponseHead, body: Buffer): WireImage
  /**
   * The bytes of a response that differs from the image only in the fields of the exchange; null if another
   * protocol made the image, or if building the response is as easy. They must be sent to this exchange or
   * not at all.
   */
  imageBytes(image: WireImage, keepAlive: KeepAliveTerms | null, version: number): Buffer | null
  /** Responds with the bytes of an image. */
  sendImage(bytes: Buffer, listener: ResponseListener | null): void
}
