import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Certificate, isMalformed, parseCertificate, readPem } from '../../src/index.ts'

/** The certificates of the recorded cases. */
export const FIXTURES: string = join(import.meta.dirname, '../../../../test/conformance/fixtures/tls')

/** A reason to skip tests that need the program. */
export const withoutOpenssl: string | false =
  spawnSync('openssl', ['version']).error === undefined ? false : 'openssl is not installed'

/** Runs openssl. @returns what it prints, as a byte string @throws Error if it fails */
export function openssl(words: readonly string[], input?: Uint8Array | string): string {
  const { status, stdout, stderr } = spawnSync('openssl', words, { input, encoding: 'latin1', maxBuffer: 1 << 26 })
  if (status !== 0) throw new Error(`openssl ${words.join(' ')}: ${stderr}`)
  return stdout
}

/** The DER of the only block of a file of the recorded cases. */
export function fixture(name: string): Buffer {
  const der = readPem(readFileSync(join(FIXTURES, name)))[0]?.der
  if (der === undefined) throw new Error(`no PEM in ${name}`)
  return der
}

/** Parses a certificate. @throws Error if it is malformed */
export function parsed(der: Uint8Array): Certificate {
  const certificate = parseCertificate(der)
  if (isMalformed(certificate)) throw new Error(`${certificate.malformed} at ${certificate.offset}`)
  return certificate
}
