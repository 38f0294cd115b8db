import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { generateKeyPairSync, randomInt, X509Certificate } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMalformed, issueAuthority, issueCertificate, parseCertificate, pemText } from '@gatewright/x509'

/** What a CA for tests is started with. */
export interface PebbleOptions {
  /** A folder of its own for configuration and certificates. */
  readonly folder: string
  /** Port on which it looks for http-01 answers. */
  readonly httpPort: number
  /** Port on which it looks for tls-alpn-01 answers. */
  readonly tlsPort: number
  /** Keys of external accounts by identifier, in Base64 for URLs; without them none is required. */
  readonly externalKeys?: Readonly<Record<string, string>>
  /** Seconds that its certificates are valid. */
  readonly validity?: number
  /** Seconds that certificates of its profiles are valid; versions before 2.7 have none. */
  readonly profiles?: Readonly<Record<string, number>>
  /** Nonces of a hundred that it refuses. */
  readonly badNonces?: number
  /** The port to listen on, for one that is started again. */
  readonly port?: number
  /** Ports that others will use. */
  readonly avoid?: readonly number[]
  /** Takes the certificates that are in the folder. */
  readonly sameCertificates?: true
}

/** A CA on loopback, with a name server that answers 127.0.0.1 for every name. */
export interface Pebble {
  readonly directory: string
  readonly port: number
  /** File with the authority of its own HTTPS certificate. */
  readonly authority: string
  /** Sets a TXT record; an empty text removes it. */
  setTxt(host: string, value: string): Promise<void>
  /** URL of the commands of the name server. */
  readonly nameServer: string
  /** PEM of the root of its certificates. */
  root(): Promise<string>
  stop(): Promise<void>
}

/** Whether the CA's programs are installed. */
export function hasPebble(): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v pebble && command -v pebble-challtestsrv'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Starts the CA and its name server, and waits until both answer. */
export async function startPebble(options: PebbleOptions): Promise<Pebble> {
  const [port, management, dns, commands] = await freePorts(4, options.avoid ?? [options.httpPort, options.tlsPort])
  const listen = options.port ?? port
  mkdirSync(options.folder, { recursive: true })
  const file = (name: string): string => join(options.folder, name)
  if (options.sameCertificates !== true) makeCertificates(file)
  const config = {
    listenAddress: `127.0.0.1:${listen}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: file('pebble.crt'),
    privateKey: file('pebble.key'),
    httpPort: options.httpPort,
    tlsPort: options.tlsPort,
    ocspResponderURL: '',
    externalAccountBindingRequired: options.externalKeys !== undefined,
    externalAccountMACKeys: options.externalKeys ?? {},
    profiles: profilesOf(options.profiles ?? (options.validity === undefined ? {} : { default: options.validity })),
    ...(options.validity !== undefined && { certificateValidityPeriod: options.validity }),
  }
  writeFileSync(file('pebble.json'), JSON.stringify({ pebble: config }))
  const names = spawn(
    'pebble-challtestsrv',
    [
      ...['-dns01', `127.0.0.1:${dns}`, '-management', `127.0.0.1:${commands}`, '-defaultIPv4', '127.0.0.1'],
      ...['-defaultIPv6', '', '-http01', '', '-https01', '', '-tlsalpn01', ''],
    ],
    { stdio: 'ignore' },
  )
  const ca = spawn('pebble', ['-config', file('pebble.json'), '-dnsserver', `127.0.0.1:${dns}`, '-strict'], {
    stdio: process.env.PEBBLE_SHOW === undefined ? 'ignore' : 'inherit',
    env: { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: String(options.badNonces ?? 20) },
  })
  const nameServer = `http://127.0.0.1:${commands}`
  const command = async (path: string, body: unknown): Promise<void> => {
    const answer = await fetch(`${nameServer}/${path}`, { method: 'POST', body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`the name server answers ${answer.status} to ${path}`)
  }
  await listens(listen, ca)
  await listens(commands, names)
  return {
    directory: `https://localhost:${listen}/dir`,
    port: listen,
    authority: file('ca.crt'),
    nameServer,
    setTxt: async (host, value) => {
      await command('clear-txt', { host })
      if (value !== '') await command('set-txt', { host, value })
    },
    root: async () => new TextDecoder().decode(await httpsBody(`https://localhost:${management}/roots/0`, file('ca.crt'))),
    stop: async () => {
      await Promise.all([end(ca), end(names)])
    },
  }
}

/**
 * Ports of 127.0.0.1 that nobody used a moment ago. They are below those that the system gives to clients, which would
 * take one in the meantime.
 * @param avoid ports that are not to be among them
 */
export async function freePorts(count: number, avoid: readonly number[] = []): Promise<readonly number[]> {
  const found = new Set<number>()
  while (found.size < count) {
    const port = randomInt(LEAST_PORT, FIRST_CLIENT_PORT)
    if (!avoid.includes(port) && (await isFree(port))) found.add(port)
  }
  return [...found]
}

const LEAST_PORT = 12_000
const FIRST_CLIENT_PORT = 32_768

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

function profilesOf(profiles: Readonly<Record<string, number>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(profiles).map(([name, validityPeriod]) => [name, { description: name, validityPeriod }]),
  )
}

function makeCertificates(file: (name: string) => string): void {
  const root = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const days = (count: number): Date => new Date(Date.now() + count * 86_400_000)
  const dates = { notBefore: days(-1), notAfter: days(30) }
  const rootDer = issueAuthority({ key: root, subject: [['CN', 'authority of the test CA']], ...dates })
  const certificate = parseCertificate(rootDer)
  if (isMalformed(certificate)) throw new Error('the authority cannot be read')
  const der = issueCertificate({
    key: own,
    subject: [['CN', 'localhost']],
    hosts: ['localhost', '127.0.0.1'],
    ...dates,
    issuer: { certificate, key: root },
  })
  writeFileSync(file('ca.crt'), pemText('CERTIFICATE', rootDer))
  writeFileSync(file('pebble.crt'), new X509Certificate(der).toString())
  writeFileSync(file('pebble.key'), own.export({ type: 'pkcs8', format: 'pem' }))
}

async function httpsBody(url: string, authority: string): Promise<Buffer> {
  return execFileSync('curl', ['-sS', '--fail', '--cacert', authority, url])
}

async function listens(port: number, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    if (child.exitCode !== null) throw new Error(`a program of the test CA has ended with ${child.exitCode}`)
    if (await accepts(port)) return
    await sleep(50)
  }
  throw new Error(`nobody listens on port ${port}`)
}

async function accepts(port: number): Promise<boolean> {
  const { connect } = await import('node:net')
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill()
  })
}
