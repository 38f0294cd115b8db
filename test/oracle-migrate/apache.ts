import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { canConnect } from '../fixtures/staged-server.ts'

const MODULES =
  'mpm_event authn_core authn_file authz_core authz_host authz_user authz_groupfile auth_basic access_compat alias setenvif remoteip macro'.split(
    ' ',
  )

/** Apache httpd with two virtual hosts, one for the old and one for the new configuration. */
export interface Apache {
  stop(): Promise<void>
}

/** @throws its output if it ends instead of accepting connections */
export async function startApache(root: string, port: number, hosts: Readonly<Record<string, string>>): Promise<Apache> {
  mkdirSync(join(root, 'logs'), { recursive: true })
  const conf = join(root, 'apache.conf')
  const lines = [
    `ServerRoot ${root}`,
    'ServerName localhost',
    `Listen 127.0.0.1:${port}`,
    'PidFile logs/httpd.pid',
    'ErrorLog logs/error_log',
    'LogLevel crit',
    ...MODULES.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
    'Mutex posixsem',
    'StartServers 1',
    'User www-data',
    'Group www-data',
    'KeepAlive On',
    'MaxKeepAliveRequests 0',
    // The request's header specifies the client's address.
    'RemoteIPHeader X-Client',
    'RemoteIPInternalProxy 127.0.0.1',
    ...Object.entries(hosts).flatMap(([name, text]) => [
      `<VirtualHost *:${port}>`,
      `ServerName ${name}`,
      `DocumentRoot ${root}/${name}`,
      ...['flag', 'near'].map((variable) => `SetEnvIf X-Variable-${variable} ^set$ ${variable}`),
      text,
      '</VirtualHost>',
    ]),
  ]
  writeFileSync(conf, `${lines.join('\n')}\n`)
  const child = spawn('apache2', ['-d', root, '-f', conf, '-D', 'FOREGROUND'], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  for (let tries = 0; !(await canConnect(port, '127.0.0.1')); tries++) {
    if (child.exitCode !== null || tries > 800) throw new Error(`httpd did not start: ${said}${readLog(root)}`)
    await pause(25)
  }
  return { stop: () => stop(child, ended) }
}

/** The status of one request and its challenge. */
export interface ApacheAnswer {
  readonly status: number
  readonly challenge: string
}

export interface ApacheRequest {
  readonly port: number
  readonly host: string
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
}

export function askApache({ port, host, method, target, headers }: ApacheRequest): Promise<ApacheAnswer> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', port, method, path: target, headers: { Host: host, ...headers }, agent: false, setHost: false },
      (answer) => {
        answer.resume()
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, challenge: answer.headers['www-authenticate'] ?? '' }))
        answer.on('error', reject)
      },
    )
    asked.on('error', reject)
    asked.setTimeout(20_000, () => asked.destroy(new Error('no answer in 20 s')))
    asked.end()
  })
}

function readLog(root: string): string {
  try {
    return readFileSync(join(root, 'logs/error_log'), 'latin1')
  } catch {
    return ''
  }
}

async function stop(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.kill('SIGTERM')
  await Promise.race([ended, pause(5000, undefined, { ref: false })])
  child.kill('SIGKILL')
  await ended
}
