import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { FileTree } from '@gatewright/testing'

/** Certificates of an authority in a folder, with `openssl ocsp` as its responder. */
export interface OcspAuthority {
  readonly folder: string
  readonly port: number
  read(name: string): string
  files(...names: readonly string[]): FileTree
}

const CLIENT = 'extendedKeyUsage=clientAuth'

/** Makes the certificates: server, good, revoked, unknown (to the responder), nourl, signer, rogue (signs without the right), rsa (signs with RSA-PSS);
 * below and under-revoked are of the authorities middle and revoked-middle, whose certificates they contain. */
export async function makeAuthority(folder: string): Promise<OcspAuthority> {
  const port = await freePort()
  const url = `authorityInfoAccess=OCSP;URI:http://127.0.0.1:${port}/`
  const openssl = (...words: readonly string[]): void => void execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' })
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  openssl('req', '-x509', ...ec, '-keyout', 'ca.key', '-out', 'ca.crt', '-subj', '/CN=Root', '-days', '30')
  let issuer = 'ca'
  const make = (name: string, serial: number, ...extensions: readonly string[]): void => {
    openssl('req', ...ec, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`)
    writeFileSync(join(folder, 'extensions'), extensions.join('\n'))
    const issue = ['-CA', `${issuer}.crt`, '-CAkey', `${issuer}.key`, '-set_serial', String(serial), '-days', '30']
    openssl('x509', '-req', '-in', `${name}.csr`, ...issue, '-extfile', 'extensions', '-out', `${name}.crt`)
  }
  make('server', 0x11, url, 'subjectAltName=DNS:localhost')
  make('good', 0x12, url, CLIENT)
  make('revoked', 0x13, url, CLIENT)
  make('unknown', 0x14, url, CLIENT)
  make('nourl', 0x15, CLIENT)
  make('signer', 0x16, 'extendedKeyUsage=OCSPSigning')
  make('rogue', 0x17, CLIENT)
  for (const [serial, middle, leaf] of [
    [0x21, 'middle', 'below'],
    [0x22, 'revoked-middle', 'under-revoked'],
  ] as const) {
    issuer = 'ca'
    make(middle, serial, url, 'basicConstraints=critical,CA:TRUE')
    issuer = middle
    make(leaf, serial + 0x10, CLIENT)
    appendFileSync(join(folder, `${leaf}.crt`), readFileSync(join(folder, `${middle}.crt`)))
  }
  issuer = 'ca'
  ec.splice(1, 3, 'rsa:2048')
  make('rsa', 0x18, 'extendedKeyUsage=OCSPSigning')
  const entry = (kind: string, date: string, serial: string): string =>
    `${kind}\t360101000000Z\t${date}\t${serial}\tunknown\t/CN=${serial}\n`
  const valid = ['11', '12', '15', '21'].map((serial) => entry('V', '', serial))
  const revoked = ['13', '22'].map((serial) => entry('R', '200101000000Z,keyCompromise', serial))
  writeFileSync(join(folder, 'index.txt'), [...valid, ...revoked].join(''))
  const read = (name: string): string => readFileSync(join(folder, name), 'latin1')
  return { folder, port, read, files: (...names) => Object.fromEntries(names.map((name) => [`conf/${name}`, read(name)])) }
}

/**
 * Starts the responder.
 * @param signer whose certificate and key sign
 * @param more further options of openssl ocsp
 * @returns a function that ends it
 */
export async function startResponder(
  { folder, port }: OcspAuthority,
  signer: string,
  ...more: readonly string[]
): Promise<() => Promise<void>> {
  const words = ['ocsp', '-index', 'index.txt', '-port', String(port), '-CA', 'ca.crt', '-ignore_err']
  const child = spawn('openssl', [...words, '-rsigner', `${signer}.crt`, '-rkey', `${signer}.key`, ...more], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error('openssl ocsp has ended')))
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text: Buffer) => {
        if (text.includes('ACCEPT')) resolve()
      })
    }
  })
  return () => ended(child)
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('no port'))
      else server.close(() => resolve(address.port))
    })
  })
}
