import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { canConnect } from '../fixtures/staged-server.ts'

const DIST = join(import.meta.dirname, '../../dist')
const MODULES = 'alias authz_core headers proxy proxy_http rewrite'.split(' ')
/** The same for all: what a server was asked for, as it understood it. */
const SAW = 'X-Saw'

/** Where a server is, and what it does. */
export interface Place {
  readonly root: string
  readonly port: number
  /** The port that it forwards to, or lines of httpd; undefined for a server that answers by itself. */
  readonly backend: number | readonly string[] | undefined
}

/** A server that can be a front or a back. */
export interface Kind {
  readonly name: string
  readonly program: string
  configuration(place: Place): readonly string[]
  words(root: string): readonly string[]
}

export const HTTPD: Kind = {
  name: 'httpd',
  program: 'apache2',
  configuration: (place) => [
    ...['mpm_event', ...MODULES].map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
    'Mutex posixsem',
    'StartServers 1',
    'ServerLimit 1',
    'ThreadsPerChild 16',
    'MaxRequestWorkers 16',
    ...httpdLines(place),
  ],
  words: (root) => ['-d', root, '-f', join(root, 'server.conf'), '-D', 'FOREGROUND'],
}

export const GATEWRIGHT: Kind = {
  name: 'gatewright',
  program: join(DIST, 'bin/httpd'),
  configuration: (place) => [
    ...MODULES.map((name) => `LoadModule ${name}_module ${DIST}/modules/mod_${name}.mjs`),
    'WorkerProcesses 1',
    ...httpdLines(place),
  ],
  words: HTTPD.words,
}

export const NGINX: Kind = {
  name: 'nginx',
  program: 'nginx',
  configuration: ({ root, port, backend }) => [
    'daemon off;',
    'worker_processes 1;',
    'user www-data www-data;',
    `pid "${root}/logs/nginx.pid";`,
    `error_log "${root}/logs/error_log" error;`,
    'events { worker_connections 512; }',
    'http {',
    ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path "${root}/logs/${name}";`),
    `log_format plain '$status $request';`,
    `access_log "${root}/logs/access_log" plain;`,
    ...(backend === undefined ? [] : [`upstream back { server 127.0.0.1:${backend}; keepalive 1; }`]),
    'server {',
    `listen 127.0.0.1:${port};`,
    'location / {',
    ...(backend === undefined
      ? [`add_header ${SAW} "$request_method $request_uri" always;`, 'return 200 "page\\n";']
      : ['proxy_pass http://back;', 'proxy_http_version 1.1;', 'proxy_set_header Connection "";', 'proxy_read_timeout 5s;']),
    '}',
    '}',
    '}',
  ],
  words: (root) => ['-p', root, '-e', join(root, 'logs/error_log'), '-c', join(root, 'server.conf')],
}

function httpdLines({ root, port, backend }: Place): readonly string[] {
  return [
    `ServerRoot ${root}`,
    'ServerName h',
    `Listen 127.0.0.1:${port}`,
    'PidFile logs/httpd.pid',
    'ErrorLog logs/error_log',
    'LogFormat "%>s %r" plain',
    'CustomLog logs/access_log plain',
    'User www-data',
    'Group www-data',
    'TraceEnable Off',
    'KeepAlive On',
    'MaxKeepAliveRequests 0',
    'Timeout 5',
    `DocumentRoot ${root}/docs`,
    '<Location />',
    'Require all granted',
    '</Location>',
    ...servingLines(root, backend),
  ]
}

function servingLines(root: string, backend: Place['backend']): readonly string[] {
  if (typeof backend === 'number') return [`ProxyPass "/" "http://127.0.0.1:${backend}/" retry=0 connectiontimeout=5`]
  if (backend !== undefined) return backend
  const saw = `Header always set ${SAW} "expr=%{REQUEST_METHOD} %{escape:%{REQUEST_URI}}"`
  return [`AliasMatch "." "${root}/docs/page.html"`, saw]
}

/** A running server with its access log. */
export class ProxyServer {
  readonly kind: Kind
  readonly port: number
  readonly #child: ChildProcess
  readonly #log: string
  #read = 0

  private constructor(kind: Kind, port: number, child: ChildProcess, log: string) {
    this.kind = kind
    this.port = port
    this.#child = child
    this.#log = log
  }

  /** @throws its output if it ends instead of accepting connections */
  static async start(kind: Kind, folder: string, port: number, backend?: Place['backend']): Promise<ProxyServer> {
    const root = join(folder, `${kind.name}-${port}`)
    for (const name of ['logs', 'docs']) mkdirSync(join(root, name), { recursive: true })
    chmodSync(root, 0o755)
    writeFileSync(join(root, 'docs/page.html'), 'page\n')
    writeFileSync(join(root, 'server.conf'), `${kind.configuration({ root, port, backend }).join('\n')}\n`)
    const log = join(root, 'logs/access_log')
    const child = spawn(kind.program, kind.words(root), { stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
    // Another program may have taken the port: then the server writes no log.
    for (let tries = 0; !(existsSync(log) && (await canConnect(port, '127.0.0.1'))); tries++) {
      if (child.exitCode !== null || tries > 800) throw new Error(`${kind.name} did not start: ${said}`)
      await pause(25)
    }
    return new ProxyServer(kind, port, child, log)
  }

  /** The requests that it has logged since the last call and did not reject as malformed: `METHOD target`. */
  newRequests(): string[] {
    const text = readFileSync(this.#log, 'latin1')
    const lines = text.slice(this.#read).split('\n').slice(0, -1)
    this.#read = text.length
    return lines.flatMap((line) => {
      const [status, method, target] = line.split(' ')
      return status === '400' || status === '408' || target === undefined ? [] : [`${method} ${target}`]
    })
  }

  /** All lines of its access log: status, and the request line as it understood it. */
  lines(): string[] {
    return readFileSync(this.#log, 'latin1').split('\n').slice(0, -1)
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('close', resolve))
    this.#child.kill('SIGTERM')
    await Promise.race([ended, pause(5000, undefined, { ref: false })])
    this.#child.kill('SIGKILL')
  }
}
