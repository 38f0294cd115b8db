import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { findProgram } from '../fixtures/find-program.ts'
import { freePort } from '../fixtures/free-port.ts'
import { MODULES, type Owner, StagedServer } from '../fixtures/staged-server.ts'
import { type PairFiles, TlsAuthority } from '../fixtures/tls-authority.ts'
import { connectsTo } from './connections.ts'

/** A server with one process that serves, or with one worker. */
export interface Contestant {
  readonly name: string
  readonly pid: number
  readonly port: number
  readonly hasTls: boolean
}

/** Seconds for which connections stay open. */
const KEPT = 3600

/** Starts this server with TLS and without, one of Node alone, and nginx if it is installed. */
export async function startContestants(owner: Owner): Promise<readonly Contestant[]> {
  const server = await StagedServer.make(owner)
  const pair = new TlsAuthority(server.path('certificates'), 'Authority').issue('localhost', { hosts: ['localhost'] })
  const nginx = findProgram('nginx')
  return [
    await startOurs(server, pair),
    // Another process: memory that one gave back would count for nothing.
    await startOurs(await StagedServer.make(owner), null),
    await bareNode(owner, pair),
    ...(nginx === null ? [] : [await startNginx(owner, nginx, server, pair)]),
  ]
}

async function startOurs(server: StagedServer, pair: PairFiles | null): Promise<Contestant> {
  server.file('htdocs/f.txt', 'x\n')
  server.configure(
    ...['authz_core', 'ssl'].map((name) => `LoadModule ${name}_module ${join(MODULES, `mod_${name}.mjs`)}`),
    `KeepAliveTimeout ${KEPT}\nTimeout ${KEPT}\nMaxRequestWorkers 20000`,
    '<Location />\nRequire all granted\n</Location>',
    ...(pair === null ? [] : ['SSLEngine on', `SSLCertificateFile ${pair.certificate}`, `SSLCertificateKeyFile ${pair.key}`]),
  )
  const pid = await server.start()
  return { name: pair === null ? 'Gatewright without TLS' : 'Gatewright', pid, port: server.port, hasTls: pair !== null }
}

async function bareNode(owner: Owner, { certificate, key }: PairFiles): Promise<Contestant> {
  const port = await freePort()
  const words = [join(import.meta.dirname, 'bare-server.ts'), String(port), certificate, key]
  return started(owner, 'bare Node', port, spawn(process.execPath, words, { stdio: 'inherit' }))
}

async function startNginx(owner: Owner, program: string, server: StagedServer, pair: PairFiles): Promise<Contestant> {
  const port = await freePort()
  const config = server.file(
    'conf/nginx.conf',
    `daemon off; worker_processes 1; worker_rlimit_nofile 65536; pid ${server.path('logs/nginx.pid')}; error_log ${server.path('logs/nginx')};
events { worker_connections 20000; }
http { access_log off; keepalive_timeout ${KEPT}s;
  server { listen 127.0.0.1:${port} ssl; ssl_certificate ${pair.certificate}; ssl_certificate_key ${pair.key}; return 200 x; } }
`,
  )
  const child = spawn(program, ['-c', config, '-p', server.root], { stdio: ['ignore', 'ignore', 'inherit'] })
  return started(owner, 'nginx', port, child)
}

async function started(owner: Owner, name: string, port: number, child: ChildProcess): Promise<Contestant> {
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  owner.teardown(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const failed = ended.then(() => {
    throw new Error(`${name} has ended`)
  })
  failed.catch(() => undefined)
  await Promise.race([connectsTo(port), failed])
  return { name, pid: child.pid ?? 0, port, hasTls: true }
}
