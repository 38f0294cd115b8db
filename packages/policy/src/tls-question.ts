/** The TLS connection of a question. */
export interface TlsQuestion {
  /** The name in the ClientHello (SNI); null sends none. */
  readonly serverName: string | null
  /** The only version that the client offers; null: TLS 1.2 and 1.3. */
  readonly version: TlsVersion | null
  /** Cipher suites that the client offers, by OpenSSL's names; null: the usual ones. */
  readonly ciphers: string | null
  readonly certificate: ClientCertificate | null
}

export type TlsVersion = 'TLSv1.2' | 'TLSv1.3'

/** The client's certificate. */
export interface ClientCertificate {
  /** Where it comes from, for people. */
  readonly file: string
  /** PEM: the certificate, those of its issuers, its private key. Empty where others see the question. */
  readonly pem: string
}

/** How the handshake of a question ended. */
export interface TlsHandshake {
  /** `TLSv1.3`; '' if there was none. */
  readonly protocol: string
  /** OpenSSL's name of the cipher suite; '' if there was none. */
  readonly cipher: string
  /** The certificate that the server sent; DER. */
  readonly serverCertificate: Uint8Array | null
  /** Why the handshake failed, or the connection ended without an answer: the alert. '' if it did not. */
  readonly failure: string
}
