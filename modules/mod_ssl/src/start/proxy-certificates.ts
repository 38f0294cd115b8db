import type { ProxySettings } from '../settings.ts'
import { certificatesIn, isEncrypted, privateKeyIn } from './pem.ts'
import type { StartFiles } from './start-files.ts'
import type { StartLog } from './start-log.ts'

/** Checks the certificates that a proxy shows to servers behind it. */
export function checkMachineCertificates(
  { machineCertificateFile, machineCertificatePath, machineChainFile }: Readonly<ProxySettings>,
  files: StartFiles,
  log: StartLog,
): void {
  if (machineCertificateFile === undefined && machineCertificatePath === undefined) return
  const texts = [
    ...(machineCertificateFile === undefined ? [] : [files.text(machineCertificateFile)]),
    ...(machineCertificatePath === undefined
      ? []
      : files.namesIn(machineCertificatePath).map((name) => files.text(`${machineCertificatePath}/${name}`))),
  ]
  const usable = texts.filter((text) => {
    const key = privateKeyIn(text)
    return certificatesIn(text).length > 0 && key !== undefined && !isEncrypted(key)
  })
  if (usable.length === 0) log.write('warn', 'AH02206', 'no client certs found for SSL proxy')
  else log.write('debug', 'AH02207', `loaded ${usable.length} client certs for SSL proxy`)
  if (usable.length > 0 && machineChainFile !== undefined && certificatesIn(files.text(machineChainFile)).length === 0) {
    log.die('AH02208', `Error loading SSLProxyMachineCertificateChainFile ${machineChainFile}`)
  }
}
