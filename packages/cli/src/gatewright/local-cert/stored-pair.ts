import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The organization in the issuer of every certificate of local-cert, by which they are recognized. */
export const MAKER = 'Gatewright local-cert'

/** Where a certificate and its key are kept. */
export interface PairPaths {
  readonly certificatePath: string
  readonly keyPath: string
}

/** A certificate of local-cert and its key, as they are on disk. */
export interface StoredPair extends PairPaths {
  readonly certificate: X509Certificate
  readonly key: KeyObject
  /** The contents of both files, one character for each byte. */
  readonly certificateText: string
  readonly keyText: string
  /** Whether other users may read or change the file of the key. */
  readonly isKeyOpen: boolean
}

/** A file that another program made, or that cannot be used. It is never replaced. */
export class ForeignFile extends Error {}

export function pairPaths(folder: string, name: string): PairPaths {
  return { certificatePath: join(folder, `${name}.crt`), keyPath: join(folder, `${name}.key`) }
}

/**
 * Reads a certificate of local-cert and its key.
 * @returns null if there is neither
 * @throws ForeignFile if another program made them, they do not belong together, or only one exists; the system's error if
 * one cannot be read
 */
export function readStoredPair(paths: PairPaths): StoredPair | null {
  const { certificatePath, keyPath } = paths
  const certificateText = contentOf(certificatePath)
  const keyText = contentOf(keyPath)
  if (certificateText === null && keyText === null) return null
  if (certificateText === null) throw new ForeignFile(`${keyPath} exists without its certificate ${certificatePath}`)
  const certificate = attempt(() => new X509Certificate(certificateText))
  if (certificate === undefined || !certificate.issuer.split('\n').includes(`O=${MAKER}`))
    throw new ForeignFile(`${certificatePath} is not a certificate that local-cert made`)
  if (keyText === null) throw new ForeignFile(`${certificatePath} exists without its key ${keyPath}`)
  const key = attempt(() => createPrivateKey(keyText))
  if (key === undefined || !certificate.checkPrivateKey(key))
    throw new ForeignFile(`${keyPath} is not the key of the certificate ${certificatePath}`)
  const isKeyOpen = (statSync(keyPath).mode & 0o077) !== 0
  return { certificatePath, keyPath, certificate, key, certificateText, keyText, isKeyOpen }
}

function contentOf(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** OpenSSL's reasons, such as `no start line`, help nobody. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
