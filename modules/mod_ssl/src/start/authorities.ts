import { X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import type { AuthenticationSettings, ServerSettings } from '../settings.ts'
import { certificatesIn, revocationListsIn } from './pem.ts'
import type { StartFiles } from './start-files.ts'
import type { StartLog } from './start-log.ts'

/** The authorities that a server trusts with the certificates of clients. PEM texts. */
export interface Authorities {
  /** They are verified against. */
  readonly trusted: readonly string[]
  /** Their names are sent to clients. */
  readonly requested: readonly string[]
  readonly revocationLists: readonly string[]
}

/** Names of certificates and revocation lists in folders, after the hash of their subject and issuer. */
const HASHED_CERTIFICATE = /^[0-9a-f]{8}\.\d+$/
export const HASHED_LIST: RegExp = /^[0-9a-f]{8}\.r\d+$/

/** Reads SSLCACertificate*, SSLCADNRequest* and SSLCARevocation* of a server. */
export function readAuthorities(
  authentication: Readonly<AuthenticationSettings>,
  server: Readonly<ServerSettings>,
  files: StartFiles,
  log: StartLog,
): Pick<Authorities, 'trusted' | 'requested'> {
  const { caFile, caPath, verifyClient } = authentication
  let requested: readonly string[] = []
  let trusted: readonly string[] = []
  if (caFile !== undefined || caPath !== undefined) {
    const inFile = caFile === undefined ? [] : certificatesIn(files.text(caFile))
    if (caFile !== undefined && !isReadable(inFile)) {
      const library = new Error('error:05880020:x509 certificate routines::BIO lib')
      log.die('AH01895', 'Unable to configure verify locations for client authentication', library)
    }
    // As in httpd, what cannot be read in a folder is passed over: nobody is trusted by it.
    const inPath = caPath === undefined ? [] : inFolder(caPath, HASHED_CERTIFICATE, certificatesIn, files)
    trusted = [...inFile, ...inPath.filter(isReadableCertificate)]
    const { requestedNamesFile, requestedNamesPath } = server
    requested =
      requestedNamesFile === undefined && requestedNamesPath === undefined
        ? allOf(caFile, caPath, files)
        : allOf(requestedNamesFile, requestedNamesPath, files)
    if (requested.length === 0) {
      log.die('AH01896', 'Unable to determine list of acceptable CA certificates for client authentication')
    }
  }
  if (verifyClient === 'require' && requested.length === 0) {
    const text =
      'Init: Oops, you want to request client authentication, but no CAs are known for verification!?  [Hint: SSLCACertificate*]'
    log.write('warn', 'AH01897', text)
  }
  return { trusted, requested }
}

/** Reads the revocation lists of a server, where its certificates are checked against them. */
export function readRevocationLists(
  id: string,
  { crlFile, crlPath, crlCheck }: Readonly<ServerSettings>,
  files: StartFiles,
  log: StartLog,
): readonly string[] {
  const isChecked = crlCheck !== undefined && crlCheck.whose !== 'nobody'
  if (crlFile === undefined && crlPath === undefined) {
    if (isChecked) {
      const text = `Host ${id}: CRL checking has been enabled, but neither SSLCARevocationFile nor SSLCARevocationPath is configured`
      log.die('AH01899', text)
    }
    return []
  }
  const inFile = crlFile === undefined ? [] : revocationListsIn(files.text(crlFile))
  if (!inFile.every(isReadableList)) {
    const library = new Error('error:0688010A:asn1 encoding routines::nested asn1 error')
    log.die('AH01901', `Host ${id}: unable to configure X.509 CRL storage for certificate revocation`, library)
  }
  // As in httpd, a file of certificates will do.
  if (crlFile !== undefined && inFile.length === 0 && certificatesIn(files.text(crlFile)).length === 0) {
    const library = new Error('error:05880088:x509 certificate routines::no certificate or crl found')
    log.die('AH01901', `Host ${id}: unable to configure X.509 CRL storage for certificate revocation`, library)
  }
  if (!isChecked) {
    const text = `Host ${id}: X.509 CRL storage locations configured, but CRL checking (SSLCARevocationCheck) is not enabled`
    log.write('warn', 'AH01902', text)
    return []
  }
  const inPath = crlPath === undefined ? [] : inFolder(crlPath, HASHED_LIST, revocationListsIn, files)
  // A list that cannot be read is missing, so that the certificates of its authority are refused.
  return [...inFile, ...inPath.filter(isReadableList)]
}

function isReadable(certificates: readonly string[]): boolean {
  return certificates.length > 0 && certificates.every(isReadableCertificate)
}

/** @param pem one certificate */
export function isReadableCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem)
    return true
  } catch {
    return false
  }
}

/** Whether OpenSSL reads a list: one that it does not read would make every handshake fail. */
function isReadableList(pem: string): boolean {
  try {
    createSecureContext({ crl: pem })
    return true
  } catch {
    return false
  }
}

/** All certificates of a file and of the files of a folder, whatever they are called. */
function allOf(file: string | undefined, folder: string | undefined, files: StartFiles): readonly string[] {
  const ofFile = file === undefined ? [] : certificatesIn(files.text(file))
  return [...new Set([...ofFile, ...(folder === undefined ? [] : inFolder(folder, /(?:)/, certificatesIn, files))])]
}

function inFolder(
  folder: string,
  names: RegExp,
  read: (text: string) => readonly string[],
  files: StartFiles,
): readonly string[] {
  const found = files.namesIn(folder).filter((name) => names.test(name))
  return found.flatMap((name) => read(files.text(`${folder}/${name}`)))
}
