import { generateKeyPairSync, type KeyObject, type X509Certificate } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import { isMalformed, issueCertificate, parseCertificate, pemText } from '@gatewright/x509'
import { readKey } from './key-files.ts'
import type { StartFiles } from './start-files.ts'

/** A certificate and its key, both PEM. */
export interface StandIn {
  readonly certificate: string
  readonly key: string
}

/**
 * A pair for a tool that cannot have the server's key, because another user owns it or a pass phrase protects it: clients
 * in memory get another certificate with a key of the same kind. Nothing else depends on it.
 */
export function standInFor({ raw, publicKey }: X509Certificate): StandIn {
  const key = newKey(publicKey)
  const real = parseCertificate(raw)
  const [notBefore, notAfter] = [new Date(0), new Date(Date.UTC(2100, 0, 1))]
  const name = isMalformed(real) ? 'unreadable' : `stand-in ${real.serial}`
  const der = issueCertificate({ key, subject: [['CN', name.slice(0, 64)]], hosts: [], notBefore, notAfter })
  return { certificate: pemText('CERTIFICATE', der), key: String(key.export({ type: 'pkcs8', format: 'pem' })) }
}

/** Whether a key needs other rights or a pass phrase. */
export function isOutOfReach(file: string, files: StartFiles): boolean {
  try {
    accessSync(Buffer.from(file, 'latin1'), constants.R_OK)
  } catch {
    return true
  }
  return readKey(file, files).kind === 'encrypted'
}

function newKey({ asymmetricKeyType }: KeyObject): KeyObject {
  if (asymmetricKeyType === 'rsa') return generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey
}
