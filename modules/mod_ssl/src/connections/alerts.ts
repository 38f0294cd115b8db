import { createCipheriv, createHmac } from 'node:crypto'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { VerifyError } from './node-tls.ts'
import { TOO_LONG } from './verify-client.ts'

const UNKNOWN_CA = 48
const BAD_CERTIFICATE = 42
const INTERNAL_ERROR = 80
const CERTIFICATE_UNKNOWN = 46

/** Alerts for OpenSSL's errors, as OpenSSL and mod_ssl assign them. */
const ALERTS: Readonly<Record<string, number>> = {
  [TOO_LONG.code]: INTERNAL_ERROR,
  APPLICATION_VERIFICATION: 40,
  CA_KEY_TOO_SMALL: BAD_CERTIFICATE,
  CA_MD_TOO_WEAK: BAD_CERTIFICATE,
  CERT_HAS_EXPIRED: 45,
  CERT_NOT_YET_VALID: BAD_CERTIFICATE,
  CERT_REJECTED: BAD_CERTIFICATE,
  CERT_REVOKED: 44,
  CERT_SIGNATURE_FAILURE: 51,
  CERT_UNTRUSTED: BAD_CERTIFICATE,
  CRL_NOT_YET_VALID: BAD_CERTIFICATE,
  CRL_SIGNATURE_FAILURE: 51,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_CA,
  EE_KEY_TOO_SMALL: BAD_CERTIFICATE,
  ERROR_IN_CERT_NOT_AFTER_FIELD: BAD_CERTIFICATE,
  ERROR_IN_CERT_NOT_BEFORE_FIELD: BAD_CERTIFICATE,
  INVALID_CA: UNKNOWN_CA,
  INVALID_PURPOSE: 43,
  PATH_LENGTH_EXCEEDED: UNKNOWN_CA,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_CA,
  UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY: BAD_CERTIFICATE,
  UNABLE_TO_DECRYPT_CERT_SIGNATURE: BAD_CERTIFICATE,
  UNABLE_TO_GET_CRL: UNKNOWN_CA,
  UNABLE_TO_GET_CRL_ISSUER: UNKNOWN_CA,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_CA,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_CA,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_CA,
  UNSPECIFIED: INTERNAL_ERROR,
}

/** Types of records. */
const ALERT = 21
const APPLICATION_DATA = 23
const FATAL = 2
const IV_SIZE = 12
const TAG_SIZE = 16
/** The secret of what the server sends after its handshake, in lines of key logs. */
const SECRET = 'SERVER_TRAFFIC_SECRET_0'

/** The ciphers of TLS 1.3 whose records can be made. */
const CIPHERS = {
  TLS_AES_128_GCM_SHA256: { name: 'aes-128-gcm', keySize: 16, hash: 'sha256' },
  TLS_AES_256_GCM_SHA384: { name: 'aes-256-gcm', keySize: 32, hash: 'sha384' },
  TLS_CHACHA20_POLY1305_SHA256: { name: 'chacha20-poly1305', keySize: 32, hash: 'sha256' },
} as const

/**
 * Reports to a client, at the end of a handshake, that its certificate is refused. Node accepts every certificate, and
 * cannot send an alert, so the record is made here: in the clear before TLS 1.3, where the server has not yet
 * changed to its keys, and encrypted as the first record after the handshake in TLS 1.3.
 */
export class HandshakeAlert {
  readonly #socket: TLSSocket
  readonly #raw: Socket
  #secret: Buffer | null = null

  /**
   * Call this before the handshake.
   * @param raw what the socket was made of
   */
  constructor(socket: TLSSocket, raw: Socket) {
    this.#socket = socket
    this.#raw = raw
    socket.on('keylog', this.#onSecret)
  }

  /** Sends an alert. Call this within the event 'secure', before anything else is sent. */
  send({ code }: VerifyError): void {
    const isModern = this.#socket.getProtocol() === 'TLSv1.3'
    // Before TLS 1.3, the server has changed to its keys where a session is resumed.
    if (!isModern && this.#socket.isSessionReused()) return this.forget()
    const contents = Buffer.from([FATAL, ALERTS[code] ?? CERTIFICATE_UNKNOWN])
    const record = isModern ? this.#encrypted(contents) : Buffer.concat([header(ALERT, contents.length), contents])
    if (record !== null) this.#raw.write(record)
    this.forget()
  }

  /** Forgets the secret. */
  forget(): void {
    this.#socket.off('keylog', this.#onSecret)
    this.#secret = null
  }

  readonly #onSecret = (line: Buffer): void => {
    const [label, , secret] = line.toString('latin1').trim().split(' ')
    if (label === SECRET) this.#secret = Buffer.from(secret, 'hex')
  }

  /** RFC 8446, section 5.2; null for another cipher. */
  #encrypted(contents: Buffer): Buffer | null {
    const name = this.#socket.getCipher()?.name ?? ''
    const secret = this.#secret
    if (secret === null || !isKnown(name)) return null
    const cipher = CIPHERS[name]
    const inner = Buffer.concat([contents, Buffer.from([ALERT])])
    const head = header(APPLICATION_DATA, inner.length + TAG_SIZE)
    const key = expanded(cipher.hash, secret, 'key', cipher.keySize)
    // The number of the record is 0.
    const iv = expanded(cipher.hash, secret, 'iv', IV_SIZE)
    const options = { authTagLength: TAG_SIZE }
    const sealing =
      cipher.name === 'chacha20-poly1305'
        ? createCipheriv(cipher.name, key, iv, options)
        : createCipheriv(cipher.name, key, iv, options)
    sealing.setAAD(head, { plaintextLength: inner.length })
    return Buffer.concat([head, sealing.update(inner), sealing.final(), sealing.getAuthTag()])
  }
}

function isKnown(name: string): name is keyof typeof CIPHERS {
  return Object.hasOwn(CIPHERS, name)
}

function header(type: number, length: number): Buffer {
  return Buffer.from([type, 3, 3, length >> 8, length & 0xff])
}

/** HKDF-Expand-Label of RFC 8446 without context, for results that are not longer than a hash. */
function expanded(hash: string, secret: Buffer, label: string, size: number): Buffer {
  const text = Buffer.from(`tls13 ${label}`, 'latin1')
  const info = Buffer.concat([Buffer.from([size >> 8, size & 0xff, text.length]), text, Buffer.from([0, 1])])
  return createHmac(hash, secret).update(info).digest().subarray(0, size)
}
