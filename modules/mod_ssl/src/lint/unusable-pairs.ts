import { accessSync, constants } from 'node:fs'
import type { LintFinding, LintRule, ModuleHost } from '@gatewright/api'
import type { SectionSettings, ServerSettings } from '../settings.ts'
import { readKey } from '../start/key-files.ts'
import { StartFiles } from '../start/start-files.ts'
import { type CertificateFile, type LintedPair, type SecuredHost, securedHosts } from './secured-hosts.ts'

/** A certificate and a key with which the server does not start, or that are not those of each other. */
export function unusablePairs(host: ModuleHost<SectionSettings, ServerSettings>): LintRule {
  return {
    about: 'a certificate and a key that do not match, or a file without certificate or key: the server does not start',
    severity: 'error',
    find: (configuration) =>
      securedHosts(host, configuration).flatMap((secured) => secured.pairs.flatMap((pair) => findingIn(pair, secured))),
  }
}

function findingIn({ certificate, keyFile, keyPlace }: LintedPair, { pairs, settings }: SecuredHost): readonly LintFinding[] {
  if (isDevice(certificate.path) || isDevice(keyFile)) return []
  if (!certificate.isSound && isReadable(certificate.path)) {
    const hint = 'name a PEM file that begins with -----BEGIN CERTIFICATE----- (openssl x509 -inform der converts DER)'
    return [{ ...certificate.place, message: `${certificate.path} has no certificate that can be read (AH02562)`, hint }]
  }
  // Lint of an ordinary user cannot read keys, which is as it should be.
  const [own] = certificate.certificates
  if (own === undefined || !isReadable(keyFile)) return []
  const read = readKey(keyFile, StartFiles.onDisk())
  if (read.kind === 'none') {
    const hint = 'name the file with the private key of this certificate in SSLCertificateKeyFile'
    return [{ ...keyPlace, message: `${keyFile} has no private key that can be read (AH02564)`, hint }]
  }
  if (read.kind !== 'key' || own.checkPrivateKey(read.key)) return []
  const other = pairs.find((pair) => pair.keyFile !== keyFile && isKeyOf(certificate, pair.keyFile))
  const where = other === undefined ? '' : `: ${other.keyFile} has it`
  return [
    {
      ...keyPlace,
      message: `the key in ${keyFile} is not that of the certificate in ${certificate.path}: ${settings.id} does not start (AH02565)`,
      hint: `name the key with which this certificate was requested${where}; with several certificates, the keys are in the same order`,
    },
  ]
}

function isKeyOf({ certificates: [own] }: CertificateFile, file: string): boolean {
  const read = readKey(file, StartFiles.onDisk())
  return read.kind === 'key' && own !== undefined && own.checkPrivateKey(read.key)
}

function isDevice(name: string): boolean {
  return name.startsWith('pkcs11:')
}

function isReadable(path: string): boolean {
  try {
    accessSync(Buffer.from(path, 'latin1'), constants.R_OK)
    return true
  } catch {
    return false
  }
}
