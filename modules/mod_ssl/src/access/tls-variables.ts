import type { Request } from '@gatewright/api'
import type { TlsView } from '@gatewright/api/peers'
import type { CertificateReader } from './certificate-reader.ts'

/** What the variables are read from. */
export interface VariableSources {
  /** The connection of a request; null in the clear. */
  viewOf(request: Request): TlsView | null
  readonly certificates: CertificateReader
  /** True where names are printed in the old format, by SSLOptions +LegacyDNStringFormat. */
  hasLegacyNames(request: Request): boolean
}

const CHAIN = 'CLIENT_CERT_CHAIN_'

/**
 * The value of a variable without `SSL_`, in upper case; undefined when it has none or the connection is in
 * the clear.
 */
export function tlsVariable(sources: VariableSources, request: Request, name: string): string | undefined {
  if (name === 'VERSION_INTERFACE') return 'mod_ssl/2.4.71'
  if (name === 'VERSION_LIBRARY') return `OpenSSL/${process.versions.openssl}`
  const view = sources.viewOf(request)
  if (view === null) return undefined
  const ofConnection = CONNECTION_VARIABLES[name]
  if (ofConnection !== undefined) return ofConnection(view)
  const names = sources.hasLegacyNames(request) ? 'one line' : 'rfc2253'
  if (name.startsWith(CHAIN)) {
    const certificate = view.clientChain[Number(name.slice(CHAIN.length))]
    return certificate === undefined ? undefined : sources.certificates.variable(certificate, 'CERT', names)
  }
  if (name.startsWith('CLIENT_') && view.clientCertificate !== null) {
    return sources.certificates.variable(view.clientCertificate, name.slice('CLIENT_'.length), names)
  }
  if (name.startsWith('SERVER_') && view.serverCertificate !== null) {
    return sources.certificates.variable(view.serverCertificate, name.slice('SERVER_'.length), names)
  }
  return undefined
}

const CONNECTION_VARIABLES: Readonly<Record<string, (view: TlsView) => string | undefined>> = {
  PROTOCOL: ({ protocol }) => protocol,
  SESSION_ID: ({ sessionId }) => sessionId,
  SESSION_RESUMED: ({ sessionReused }) => (sessionReused ? 'Resumed' : 'Initial'),
  CIPHER: ({ cipher }) => cipher,
  CIPHER_EXPORT: () => 'false',
  CIPHER_USEKEYSIZE: ({ cipherKeyBits }) => String(cipherKeyBits),
  CIPHER_ALGKEYSIZE: ({ cipherAlgorithmBits }) => String(cipherAlgorithmBits),
  CLIENT_VERIFY: clientVerify,
  COMPRESS_METHOD: () => 'NULL',
  TLS_SNI: ({ serverName }) => serverName ?? undefined,
  SECURE_RENEG: () => 'true',
}

/** SSL_CLIENT_VERIFY. */
function clientVerify({ clientCertificate, verifyResult }: TlsView): string {
  if (verifyResult === 'GENEROUS') return 'GENEROUS'
  if (verifyResult !== 'ok') return `FAILED:${verifyResult}`
  return clientCertificate === null ? 'NONE' : 'SUCCESS'
}
