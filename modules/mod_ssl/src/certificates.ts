import {
  type Certificate,
  certificateVariable,
  extensionTexts,
  isMalformed,
  listedVariables,
  nameAsOneLine,
  nameAsRfc2253,
  parseCertificate,
} from '@gatewright/x509'
import type { CertificateReader } from './access/certificate-reader.ts'

/** Reads certificates, each once as long as its bytes are in use. One that cannot be read has no variables. */
export class Certificates implements CertificateReader {
  readonly #parsed = new WeakMap<Uint8Array, Certificate | { readonly unreadable: true }>()

  variable(der: Uint8Array, name: string, names: 'rfc2253' | 'one line'): string | undefined {
    const certificate = this.#read(der)
    if (certificate === undefined) return undefined
    return certificateVariable(certificate, spelt(name), { nameText: names === 'one line' ? nameAsOneLine : nameAsRfc2253 })
  }

  listed(der: Uint8Array, whose: 'client' | 'server'): readonly (readonly [string, string])[] {
    const certificate = this.#read(der)
    return certificate === undefined ? [] : listedVariables(certificate, whose === 'client' ? 'msUPN' : 'dnsSRV')
  }

  extension(der: Uint8Array, identifier: string): readonly string[] {
    const certificate = this.#read(der)
    return certificate === undefined ? [] : extensionTexts(certificate, identifier)
  }

  #read(der: Uint8Array): Certificate | undefined {
    let known = this.#parsed.get(der)
    if (known === undefined) {
      const parsed = parseCertificate(der)
      known = isMalformed(parsed) ? { unreadable: true } : parsed
      this.#parsed.set(der, known)
    }
    return 'unreadable' in known ? undefined : known
  }
}

/** Expressions have all names in capitals, certificates a few in both cases. */
function spelt(name: string): string {
  return name
    .replace(/(?<=^[SI]_DN_)EMAIL(?=_|$)/, 'Email')
    .replace(/^SAN_EMAIL_/, 'SAN_Email_')
    .replace(/^SAN_OTHER_MSUPN_/, 'SAN_OTHER_msUPN_')
    .replace(/^SAN_OTHER_DNSSRV_/, 'SAN_OTHER_dnsSRV_')
}
