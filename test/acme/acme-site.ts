import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type PeerCertificate, type TLSSocket } from 'node:tls'
import { MODULES, type Owner, StagedServer } from '../fixtures/staged-server.ts'
import { freePorts, type Pebble, type PebbleOptions, startPebble } from './pebble.ts'

/** What a server with managed domains is made of. */
export interface AcmeSiteOptions {
  readonly pebble?: Partial<PebbleOptions>
  /** The names of its only MDomain line. */
  readonly domains: readonly string[]
  /** More lines of the main server; `@CA@` is the directory of the CA, `@ROOT@` the server root. */
  readonly lines?: readonly string[]
  /** More lines of both virtual hosts. */
  readonly inHosts?: readonly string[]
  /** Without these the CA can reach the server on both ports. */
  readonly ports?: 'http' | 'https' | 'none'
  /** The program to serve with; the staged one if absent. */
  readonly program?: string
}

/** What a client of TLS is shown. */
export interface Shown {
  readonly certificate: PeerCertificate
  readonly status: number
  /** The answer with its fields. */
  readonly text: string
}

/** A real server with managed domains, and a CA, both on loopback. */
export class AcmeSite {
  readonly server: StagedServer
  readonly pebble: Pebble
  readonly httpPort: number
  readonly httpsPort: number
  readonly names: readonly string[]

  private constructor(
    server: StagedServer,
    pebble: Pebble,
    ports: readonly [http: number, https: number],
    names: readonly string[],
  ) {
    this.server = server
    this.pebble = pebble
    ;[this.httpPort, this.httpsPort] = ports
    this.names = names
  }

  /** Makes both; the server does not run yet. */
  static async make(t: Owner, options: AcmeSiteOptions): Promise<AcmeSite> {
    const server = await StagedServer.make(t, options.program)
    const [httpPort, httpsPort, closed] = await freePorts(3, [server.port])
    const pebble = await startPebble({
      folder: server.path('ca'),
      httpPort,
      tlsPort: httpsPort,
      avoid: [server.port, httpPort, httpsPort],
      ...options.pebble,
    })
    t.teardown(() => pebble.stop())
    execFileSync('chmod', ['755', server.path('ca')])
    const [name] = options.domains
    const reach = options.ports ?? 'both'
    const map = [
      `http:${reach === 'http' || reach === 'both' ? httpPort : closed}`,
      `https:${reach === 'https' || reach === 'both' ? httpsPort : closed}`,
    ]
    const host = (port: number, lines: readonly string[]): string[] => [
      `<VirtualHost *:${port}>`,
      `ServerName ${name.replace('*.', 'www.')}`,
      ...options.domains.slice(1).map((alias) => `ServerAlias ${alias}`),
      ...lines,
      ...(options.inHosts ?? []),
      '</VirtualHost>',
    ]
    server.configure(
      ...['authz_core', 'md', 'ssl', 'status'].map(
        (module) => `LoadModule ${module}_module ${join(MODULES, `mod_${module}.mjs`)}`,
      ),
      `Listen 127.0.0.1:${httpPort}`,
      `Listen 127.0.0.1:${httpsPort}`,
      'LogLevel info md:debug',
      '<Directory "@ROOT@/htdocs">',
      'Require all granted',
      '</Directory>',
      'MDCertificateAgreement accepted',
      'MDContactEmail admin@example.org',
      `MDCACertificateFile ${pebble.authority}`,
      `MDPortMap ${map.join(' ')}`,
      'MDRetryDelay 1s',
      'MDPrivateKeys secp256r1',
      ...(options.lines?.some((line) => line.includes('MDCertificateAuthority'))
        ? []
        : [`MDCertificateAuthority ${pebble.directory}`]),
      ...(options.lines ?? []).map((line) => line.replaceAll('@CA@', pebble.directory)),
      `MDomain ${options.domains.join(' ')}`,
      ...host(httpPort, []),
      ...host(httpsPort, ['SSLEngine on']),
    )
    server.file('htdocs/index.html', 'hello\n')
    return new AcmeSite(server, pebble, [httpPort, httpsPort], options.domains)
  }

  /** A program in the server root that the server may run. */
  program(name: string, text: string): string {
    const path = this.server.file(name, `#!/bin/sh\n${text}\n`)
    chmodSync(path, 0o755)
    return path
  }

  /** A file that everybody may write. */
  shared(name: string): string {
    const path = join(this.server.root, name)
    writeFileSync(path, '')
    chmodSync(path, 0o666)
    return path
  }

  get store(): string {
    return this.server.path('md')
  }

  has(file: string): boolean {
    return existsSync(join(this.store, file))
  }

  /** Removes a folder of the store. */
  remove(folder: string): void {
    rmSync(join(this.store, folder), { recursive: true })
  }

  /** What a client gets that asks for a path by https. */
  ask(path: string, name: string = this.names[0].replace('*.', 'www.'), alpn?: string): Promise<Shown> {
    return new Promise((resolve, reject) => {
      const socket: TLSSocket = connect(
        {
          host: '127.0.0.1',
          port: this.httpsPort,
          servername: name,
          rejectUnauthorized: false,
          ...(alpn !== undefined && { ALPNProtocols: [alpn] }),
        },
        () => {
          const certificate = socket.getPeerCertificate()
          const chunks: Buffer[] = []
          socket.on('data', (bytes: Buffer) => chunks.push(bytes))
          socket.on('close', () => {
            const text = Buffer.concat(chunks).toString('latin1')
            resolve({ certificate, status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text })
          })
          socket.write(`GET ${path} HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`)
        },
      )
      socket.on('error', reject)
    })
  }

  /** Waits until a condition holds. @throws Error with the end of the error log when it does not within two minutes */
  async until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
    for (const end = Date.now() + 120_000; Date.now() < end; ) {
      if (await holds()) return
      await sleep(100)
    }
    throw new Error(`${what}: not within two minutes\n${this.server.read('logs/error_log').split('\n').slice(-40).join('\n')}`)
  }

  /** Waits for a certificate of the CA. @returns what a client is shown @param former the serial of one that it must not be */
  async certified(former?: string): Promise<Shown> {
    let shown: Shown | undefined
    await this.until('a certificate of the CA is served', async () => {
      shown = await this.ask('/index.html').catch(() => undefined)
      const { certificate, status } = shown ?? {}
      return status === 200 && /^Pebble/.test(String(certificate?.issuer.CN)) && certificate?.serialNumber !== former
    })
    if (shown === undefined) throw new Error('nothing was shown')
    return shown
  }
}
