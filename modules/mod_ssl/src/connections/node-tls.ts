import type { SecureContext, TLSSocket } from 'node:tls'

/** Why OpenSSL does not trust the client's certificate. */
export interface VerifyError {
  /** OpenSSL's name without `X509_V_ERR_`: `CERT_HAS_EXPIRED`. */
  readonly code: string
  readonly message: string
}

const UNSPECIFIED = 'UNSPECIFIED'

/** Errors to which Node gives no name of their own, by OpenSSL's messages. */
const NAMES: Readonly<Record<string, string>> = {
  'unable to get CRL issuer certificate': 'UNABLE_TO_GET_CRL_ISSUER',
  'unhandled critical extension': 'UNHANDLED_CRITICAL_EXTENSION',
  'key usage does not include CRL signing': 'KEYUSAGE_NO_CRL_SIGN',
  'unhandled critical CRL extension': 'UNHANDLED_CRITICAL_CRL_EXTENSION',
  'invalid or inconsistent certificate extension': 'INVALID_EXTENSION',
  'invalid or inconsistent certificate policy extension': 'INVALID_POLICY_EXTENSION',
  'permitted subtree violation': 'PERMITTED_VIOLATION',
  'excluded subtree violation': 'EXCLUDED_VIOLATION',
  'name constraints minimum and maximum not supported': 'SUBTREE_MINMAX',
  'unsupported name constraint type': 'UNSUPPORTED_CONSTRAINT_TYPE',
  'unsupported or invalid name constraint syntax': 'UNSUPPORTED_CONSTRAINT_SYNTAX',
  'unsupported or invalid name syntax': 'UNSUPPORTED_NAME_SYNTAX',
  'EE certificate key too weak': 'EE_KEY_TOO_SMALL',
  'CA certificate key too weak': 'CA_KEY_TOO_SMALL',
  'CA signature digest algorithm too weak': 'CA_MD_TOO_WEAK',
}

/**
 * The result of verifying the client's certificate; null if it is trusted. Node keeps it for its own servers
 * only, so it is read from the socket's handle: this file alone accesses it.
 */
export function verifyError(socket: TLSSocket): VerifyError | null {
  const handle = handleOf(socket, 'verifyError')
  if (handle === null) return { code: UNSPECIFIED, message: 'unspecified certificate verification error' }
  const error = handle.verifyError()
  if (!(error instanceof Error)) return null
  const code = 'code' in error && typeof error.code === 'string' ? error.code : UNSPECIFIED
  // Node adds advice about its own command line.
  const message = error.message.split('; if the root CA', 1)[0]
  return { code: code === UNSPECIFIED ? (NAMES[message] ?? code) : code, message }
}

/**
 * Has a function called whenever a handshake begins, instead of Node's own, which counts handshakes without
 * regard to who began them and ends connections that have too many.
 * @returns false if this version of Node does not let it
 */
export function watchHandshakes(socket: TLSSocket, begins: () => void): boolean {
  const handle = handleOf(socket)
  return handle !== null && 'onhandshakestart' in handle && Reflect.set(handle, 'onhandshakestart', begins)
}

/**
 * Gives a server's socket the session to resume before it has read anything. Node asks for sessions of TLS 1.2
 * only.
 */
export function offerSession(socket: TLSSocket, session: Uint8Array): void {
  handleOf(socket, 'loadSession')?.loadSession(Buffer.from(session))
}

/** Gives a server's socket the OCSP response to send along if the client asks for it. */
export function staple(socket: TLSSocket, response: Uint8Array): void {
  handleOf(socket, 'setOCSPResponse')?.setOCSPResponse(Buffer.from(response))
}

/** Ends a connection after errors of OpenSSL that follow its first handshake, as Node does for its own servers only. */
export function endAfterErrors(socket: TLSSocket): void {
  socket.on('_tlsError', () => socket.destroy())
}

/** What a further handshake asks for. */
export interface FurtherHandshake {
  readonly asksForCertificate: boolean
  /** The handshake fails without one. */
  readonly requiresCertificate: boolean
  /** Called when the client has begun it, before a cipher is chosen; `choose` then chooses one. Null to leave it. */
  readonly atHello: ((choose: () => void) => void) | null
}

/**
 * Begins another handshake on a connection of TLS 1.2, which ends in another event 'secure', or in 'close'.
 * @returns false if this version of Node does not let it
 */
export function beginHandshake(socket: TLSSocket, further: FurtherHandshake): boolean {
  const handle = handleOf(socket, 'setVerifyMode', 'renegotiate')
  if (handle === null) return false
  const { atHello } = further
  if (atHello !== null) {
    const paused = handleOf(socket, 'enableCertCb', 'certCbDone')
    if (paused === null) return false
    const former: unknown = Reflect.get(paused, 'oncertcb')
    Reflect.set(paused, 'oncertcb', () => {
      Reflect.set(paused, 'oncertcb', former)
      // OpenSSL continues only in a later turn, not within this call.
      setImmediate(() => {
        if (!socket.destroyed) atHello(() => paused.certCbDone())
      })
    })
    paused.enableCertCb()
  }
  handle.setVerifyMode(further.asksForCertificate, further.requiresCertificate)
  handle.renegotiate()
  // Sends what asks the client to begin.
  socket.write('')
  return true
}

/**
 * Permits other ciphers of TLS before 1.3 in a context, for the connections whose cipher is chosen from now on.
 * @param list OpenSSL's list
 * @returns false if this version of Node does not let it
 * @throws Error if OpenSSL does not know any cipher of the list
 */
export function permitCiphers({ context }: SecureContext, list: string): boolean {
  if (!has(context, 'setCiphers')) return false
  context.setCiphers(list)
  return true
}

type Callable<Name extends string> = object & Record<Name, (...values: readonly unknown[]) => unknown>

/** The handle of a socket, if it has certain functions. */
function handleOf<Name extends string>(socket: TLSSocket, ...names: readonly Name[]): Callable<Name> | null {
  const handle: unknown = Reflect.get(socket, '_handle')
  return has(handle, ...names) ? handle : null
}

function has<Name extends string>(value: unknown, ...names: readonly Name[]): value is Callable<Name> {
  return typeof value === 'object' && value !== null && names.every((name) => typeof Reflect.get(value, name) === 'function')
}
