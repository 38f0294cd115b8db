import { join } from 'node:path'
import { MODULES, type Owner, StagedServer } from '../fixtures/staged-server.ts'
import { TlsAuthority } from '../fixtures/tls-authority.ts'

const DEFAULTS = join(import.meta.dirname, '../../conf/extra/tls-defaults.conf')

/** A server for scanners at https://localhost, with certificates for keys of two kinds. */
export interface ScannedServer {
  readonly port: number
  /** The file of the authority's certificate. */
  readonly authority: string
  readonly folder: string
}

/** Starts one with the good defaults, or with other lines instead of them. */
export async function startScannedServer(
  owner: Owner,
  lines: readonly string[] = [`Include ${DEFAULTS}`],
): Promise<ScannedServer> {
  const server = await StagedServer.make(owner)
  const authority = new TlsAuthority(server.path('certificates'), 'Authority for tests')
  const hosts = ['localhost', '127.0.0.1']
  const pairs = (['ec', 'rsa'] as const).map((keyType) => authority.issue(`server-${keyType}`, { hosts, keyType }))
  server.configure(
    ...['authz_core', 'dir', 'headers', 'mime', 'socache_shmcb', 'ssl'].map(
      (name) => `LoadModule ${name}_module ${join(MODULES, `mod_${name}.mjs`)}`,
    ),
    `TypesConfig ${join(import.meta.dirname, '../../conf/mime.types')}`,
    ...lines,
    'SSLEngine on',
    ...pairs.flatMap(({ certificate, key }) => [`SSLCertificateFile ${certificate}`, `SSLCertificateKeyFile ${key}`]),
    '<Directory "@ROOT@/htdocs">',
    'Require all granted',
    '</Directory>',
  )
  server.file('htdocs/index.html', '<!DOCTYPE html><title>Scan me</title>\n')
  await server.start()
  return { port: server.port, authority: authority.certificate, folder: server.root }
}
