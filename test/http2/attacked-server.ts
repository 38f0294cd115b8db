import { readFileSync } from 'node:fs'
import type { Test } from 'tap'
import { freePort } from '../fixtures/free-port.ts'
import { childrenOf } from '../fixtures/processes.ts'
import { MODULES, StagedServer } from '../fixtures/staged-server.ts'
import { TlsAuthority } from '../fixtures/tls-authority.ts'
import { until } from '../fixtures/until.ts'
import type { Way } from './h2-adversary.ts'
import { OrdinaryClient } from './ordinary-client.ts'

/** What a worker may need more than before during one attack: without limits, each could cost a multiple of it. */
const MEMORY_MAX = 200 * 1024 * 1024
const MIB = 1024 * 1024

/** Time limits in seconds. */
function limits(seconds: number): string[] {
  return [`Timeout ${seconds}`, `KeepAliveTimeout ${seconds}`, `RequestReadTimeout header=${seconds} body=${seconds}`]
}

/** A certificate of the server, and what makes a host use it. */
function tlsLines(server: StagedServer): string[] {
  const { certificate, key } = new TlsAuthority(server.path('tls'), 'Authority').issue('localhost', { hosts: ['localhost'] })
  return ['SSLEngine on', `SSLCertificateFile ${certificate}`, `SSLCertificateKeyFile ${key}`]
}

/** A real server that one client attacks while another one is served. */
export class AttackedServer {
  readonly server: StagedServer
  /** A port whose clients have two seconds for everything; those of the server's own have ten minutes. */
  readonly hastyPort: number
  readonly #worker: number
  readonly #way: Way

  private constructor(server: StagedServer, hastyPort: number, way: Way) {
    this.server = server
    this.#way = way
    this.hastyPort = hastyPort
    this.#worker = childrenOf(server.pid)[0]
  }

  /** Serves `/small.txt`, `/large.bin` of 20 MB, and `/reflect`, which returns bodies. */
  static async start(t: Test, way: Way): Promise<AttackedServer> {
    const server = await StagedServer.make(t)
    const hastyPort = await freePort()
    server.file('htdocs/small.txt', 'small\n')
    server.file('htdocs/large.bin', Buffer.alloc(20_000_000))
    const names = ['authz_core', 'http2', 'reflector', 'reqtimeout', ...(way === 'tls' ? ['ssl'] : [])]
    const secured = way === 'tls' ? tlsLines(server) : []
    server.configure(
      ...names.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.mjs`),
      'Protocols h2 h2c http/1.1',
      ...secured,
      'LogLevel warn http2:debug reqtimeout:info',
      'CustomLog logs/access_log "%h %r"',
      ...limits(600),
      `Listen 127.0.0.1:${hastyPort}`,
      `<VirtualHost *:${hastyPort}>`,
      ...secured,
      ...limits(2),
      '</VirtualHost>',
      '<Location "/">',
      'Require all granted',
      '</Location>',
      '<Location "/reflect">',
      'SetHandler reflector',
      '</Location>',
    )
    await server.start()
    return new AttackedServer(server, hastyPort, way)
  }

  /**
   * Runs an attack that ends with the connection of the attacker: an ordinary client is served before, during and after it,
   * the worker stays and needs little more memory, and the error log has one line about the attacker.
   * @param from the address of the attacker, which no other attacker has
   */
  async underAttack(t: Test, from: string, line: RegExp, attack: () => Promise<void>): Promise<void> {
    const ordinary = new OrdinaryClient(this.server.port, this.#way)
    await ordinary.servedAgain()
    const before = this.#memory()
    let most = before
    const watch = setInterval(() => (most = Math.max(most, this.#memory())), 50)
    try {
      const ended = attack()
      await Promise.all([ended, ordinary.servedAgain()])
      await until('the log has its line', () => this.#linesAbout(from).length > 0)
      await ordinary.servedAgain()
    } finally {
      clearInterval(watch)
      await ordinary.leave()
    }
    const lines = this.#linesAbout(from)
    t.equal(lines.length, 1, lines.join('\n').slice(0, 1000))
    t.match(lines[0], line)
    t.same(ordinary.failures, [])
    t.ok(most - before < MEMORY_MAX, `${Math.round((most - before) / MIB)} MiB more memory`)
    t.same(childrenOf(this.server.pid), [this.#worker], 'the same worker')
  }

  /** Lines of the error log about an address. */
  #linesAbout(address: string): string[] {
    const lines = this.server.read('logs/error_log').split('\n')
    return lines.filter((line) => line.includes(`[client ${address}:`) || line.includes(`[remote ${address}:`))
  }

  /** Bytes of memory of the worker. */
  #memory(): number {
    return 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${this.#worker}/status`, 'latin1'))?.[1])
  }
}
