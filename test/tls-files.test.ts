import { X509Certificate } from 'node:crypto'
import { chmodSync, copyFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import t, { type Test } from 'tap'
import { childrenOf, gone } from './fixtures/processes.ts'
import { MODULES, StagedServer } from './fixtures/staged-server.ts'
import { until } from './fixtures/until.ts'

const CERTIFICATES = new URL('conformance/fixtures/tls/', import.meta.url).pathname
const WORKERS = 2
/** A secured server whose key a program opens, a host with a certificate of its own, authorities and revocation lists. */
const LINES = [
  ...['authz_core', 'ssl'].map((name) => `LoadModule ${name}_module ${join(MODULES, `mod_${name}.so`)}`),
  `WorkerProcesses ${WORKERS}`,
  'SSLPassPhraseDialog exec:@ROOT@/tls/open-key',
  'SSLEngine on',
  'SSLCertificateFile tls/localhost.crt',
  'SSLCertificateKeyFile tls/localhost-encrypted.key',
  'SSLCACertificateFile tls/ca.crt',
  'SSLCACertificatePath tls/by-hash',
  'SSLCARevocationFile tls/ca.crl',
  'SSLCARevocationPath tls/crl-by-hash',
  'SSLCARevocationCheck leaf no_crl_for_cert_ok',
  'SSLVerifyClient optional',
  '<Location />\nRequire ssl-verify-client\n</Location>',
  '<VirtualHost *:@PORT@>\nServerName localhost\n</VirtualHost>',
  '<VirtualHost *:@PORT@>\nServerName a.test\nSSLCertificateFile tls/a.crt\nSSLCertificateKeyFile tls/a.key\n</VirtualHost>',
]

t.test('workers that die get successors while the files of certificates are gone, empty, damaged or others', async (t) => {
  const server = await serve(t)
  const expected = { localhost: fingerprint('localhost.crt'), 'a.test': fingerprint('a.crt') }
  for (const [damage, spoil] of Object.entries(DAMAGES)) {
    spoil(server.path('tls'))
    await replaceWorkers(server)
    for (const [name, own] of Object.entries(expected)) {
      t.match(await visit(server, name, 'alice'), { status: 200, certificate: own }, `${damage}: ${name}`)
    }
    t.match(await visit(server, 'localhost', 'revoked'), { status: 0 }, `${damage}: a revoked certificate is refused`)
    restore(server)
  }
})

t.test('a reload with damaged files is refused, and then workers still have the former ones', async (t) => {
  const server = await serve(t)
  const workers = childrenOf(server.pid)
  for (const [damage, spoil] of Object.entries(DAMAGES)) {
    if (damage === 'others') continue
    spoil(server.path('tls'))
    const refusals = refusalsIn(server)
    server.signal('SIGUSR1')
    await until('the reload is refused', () => refusalsIn(server) > refusals)
    t.match(await visit(server, 'a.test', 'alice'), { status: 200, certificate: fingerprint('a.crt') }, damage)
    restore(server)
  }
  await until('only the workers are left', () => childrenOf(server.pid).length === WORKERS)
  t.strictSame(childrenOf(server.pid), workers, 'they stayed')
  DAMAGES.gone(server.path('tls'))
  await replaceWorkers(server)
  t.match(await visit(server, 'a.test', 'alice'), { status: 200, certificate: fingerprint('a.crt') })

  restore(server)
  DAMAGES.others(server.path('tls'))
  await reload(server)
  t.match(await visit(server, 'a.test', 'alice'), { status: 200, certificate: fingerprint('b.crt') }, 'a reload reads them again')
  restore(server)
  await replaceWorkers(server)
  t.match(await visit(server, 'a.test', 'alice'), { status: 200, certificate: fingerprint('b.crt') }, 'a successor does not')
})

t.test('workers of managed domains get successors while the store is gone or damaged', async (t) => {
  const server = await StagedServer.make(t)
  server.file('htdocs/f.txt', 'hello\n')
  const modules = ['authz_core', 'ssl', 'md']
  server.configure(
    ...modules.map((name) => `LoadModule ${name}_module ${join(MODULES, `mod_${name}.so`)}`),
    `WorkerProcesses ${WORKERS}`,
    'MDomain a.test manual',
    'MDCertificateAuthority https://127.0.0.1:1/directory',
    'MDCertificateAgreement accepted',
    `<VirtualHost *:${server.port}>\nServerName a.test\nSSLEngine on\n</VirtualHost>`,
  )
  await server.start()
  const { certificate } = await visit(server, 'a.test', 'alice')
  t.not(certificate, '')
  server.file('md/md_store.json', 'nonsense')
  await replaceWorkers(server)
  t.match(await visit(server, 'a.test', 'alice'), { status: 503, certificate }, 'damaged')
  rmSync(server.path('md'), { recursive: true })
  await replaceWorkers(server)
  t.match(await visit(server, 'a.test', 'alice'), { status: 503, certificate }, 'gone')
})

const DAMAGES = {
  gone: (folder: string) => rmSync(folder, { recursive: true }),
  empty: (folder: string) => rewrite(folder, () => ''),
  damaged: (folder: string) => rewrite(folder, (text) => text.replaceAll('MII', 'MIX')),
  others: (folder: string) => {
    copyFileSync(join(CERTIFICATES, 'b.crt'), join(folder, 'a.crt'))
    copyFileSync(join(CERTIFICATES, 'b.key'), join(folder, 'a.key'))
  },
} as const

function rewrite(folder: string, change: (text: string) => string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isFile() && entry.name !== 'open-key') writeFileSync(path, change(readFileSync(path, 'latin1')))
  }
}

