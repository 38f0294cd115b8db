import { X509Certificate } from 'node:crypto'
import type { LintedConfiguration, LintedLine, ModuleHost, Server } from '@gatewright/api'
import { mergeFiles } from '../merge.ts'
import type { SectionSettings, ServerSettings } from '../settings.ts'
import { type EffectiveSettings, effectiveSettings } from '../start/effective-settings.ts'
import { readText } from '../start/files.ts'
import { certificatesIn } from '../start/pem.ts'

/** Where a finding is. */
export type Place = Pick<LintedLine, 'file' | 'line'>

/** A file of certificates, as far as they can be read. */
export interface CertificateFile {
  readonly path: string
  readonly place: Place
  readonly certificates: readonly X509Certificate[]
  /** False for a file without certificates, or with one that cannot be read. */
  readonly isSound: boolean
}

/** A certificate with its key. */
export interface LintedPair {
  readonly certificate: CertificateFile
  readonly keyFile: string
  readonly keyPlace: Place
}

/** A server whose connections are secured. */
export interface SecuredHost {
  readonly server: Server
  readonly settings: EffectiveSettings
  readonly pairs: readonly LintedPair[]
  /** SSLCertificateChainFile. */
  readonly chain: CertificateFile | null
  /** The lines of a directive that apply to it, those of the main server included where it inherits them. */
  linesOf(directive: string): readonly LintedLine[]
}

/** The servers with SSLEngine on, and their files. */
export function securedHosts(
  host: ModuleHost<SectionSettings, ServerSettings>,
  configuration: LintedConfiguration,
): readonly SecuredHost[] {
  const [main] = configuration.servers
  return [...effectiveSettings(host, configuration.servers)].flatMap(([server, settings]) => {
    if (!settings.isOn) return []
    const merged = (directive: string): readonly LintedLine[] => {
      const own = configuration.linesOf(server, directive)
      return server === main ? own : mergeFiles(configuration.linesOf(main, directive), own)
    }
    const { certificateFiles, keyFiles, chainFile } = settings.server
    const [certificateLines, keyLines] = [merged('SSLCertificateFile'), merged('SSLCertificateKeyFile')]
    const pairs = certificateFiles.map((path, index) => {
      const certificate = readFile(path, certificateLines[index] ?? server)
      return {
        certificate,
        keyFile: keyFiles[index] ?? path,
        keyPlace: keyFiles[index] === undefined ? certificate.place : placeOf(keyLines[index] ?? server),
      }
    })
    const chainLine = [main, server].flatMap((one) => configuration.linesOf(one, 'SSLCertificateChainFile')).at(-1)
    const chain = chainFile === undefined ? null : readFile(chainFile, chainLine ?? server)
    return [{ server, settings, pairs, chain, linesOf: merged }]
  })
}

/** What a server sends after its own certificate. */
export function sentChain({ certificates }: CertificateFile, chain: CertificateFile | null): readonly X509Certificate[] {
  if (chain === null) return certificates.slice(1)
  // As at the start: a chain in the certificate's own file begins with the certificate.
  return chain.certificates.filter(({ raw }) => certificates[0]?.raw.equals(raw) !== true)
}

function placeOf({ file, line }: Place): Place {
  return { file, line }
}

/** Names of a certificate for messages: its common name, or its whole subject. */
export function titleOf({ subject }: X509Certificate): string {
  const title = /^CN=(.*)$/m.exec(subject)?.[1] ?? subject
  return title.replaceAll('\n', ', ')
}

function readFile(path: string, place: Place): CertificateFile {
  const certificates: X509Certificate[] = []
  let isSound = true
  const texts = path.startsWith('pkcs11:') ? [] : certificatesIn(readText(path))
  for (const text of texts) {
    try {
      certificates.push(new X509Certificate(text))
    } catch {
      isSound = false
    }
  }
  return { path, place: placeOf(place), certificates, isSound: isSound && certificates.length > 0 }
}
