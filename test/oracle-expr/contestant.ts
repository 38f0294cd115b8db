import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { canConnect } from '../fixtures/staged-server.ts'
import type { Site } from './site.ts'

/** One of the servers that are compared. Both have the same port, so that SERVER_PORT and Host are the same, at addresses of their own. */
export interface Contestant {
  readonly name: 'httpd' | 'gatewright'
  readonly address: string
  readonly command: string
  /** Lines that only this one needs. */
  readonly lines: readonly string[]
}

const MODULES =
  'authn_core authn_file authz_core authz_host authz_user auth_basic alias dir env headers mime setenvif access_compat'.split(' ')
const DIST = join(import.meta.dirname, '../../dist')

export const HTTPD: Contestant = {
  name: 'httpd',
  address: '127.0.0.1',
  command: 'apache2',
  lines: [
    ...['mpm_event', ...MODULES].map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
    'Mutex posixsem',
    'StartServers 1',
    'User www-data',
    'Group www-data',
  ],
}

export const GATEWRIGHT: Contestant = {
  name: 'gatewright',
  address: '127.0.0.2',
  command: join(DIST, 'bin/httpd'),
  lines: [
    ...MODULES.map((name) => `LoadModule ${name}_module ${DIST}/modules/mod_${name}.mjs`),
    'WorkerProcesses 1',
    'User www-data',
    'Group www-data',
    'AccessCompatPrecedence httpd',
  ],
}

/**
 * Both servers, with further modules.
 * @param more lines for one of them, after its LoadModule lines
 */
export function contestantsWith(
  modules: readonly string[],
  more: (contestant: Contestant) => readonly string[] = () => [],
): readonly Contestant[] {
  const theirs = modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`)
  const ours = modules.map((name) => `LoadModule ${name}_module ${DIST}/modules/mod_${name}.mjs`)
  return [
    { ...HTTPD, lines: [...HTTPD.lines, ...theirs, ...more(HTTPD)] },
    { ...GATEWRIGHT, lines: [...GATEWRIGHT.lines, ...ours, ...more(GATEWRIGHT)] },
  ]
}

/** A server that runs in the foreground until it is stopped. */
export interface Running {
  readonly contestant: Contestant
  /** Lines of its error log so far. */
  errors(): string[]
  stop(): Promise<void>
}

/** @throws its output if it ends instead of accepting connections */
export async function start(contestant: Contestant, site: Site, port: number, lines: readonly string[]): Promise<Running> {
  const { name, address } = contestant
  const root = join(site.root, name)
  mkdirSync(join(root, 'logs'), { recursive: true })
  const conf = join(root, 'httpd.conf')
  const all = [
    `ServerRoot ${root}`,
    'ServerName oracle.example',
    `Listen ${address}:${port}`,
    'PidFile logs/httpd.pid',
    'ErrorLog logs/error_log',
    `DocumentRoot ${site.tree}`,
    ...contestant.lines,
    'TypesConfig /dev/null',
    'AddType text/html .html',
    'KeepAlive On',
    'MaxKeepAliveRequests 0',
    `<Directory ${site.root}>`,
    'AllowOverride All',
    `AuthUserFile ${site.root}/users`,
    '</Directory>',
    ...lines,
  ]
  writeFileSync(conf, `${all.join('\n')}\n`, 'latin1')
  const child = spawn(contestant.command, ['-d', root, '-f', conf, '-D', 'FOREGROUND'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: '/root' },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  for (let tries = 0; !(await canConnect(port, address)); tries++) {
    if (child.exitCode !== null || tries > 400) throw new Error(`${name} did not start: ${said}${readLog(site, name)}`)
    await pause(25)
  }
  return {
    contestant,
    errors: () => readLog(site, name).split('\n').slice(0, -1),
    stop: () => stop(child, ended),
  }
}

function readLog(site: Site, name: string): string {
  try {
    return site.read(`${name}/logs/error_log`)
  } catch {
    return ''
  }
}

async function stop(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.kill('SIGTERM')
  // Processes of mod_wsgi end slowly, and outlive a server that is killed.
  await Promise.race([ended, pause(30_000, undefined, { ref: false })])
  child.kill('SIGKILL')
  await ended
}