function restore(server: StagedServer): void {
  cpSync(CERTIFICATES, server.path('tls'), { recursive: true })
  const [, secret = ''] = /-passout pass:(\S+)/.exec(server.read('tls/make-certificates.sh')) ?? []
  chmodSync(server.file('tls/open-key', `#!/bin/sh\necho '${secret}'\n`), 0o755)
}

async function serve(t: Test): Promise<StagedServer> {
  const server = await StagedServer.make(t)
  server.file('htdocs/f.txt', 'hello\n')
  restore(server)
  server.configure(...LINES.map((line) => line.replaceAll('@PORT@', `${server.port}`)))
  await server.start()
  return server
}

/** Kills each worker, and waits for its successor. */
async function replaceWorkers(server: StagedServer): Promise<void> {
  const workers = childrenOf(server.pid)
  for (const pid of workers) process.kill(pid, 'SIGKILL')
  await gone(workers)
  await until('their successors run', () => childrenOf(server.pid).length === WORKERS)
}

async function reload(server: StagedServer): Promise<void> {
  const former = childrenOf(server.pid)
  server.signal('SIGUSR1')
  await gone(former)
}

function refusalsIn(server: StagedServer): number {
  return server.errors().filter((line) => line.includes('the server keeps its current configuration')).length
}

/** One request with a certificate, and the server's. The status is 0 if the connection ends without an answer. */
function visit(
  { port }: StagedServer,
  servername: string,
  client: string,
): Promise<{ readonly status: number; readonly certificate: string }> {
  const [cert, key] = ['crt', 'key'].map((suffix) => readFileSync(join(CERTIFICATES, `${client}.${suffix}`)))
  const socket = connect({ port, host: '127.0.0.1', servername, cert, key, rejectUnauthorized: false })
  let text = ''
  let certificate = ''
  socket.on('secureConnect', () => {
    certificate = socket.getPeerCertificate().fingerprint256
  })
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
  })
  socket.on('error', () => undefined)
  socket.write(`GET /f.txt HTTP/1.0\r\nHost: ${servername}\r\n\r\n`)
  return new Promise((resolve) =>
    socket.on('close', () => resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), certificate })),
  )
}

function fingerprint(name: string): string {
  return new X509Certificate(readFileSync(join(CERTIFICATES, name))).fingerprint256
}
