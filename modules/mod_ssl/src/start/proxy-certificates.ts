import { X509Certificate } from 'node:crypto'
import type { ProxySettings } from '../settings.ts'
import { certificatesIn, isEncrypted, privateKeyIn } from './pem.ts'
import type { StartFiles } from './start-files.ts'
import type { StartLog } from './start-log.ts'

/** A certificate that a proxy shows to back ends. PEM. */
export interface MachineCertificate {
  /** The certificate, then those of its issuers. */
  readonly chain: readonly string[]
  /** Without a pass phrase. */
  readonly key: string
}

/** Reads SSLProxyMachineCertificate*. */
export function readMachineCertificates(
  { machineCertificateFile, machineCertificatePath, machineChainFile }: Readonly<ProxySettings>,
  files: StartFiles,
  log: StartLog,
): readonly MachineCertificate[] {
  if (machineCertificateFile === undefined && machineCertificatePath === undefined) return []
  const texts = [
    ...(machineCertificateFile === undefined ? [] : [files.text(machineCertificateFile)]),
    ...(machineCertificatePath === undefined
      ? []
      : files.namesIn(machineCertificatePath).map((name) => files.text(`${machineCertificatePath}/${name}`))),
  ]
  const usable = texts.flatMap((text) => {
    const key = privateKeyIn(text)
    const certificates = certificatesIn(text)
    return certificates.length > 0 && key !== undefined && !isEncrypted(key)
      ? [{ certificate: certificates[0], key: key.text }]
      : []
  })
  if (usable.length === 0) log.write('warn', 'AH02206', 'no client certs found for SSL proxy')
  else log.write('debug', 'AH02207', `loaded ${usable.length} client certs for SSL proxy`)
  const issuers = machineChainFile === undefined ? [] : certificatesIn(files.text(machineChainFile))
  if (usable.length > 0 && machineChainFile !== undefined && issuers.length === 0) {
    log.die('AH02208', `Error loading SSLProxyMachineCertificateChainFile ${machineChainFile}`)
  }
  return usable.map(({ certificate, key }) => ({ chain: chainOf(certificate, issuers), key }))
}

/** A certificate and its issuers, as far as they are known; roots are not sent. */
function chainOf(certificate: string, issuers: readonly string[]): readonly string[] {
  const known = issuers.map((pem) => ({ pem, parsed: new X509Certificate(pem) }))
  const chain = [certificate]
  let last = new X509Certificate(certificate)
  while (chain.length <= known.length) {
    const next = known.find(({ parsed }) => last.checkIssued(parsed))
    if (next === undefined || next.parsed.subject === next.parsed.issuer) break
    chain.push(next.pem)
    last = next.parsed
  }
  return chain
}
