import { HelloFields } from './hello-fields.ts'

/** What a client offers in its first message (RFC 8446, section 4.1.2). */
export interface ClientHello {
  /** The versions of supported_versions, 0x0304 is TLS 1.3; without this extension that in the place of older versions, and it means "up to". */
  readonly versions: readonly number[]
  /** The name of server_name as the client wrote it, a byte string: 1 to 255 bytes, no NUL. Undefined without SNI. */
  readonly serverName: string | undefined
  /** The protocol names of ALPN in the order of the client, as byte strings. */
  readonly protocols: readonly string[]
  readonly signatureAlgorithms: readonly number[]
  /** The identifier of a session to resume with TLS 1.2, as a byte string; TLS 1.3 puts anything here. */
  readonly sessionId: string
  /** Whether the client accepts session tickets of TLS 1.2. */
  readonly acceptsTickets: boolean
  /** A session of TLS 1.3 to resume. */
  readonly hasPreSharedKey: boolean
  /** What identifies the first of these sessions, as a byte string; '' without one. */
  readonly firstIdentity: string
  /** Whether the client asks for a stapled OCSP answer. */
  readonly requestsStapling: boolean
}

/** Numbers of extensions (IANA, TLS ExtensionType Values). */
const SERVER_NAME = 0
const STATUS_REQUEST = 5
const SIGNATURE_ALGORITHMS = 13
const ALPN = 16
const SESSION_TICKET = 35
const PRE_SHARED_KEY = 41
const SUPPORTED_VERSIONS = 43
const USED = [SERVER_NAME, STATUS_REQUEST, SIGNATURE_ALGORITHMS, ALPN, SESSION_TICKET, PRE_SHARED_KEY, SUPPORTED_VERSIONS]

const RANDOM_BYTES = 32
const LONGEST_SESSION_ID = 32
const HOST_NAME = 0
const LONGEST_HOST_NAME = 255
const NONE: readonly number[] = []

/**
 * Parses the body of a ClientHello, without the four bytes in front of it. It looks at what the server needs before it can choose a
 * certificate; everything else is for OpenSSL to check.
 * @returns undefined for a malformed message
 */
export function parseClientHello(body: Buffer): ClientHello | undefined {
  const fields = new HelloFields(body)
  const legacyVersion = fields.uint16()
  fields.skip(RANDOM_BYTES)
  const sessionId = fields.vector8().text()
  if (sessionId.length > LONGEST_SESSION_ID) return undefined
  const cipherSuites = fields.vector16().remaining
  fields.vector8()
  const extensions = readExtensions(fields)
  if (extensions === undefined || fields.failed || cipherSuites === 0 || cipherSuites % 2 !== 0) return undefined
  return fromExtensions(legacyVersion, sessionId, extensions)
}

/** The contents of the extensions that are used here, by number. @returns undefined if the list is malformed or one is there twice */
function readExtensions(fields: HelloFields): Map<number, HelloFields> | undefined {
  const found = new Map<number, HelloFields>()
  // TLS 1.2 and older have messages without extensions.
  if (fields.remaining === 0) return found
  const list = fields.vector16()
  while (list.remaining > 0 && !list.failed) {
    const type = list.uint16()
    const contents = list.vector16()
    if (!USED.includes(type)) continue
    if (found.has(type)) return undefined
    found.set(type, contents)
  }
  return list.failed || fields.remaining > 0 ? undefined : found
}

function fromExtensions(
  legacyVersion: number,
  sessionId: string,
  extensions: ReadonlyMap<number, HelloFields>,
): ClientHello | undefined {
  const versions = numbers(extensions.get(SUPPORTED_VERSIONS)?.vector8(), [legacyVersion])
  const signatureAlgorithms = numbers(extensions.get(SIGNATURE_ALGORITHMS)?.vector16(), NONE)
  const protocols = protocolNames(extensions.get(ALPN))
  const serverName = hostName(extensions.get(SERVER_NAME))
  if (versions === undefined || signatureAlgorithms === undefined) return undefined
  if (protocols === undefined || serverName === undefined) return undefined
  return {
    sessionId,
    versions,
    serverName: serverName || undefined,
    protocols,
    signatureAlgorithms,
    acceptsTickets: extensions.has(SESSION_TICKET),
    hasPreSharedKey: extensions.has(PRE_SHARED_KEY),
    firstIdentity: extensions.get(PRE_SHARED_KEY)?.vector16().vector16().text() ?? '',
    requestsStapling: extensions.has(STATUS_REQUEST),
  }
}

/** @returns undefined for a list that is malformed or empty */
function numbers(list: HelloFields | undefined, otherwise: readonly number[]): readonly number[] | undefined {
  if (list === undefined) return otherwise
  const read = list.uint16List()
  return read === undefined || read.length === 0 ? undefined : read
}

/** @returns undefined for a list that is malformed or empty, or has an empty name */
function protocolNames(contents: HelloFields | undefined): readonly string[] | undefined {
  if (contents === undefined) return []
  const list = contents.vector16()
  const names: string[] = []
  while (list.remaining > 0) {
    const name = list.vector8()
    if (list.failed || name.remaining === 0) return undefined
    names.push(name.text())
  }
  return contents.failed || names.length === 0 ? undefined : names
}

/**
 * The name of server_name (RFC 6066, section 3), of which OpenSSL accepts exactly one, without NUL.
 * @returns empty text without the extension; undefined if it is malformed
 */
function hostName(contents: HelloFields | undefined): string | undefined {
  if (contents === undefined) return ''
  const list = contents.vector16()
  const type = list.uint8()
  const name = list.vector16()
  if (contents.failed || list.failed || contents.remaining > 0 || list.remaining > 0 || type !== HOST_NAME) return undefined
  if (name.remaining === 0 || name.remaining > LONGEST_HOST_NAME) return undefined
  const text = name.text()
  return text.includes('\0') ? undefined : text
}
