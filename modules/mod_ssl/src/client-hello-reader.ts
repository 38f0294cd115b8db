import { type ClientHello, parseClientHello } from './client-hello.ts'

/**
 * What the first bytes of a connection are.
 * - `incomplete`: more bytes are needed.
 * - `plain-http`: one of the methods that OpenSSL recognises, for which mod_ssl answers 400 in plain HTTP.
 * - `not-tls`: something else; OpenSSL closes the connection without an alert.
 * - `malformed`: TLS, but no valid ClientHello; OpenSSL sends the alert for it.
 * - `bad-name`: a ClientHello whose server_name has other bytes than printable ASCII. OpenSSL would accept it, but they would get into
 *   logs and variables.
 * - `too-long`: a ClientHello that exceeds the limits; no more of it is kept.
 * - `sslv2`: a ClientHello in the format of SSL 2.0, which has neither SNI nor ALPN.
 * - `hello`: a complete ClientHello.
 */
export type FirstBytes =
  | { readonly kind: 'incomplete' | 'plain-http' | 'not-tls' | 'malformed' | 'bad-name' | 'too-long' | 'sslv2' }
  | { readonly kind: 'hello'; readonly hello: ClientHello }

const EMPTY = Buffer.alloc(0)
const INCOMPLETE: FirstBytes = { kind: 'incomplete' }
const MALFORMED: FirstBytes = { kind: 'malformed' }
const BAD_NAME: FirstBytes = { kind: 'bad-name' }
const TOO_LONG: FirstBytes = { kind: 'too-long' }

const RECORD_HEADER = 5
const MESSAGE_HEADER = 4
const HANDSHAKE = 22
const CLIENT_HELLO = 1
const TLS_MAJOR = 3
const SSLV2_CLIENT_HELLO = 1
/** The contents of one record at most (RFC 8446, section 5.1). */
const LONGEST_RECORD = 16_384
/** The longest message that is accepted: hellos with keys of post-quantum algorithms have 2 KiB, tickets seldom more. */
const LONGEST_MESSAGE = 16_384
/** A message in tiny records may be several times as long. */
const LONGEST_INPUT = 65_536
/** OpenSSL accepts as many records without contents. */
const MOST_EMPTY_RECORDS = 32
/** The methods by which OpenSSL recognises HTTP. */
const HTTP_STARTS = ['GET ', 'POST ', 'HEAD ', 'PUT ']

/**
 * Finds the ClientHello in the first bytes of a connection, which may arrive in any pieces and in several records. Every byte is looked
 * at and copied a constant number of times. It never throws, and it keeps all pieces, because TLS needs to read them again.
 */
export class ClientHelloReader {
  readonly #pieces: Buffer[] = []
  #length = 0
  #result: FirstBytes = INCOMPLETE
  /** The header of the record that is being read. */
  readonly #header: Buffer = Buffer.allocUnsafe(RECORD_HEADER)
  #headerLength = 0
  /** How many bytes of the record are still to come. */
  #recordRest = 0
  #emptyRecords = 0
  #isFirstRecord = true
  /** The message so far; it grows by doubling. */
  #message: Buffer = EMPTY
  #messageLength = 0

  /** Takes the next bytes of the connection. @param piece kept until the end of the reader; bytes after the result are kept too */
  read(piece: Buffer): FirstBytes {
    this.#pieces.push(piece)
    this.#length += piece.length
    if (this.#result === INCOMPLETE) this.#result = this.#scan(piece)
    if (this.#result === INCOMPLETE && this.#length > LONGEST_INPUT) this.#result = TOO_LONG
    return this.#result
  }

  /** All bytes that were read, which TLS has to read again. */
  bytes(): Buffer {
    return this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces, this.#length)
  }

  #scan(piece: Buffer): FirstBytes {
    let at = 0
    while (at < piece.length) {
      if (this.#headerLength < RECORD_HEADER) {
        const end = Math.min(piece.length, at + RECORD_HEADER - this.#headerLength)
        this.#headerLength += piece.copy(this.#header, this.#headerLength, at, end)
        at = end
        if (this.#headerLength < RECORD_HEADER) return INCOMPLETE
        const fault = this.#startRecord()
        if (fault !== undefined) return fault
        continue
      }
      const end = Math.min(piece.length, at + this.#recordRest)
      const outcome = this.#takeContents(piece, at, end)
      if (outcome !== INCOMPLETE) return outcome
      this.#recordRest -= end - at
      at = end
      if (this.#recordRest === 0) this.#headerLength = 0
    }
    return INCOMPLETE
  }

  /** Judges the header of a record. @returns what the connection is if the header decides it */
  #startRecord(): FirstBytes | undefined {
    const header = this.#header
    if (this.#isFirstRecord) {
      if (header[0] >= 0x80 && header[2] === SSLV2_CLIENT_HELLO) return { kind: 'sslv2' }
      if (header[1] !== TLS_MAJOR) return { kind: isHttp(header) ? 'plain-http' : 'not-tls' }
      this.#isFirstRecord = false
    }
    if (header[0] !== HANDSHAKE || header[1] !== TLS_MAJOR) return MALFORMED
    const length = header.readUInt16BE(3)
    if (length > LONGEST_RECORD) return MALFORMED
    if (length === 0) {
      if (++this.#emptyRecords > MOST_EMPTY_RECORDS) return MALFORMED
      this.#headerLength = 0
    }
    this.#recordRest = length
    return undefined
  }

  #takeContents(piece: Buffer, start: number, end: number): FirstBytes {
    const contents = this.#messageLength === 0 ? piece.subarray(start, end) : this.#appended(piece, start, end)
    if (contents[0] !== CLIENT_HELLO) return MALFORMED
    if (contents.length >= MESSAGE_HEADER) {
      const length = contents.readUIntBE(1, 3)
      if (length > LONGEST_MESSAGE) return TOO_LONG
      if (contents.length >= MESSAGE_HEADER + length) {
        return resultOf(parseClientHello(contents.subarray(MESSAGE_HEADER, MESSAGE_HEADER + length)))
      }
    }
    if (this.#messageLength === 0) this.#appended(piece, start, end)
    return INCOMPLETE
  }

  /** Adds contents of a record to the message. @returns the message so far */
  #appended(piece: Buffer, start: number, end: number): Buffer {
    const length = this.#messageLength + end - start
    if (length > this.#message.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, this.#message.length * 2, 1024))
      this.#message.copy(larger, 0, 0, this.#messageLength)
      this.#message = larger
    }
    piece.copy(this.#message, this.#messageLength, start, end)
    this.#messageLength = length
    return this.#message.subarray(0, length)
  }
}

function resultOf(hello: ClientHello | undefined): FirstBytes {
  if (hello === undefined) return MALFORMED
  return hello.serverName === undefined || /^[!-~]+$/.test(hello.serverName) ? { kind: 'hello', hello } : BAD_NAME
}

function isHttp(header: Buffer): boolean {
  const text = header.toString('latin1', 0, RECORD_HEADER)
  return HTTP_STARTS.some((start) => text.startsWith(start))
}
