import type { CertificatePart, TlsPart } from '../explanation.ts'
import type { PlaceText } from '../place-text.ts'

/** What an explanation says of the connection; nothing for a request in the clear. */
export function tlsLines(tls: TlsPart | null, placeText: PlaceText): readonly string[] {
  if (tls === null) return []
  const { serverName, host, protocol, cipher, serverCertificate, failure } = tls
  const place = host.place === null ? '' : ` (${placeText(host.place)})`
  const by = serverName === null ? 'no server name was sent' : `server name ${serverName}`
  return [
    `TLS: ${by}, so the handshake is that of ${host.name}${place}${protocol === '' ? '' : `: ${protocol}, ${cipher}`}.`,
    ...(serverCertificate === null ? [] : [`  The server sends ${certificateText(serverCertificate)}.`]),
    `  ${clientText(tls)}`,
    ...(failure === '' ? [] : [`  The connection fails: ${failure}.`]),
  ]
}

function clientText({ asks, depth, clientCertificate, verification, failure }: TlsPart): string {
  const own =
    clientCertificate === null ? 'The client has no certificate' : `The client has ${certificateText(clientCertificate)}`
  const asked = ASKED[asks ?? 'clear']
  const limit = asks === null || asks === 'none' ? '' : ` (SSLVerifyClient ${asks}, SSLVerifyDepth ${depth})`
  if (verification === null) {
    const unused = clientCertificate !== null && failure === '' ? ', so it is not used' : ''
    return `${own}; ${asked}${limit}${unused}.`
  }
  return `${own}; ${asked}${limit}: ${verification === 'ok' ? 'it is trusted' : `it is not trusted (${verification})`}.`
}

const ASKED = {
  clear: 'this host does not use TLS',
  none: 'the handshake does not ask for one',
  optional: 'the handshake asks for one',
  optional_no_ca: 'the handshake asks for one, of any authority',
  require: 'the handshake requires one',
} as const

function certificateText({ subject, issuer, notAfter, file }: CertificatePart): string {
  return `the certificate ${subject}${file === null ? '' : ` from ${file}`}, issued by ${issuer}, valid until ${notAfter.slice(0, 10)}`
}
