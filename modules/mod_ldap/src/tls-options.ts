import { createPrivateKey, X509Certificate } from 'node:crypto'
import { type ConnectionOptions, getCACertificates } from 'node:tls'
import type { TrustedFile } from './trusted-file.ts'

/**
 * The options of `tls.connect` for connections to directories.
 * @param files those of the server, then those of a section, of which the last certificate and key count
 * @param verifies LDAPVerifyServerCert
 * @throws Error for a file that does not contain what its type says
 */
export function tlsOptions(files: readonly TrustedFile[], verifies: boolean): ConnectionOptions {
  const authorities = files.filter(({ kind }) => kind === 'authorities').flatMap(certificates)
  const certificate = files.findLast(({ kind }) => kind === 'certificate')
  const key = files.findLast(({ kind }) => kind === 'key')
  return {
    rejectUnauthorized: verifies,
    // As OpenLDAP's library on this kind of system: the authorities of the system, until some are named.
    ca: authorities.length > 0 ? authorities : systemAuthorities(),
    ...(certificate !== undefined &&
      key !== undefined && {
        cert: certificates(certificate).join('\n'),
        key: privateKey(key),
        ...(key.passPhrase !== undefined && { passphrase: key.passPhrase }),
      }),
  }
}

/** Those of the system; of Node where it has none. */
function systemAuthorities(): string[] {
  const ofSystem = getCACertificates('system')
  return ofSystem.length > 0 ? ofSystem : getCACertificates('bundled')
}

const BLOCK = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----[\s\S]*?-----END (?:X509 |TRUSTED )?CERTIFICATE-----/g

/** The certificates of a file as PEM. */
function certificates({ form, content }: TrustedFile): string[] {
  return form === 'DER' ? [new X509Certificate(Buffer.from(content, 'latin1')).toString()] : (content.match(BLOCK) ?? [])
}

function privateKey({ form, content, passPhrase }: TrustedFile): string {
  if (form === 'PEM') return content
  const bytes = Buffer.from(content, 'latin1')
  for (const type of ['pkcs8', 'pkcs1', 'sec1'] as const) {
    try {
      const key = createPrivateKey({ key: bytes, format: 'der', type, passphrase: passPhrase })
      return key.export({ format: 'pem', type: 'pkcs8' }).toString()
    } catch {
      // Another kind of key.
    }
  }
  throw new Error('no private key in DER')
}
