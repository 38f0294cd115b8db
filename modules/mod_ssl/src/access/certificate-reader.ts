/** Reads certificates in DER. */
export interface CertificateReader {
  /**
   * A variable by the rest of its name: `S_DN_CN`, `M_SERIAL`, `CERT`. Undefined when the certificate has none.
   * @param names how distinguished names are printed
   */
  variable(certificate: Uint8Array, name: string, names: 'rfc2253' | 'one line'): string | undefined
  /** Names and values of the parts of names, and of alternative names, as StdEnvVars has them. */
  listed(certificate: Uint8Array, whose: 'client' | 'server'): readonly (readonly [string, string])[]
  /** Values of an extension, by its identifier `1.2.3`. */
  extension(certificate: Uint8Array, identifier: string): readonly string[]
}
