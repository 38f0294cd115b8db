import type { Condition } from '@gatewright/api'
import type { CacheChoice } from './cache-argument.ts'
import type { SectionOptions } from './options.ts'
import type { ProtocolSet } from './protocol-versions.ts'

/** SSLVerifyClient and SSLProxyVerify. */
export type VerifyMode = 'none' | 'optional' | 'require' | 'optional_no_ca'

/** SSLCARevocationCheck and SSLOCSPEnable: whose certificates are checked. */
export interface RevocationCheck {
  readonly whose: 'nobody' | 'leaf' | 'chain'
  /** `no_crl_for_cert_ok`, `no_ocsp_for_cert_ok`. */
  readonly missingIsFine: boolean
}

/** SSLPassPhraseDialog. */
export type PassPhraseDialog =
  | { readonly kind: 'builtin' }
  /** `exec:`: run for each key. `|`: one conversation for all. The path is absolute, or a command line. */
  | { readonly kind: 'exec' | 'pipe'; readonly program: string }

/** One line of SSLOpenSSLConfCmd. */
export interface ConfCommand {
  readonly name: string
  readonly value: string
}

/**
 * What the directives set that are allowed in sections too, where they are outside of them: with the settings
 * of a server, not of a folder. Undefined is unset.
 */
export interface AuthenticationSettings {
  cipherList?: string
  /** SSLCipherSuite TLSv1.3. */
  cipherSuites?: string
  verifyClient?: VerifyMode
  verifyDepth?: number
  caFile?: string
  caPath?: string
}

/** SSLOCSP*. Times in seconds. */
export interface OcspSettings {
  enable?: RevocationCheck
  defaultResponder?: string
  overrideResponder?: boolean
  timeSkew?: number
  maxAge?: number
  timeout?: number
  useNonce?: boolean
  proxyUrl?: string
  noVerify?: boolean
  responderCertificates?: string
}

/** SSLUseStapling and SSLStapling*, except for its cache. Times in seconds. */
export interface StaplingSettings {
  enabled?: boolean
  timeSkew?: number
  timeout?: number
  maxAge?: number
  cacheTimeout?: number
  errorCacheTimeout?: number
  returnErrors?: boolean
  fakeTryLater?: boolean
  forceUrl?: string
}

/** The settings of the process, which only the main server has. */
export interface ProcessSettings {
  sessionCache?: CacheChoice
  staplingCache?: CacheChoice
  fips?: boolean
  sniPolicy?: 'strict' | 'secure' | 'authonly' | 'insecure'
}

/** What one server says. Undefined is unset. */
export interface ServerSettings {
  readonly process: ProcessSettings
  engine?: 'on' | 'off' | 'optional'
  protocols?: ProtocolSet
  honorCipherOrder?: boolean
  compression?: boolean
  sessionTickets?: boolean
  insecureRenegotiation?: boolean
  strictSniCheck?: boolean
  /** Seconds. */
  sessionTimeout?: number
  certificateFiles: readonly string[]
  keyFiles: readonly string[]
  chainFile?: string
  ticketKeyFile?: string
  requestedNamesFile?: string
  requestedNamesPath?: string
  crlFile?: string
  crlPath?: string
  crlCheck?: RevocationCheck
  passPhraseDialog?: PassPhraseDialog
  confCommands: readonly ConfCommand[]
  readonly ocsp: OcspSettings
  readonly stapling: StaplingSettings
}

/** SSLProxy*. */
export interface ProxySettings {
  engine?: boolean
  protocols?: ProtocolSet
  cipherList?: string
  cipherSuites?: string
  verify?: VerifyMode
  verifyDepth?: number
  caFile?: string
  caPath?: string
  crlFile?: string
  crlPath?: string
  crlCheck?: RevocationCheck
  machineCertificateFile?: string
  machineCertificatePath?: string
  machineChainFile?: string
  checkExpire?: boolean
  checkCn?: boolean
  checkName?: boolean
}

/** One SSLRequire line. */
export interface Requirement {
  /** As it is written, for the log. */
  readonly source: string
  readonly condition: Condition
}

/** What one section says, or several merged ones. */
export interface SectionSettings {
  requireSsl: boolean
  requirements: readonly Requirement[]
  options: SectionOptions
  cipherList?: string
  verifyClient?: VerifyMode
  verifyDepth?: number
  userName?: string
  /** Bytes. */
  renegotiationBuffer?: number
  /** Of the lines outside of sections. */
  readonly server: AuthenticationSettings
  readonly proxy: ProxySettings
}
