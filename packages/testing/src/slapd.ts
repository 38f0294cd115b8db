import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PROGRAM = '/usr/sbin/slapd'
const IMPORT = '/usr/sbin/slapadd'
/** Another program may take a free port before slapd does. */
const ATTEMPTS = 20

/** Whether Debian's slapd is installed. */
export function hasSlapd(): boolean {
  return existsSync(PROGRAM)
}

/** What a directory of a test contains. */
export interface SlapdOptions {
  /** Entries below `dc=example,dc=org` as LDIF; `@PORT@` is its port. The root itself is added. */
  readonly ldif: string
  /** Lines of the database's section of slapd.conf: access rules, for example. */
  readonly lines?: readonly string[]
  /** Files of its certificate, its key and the authorities of clients, for STARTTLS and `ldaps://`. */
  readonly tls?: { readonly certificate: string; readonly key: string; readonly authorities: string }
}

/** A directory server of a test, on 127.0.0.1. */
export interface Slapd {
  readonly port: number
  /** Of `ldaps://`; 0 without a certificate. */
  readonly securePort: number
  /** Its process. */
  readonly pid: number
  /** Stops it, and starts it again on the same ports with the same entries. */
  restart(): Promise<void>
  /** Ends the process and waits for its end; the entries remain for `restart`. */
  stop(): Promise<void>
  /** Ends it, and removes its files. */
  close(): Promise<void>
}

/** Starts a directory server. */
export async function slapd(options: SlapdOptions): Promise<Slapd> {
  const folder = mkdtempSync(join(tmpdir(), 'gw-slapd-'))
  try {
    for (let attempt = 1; ; attempt++) {
      const server = await attemptToStart(folder, options)
      if (server !== null) return server
      if (attempt === ATTEMPTS) throw new Error(`slapd has ended ${ATTEMPTS} times`)
    }
  } catch (error) {
    rmSync(folder, { recursive: true })
    throw error
  }
}

/** @returns null if it has ended: perhaps a port was taken meanwhile */
async function attemptToStart(folder: string, options: SlapdOptions): Promise<Slapd | null> {
  const port = await freePort()
  const securePort = options.tls === undefined ? 0 : await freePort()
  rmSync(join(folder, 'db'), { recursive: true, force: true })
  mkdirSync(join(folder, 'db'))
  const conf = join(folder, 'slapd.conf')
  writeFileSync(conf, configuration(folder, options))
  const ldif = `dn: dc=example,dc=org\nobjectClass: dcObject\nobjectClass: organization\ndc: example\no: Example\n\n${options.ldif}`
  const added = spawnSync(IMPORT, ['-q', '-f', conf], { input: ldif.replaceAll('@PORT@', String(port)), encoding: 'utf8' })
  if (added.status !== 0) throw new Error(`slapadd: ${added.stderr}`)

  const urls = `ldap://127.0.0.1:${port}/${securePort === 0 ? '' : ` ldaps://127.0.0.1:${securePort}/`}`
  const pidFile = join(folder, 'slapd.pid')
  const start = async (): Promise<ChildProcess | null> => {
    rmSync(pidFile, { force: true })
    const started = spawn(PROGRAM, ['-d', '0', '-f', conf, '-h', urls], { stdio: 'ignore' })
    return (await serves(started, pidFile, port)) ? started : null
  }
  let program = await start()
  if (program === null) return null
  const stop = async (): Promise<void> => {
    if (program !== null) await end(program)
  }
  // A test that is interrupted must not leave a server behind.
  const onExit = (): void => void program?.kill('SIGKILL')
  process.once('exit', onExit)
  return {
    port,
    securePort,
    get pid() {
      return program?.pid ?? 0
    },
    stop,
    async restart() {
      await stop()
      program = await start()
      if (program === null) throw new Error('slapd did not start again')
    },
    async close() {
      await stop()
      process.off('exit', onExit)
      rmSync(folder, { recursive: true })
    },
  }
}

function configuration(folder: string, { lines = ['access to * by * read'], tls }: SlapdOptions): string {
  const schemas = ['core', 'cosine', 'nis', 'inetorgperson'].map((name) => `include /etc/ldap/schema/${name}.schema`)
  const secured =
    tls === undefined
      ? []
      : [`TLSCACertificateFile ${tls.authorities}`, `TLSCertificateFile ${tls.certificate}`, `TLSCertificateKeyFile ${tls.key}`]
  return [
    ...schemas,
    `pidfile ${folder}/slapd.pid`,
    // With more requests than this waiting, slapd closes a connection: 100 by default.
    'conn_max_pending 10000',
    'modulepath /usr/lib/ldap',
    'moduleload back_mdb',
    // 10 MB for one request, or one value.
    'sockbuf_max_incoming 16777215',
    ...secured,
    'database mdb',
    'maxsize 268435456',
    'suffix "dc=example,dc=org"',
    'rootdn "cn=admin,dc=example,dc=org"',
    'rootpw root-password',
    `directory ${folder}/db`,
    'dbnosync',
    ...lines,
    '',
  ].join('\n')
}

/** Waits until it listens; it writes its pid file once the ports are its own. False if it ends before. */
async function serves(program: ChildProcess, pidFile: string, port: number): Promise<boolean> {
  while (program.exitCode === null && program.signalCode === null) {
    if (existsSync(pidFile) && (await accepts(port))) return true
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return false
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

async function end(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return
  const ended = new Promise((resolve) => program.once('exit', resolve))
  // A stopped process would not notice the other signal.
  program.kill('SIGCONT')
  program.kill('SIGTERM')
  await ended
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
