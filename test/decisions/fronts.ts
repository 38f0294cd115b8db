import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../fixtures/free-port.ts'
import { canConnect } from '../fixtures/staged-server.ts'
import type { PairFiles } from '../fixtures/tls-authority.ts'
import { until } from '../fixtures/until.ts'

/** A real proxy that asks for decisions. */
export interface Front {
  readonly name: string
  readonly port: number
  /** For clients that speak TLS. */
  readonly securedPort: number
  /** The status that its client gets for a decision. */
  expected(status: number): number
  stop(): Promise<void>
}

/** Where a front finds the server that decides, and the backend. */
export interface FrontTargets {
  readonly decider: number
  readonly backend: number
  readonly folder: string
  readonly pair: PairFiles
}

/** nginx knows 401 and 403 as refusals; a redirect is a 401 for it, and other errors are its own 500. */
const forNginx = (status: number): number =>
  status < 300 ? 200 : status < 400 || status === 401 ? 401 : status < 500 ? 403 : 500

/** The fronts that are installed. */
export async function startFronts(targets: FrontTargets): Promise<Front[]> {
  const started: Front[] = []
  for (const start of [startNginx, startCaddy, startHaproxy]) {
    const front = await start(targets)
    if (front !== null) started.push(front)
  }
  return started
}

async function startNginx({ decider, backend, folder, pair }: FrontTargets): Promise<Front | null> {
  if (spawnSync('nginx', ['-v']).error !== undefined) return null
  const port = await freePort()
  const securedPort = await freePort()
  const root = join(folder, 'nginx')
  mkdirSync(root)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${root}/${kind};`)
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  writeFileSync(
    join(root, 'nginx.conf'),
    `daemon off; ${user} worker_processes 1; pid ${root}/pid; error_log ${root}/error.log;
events {}
http {
  access_log off; ${temporary.join(' ')}
  server {
    listen 127.0.0.1:${port};
    listen 127.0.0.1:${securedPort} ssl;
    ssl_certificate ${pair.certificate};
    ssl_certificate_key ${pair.key};
    location / {
      auth_request /-decide;
      proxy_pass http://127.0.0.1:${backend};
    }
    location = /-decide {
      internal;
      proxy_pass http://127.0.0.1:${decider}/-decide/nginx;
      proxy_pass_request_body off;
      proxy_set_header Content-Length "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Original-URL $scheme://$http_host$request_uri;
      proxy_set_header X-Original-Method $request_method;
      proxy_set_header X-Forwarded-For $remote_addr;
    }
  }
}
`,
  )
  return run('nginx', { port, securedPort }, forNginx, ['nginx', '-p', root, '-c', join(root, 'nginx.conf')])
}

async function startCaddy({ decider, backend, folder, pair }: FrontTargets): Promise<Front | null> {
  if (spawnSync('caddy', ['version']).error !== undefined) return null
  const port = await freePort()
  const securedPort = await freePort()
  const file = join(folder, 'Caddyfile')
  writeFileSync(
    file,
    `{
  admin off
  auto_https off
}
(decided) {
  bind 127.0.0.1
  forward_auth 127.0.0.1:${decider} {
    uri /-decide/caddy
    copy_headers X-User
  }
  reverse_proxy 127.0.0.1:${backend}
}
http://:${port} {
  import decided
}
https://:${securedPort} {
  tls ${pair.certificate} ${pair.key}
  import decided
}
`,
  )
  return run('caddy', { port, securedPort }, asAnswered, ['caddy', 'run', '--config', file, '--adapter', 'caddyfile'], folder)
}

/** A front that passes every refusal on, as it was answered. */
const asAnswered: Front['expected'] = (status) => (status < 300 ? 200 : status)

async function startHaproxy({ decider, backend, folder, pair }: FrontTargets): Promise<Front | null> {
  if (spawnSync('haproxy', ['-v']).error !== undefined) return null
  const port = await freePort()
  const securedPort = await freePort()
  const both = join(folder, 'haproxy.pem')
  writeFileSync(both, readFileSync(pair.certificate, 'latin1') + readFileSync(pair.key, 'latin1'))
  const file = join(folder, 'haproxy.cfg')
  const refusals = [400, 401, 403, 404, 429].map(
    (status) => `  http-request deny deny_status ${status} if { var(txn.auth_status) -m int ${status} }`,
  )
  writeFileSync(
    file,
    `global
  lua-load ${join(import.meta.dirname, 'auth-request.lua')}
defaults
  mode http
  timeout connect 30s
  timeout client 30s
  timeout server 30s
frontend front
  bind 127.0.0.1:${port}
  bind 127.0.0.1:${securedPort} ssl crt ${both}
  http-request lua.auth-request http://127.0.0.1:${decider}/-decide/haproxy
  http-request redirect location %[var(txn.auth_location)] code 302 if { var(txn.auth_status) -m int 302 }
${refusals.join('\n')}
  http-request deny deny_status 500 unless { var(txn.auth_status) -m int 200 }
  default_backend back
backend back
  server one 127.0.0.1:${backend}
`,
  )
  return run('haproxy', { port, securedPort }, asAnswered, ['haproxy', '-db', '-f', file])
}

async function run(
  name: string,
  { port, securedPort }: Pick<Front, 'port' | 'securedPort'>,
  expected: Front['expected'],
  [program, ...words]: readonly string[],
  home?: string,
): Promise<Front> {
  const env = home === undefined ? process.env : { ...process.env, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home }
  const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe'], env })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = `${errors}${text}`.slice(-4_000)
  })
  const stop = (): Promise<void> => end(child)
  try {
    await listening(port, child)
  } catch (error) {
    await stop()
    throw new Error(`${name} did not start: ${error instanceof Error ? error.message : String(error)}\n${errors}`)
  }
  return { name, port, securedPort, expected, stop }
}

/** Waits for the port. @throws Error if the program ends before */
function listening(port: number, child: ChildProcess): Promise<void> {
  return until('it listens', () => {
    if (child.exitCode !== null) throw new Error(`it ended with status ${child.exitCode}`)
    return canConnect(port)
  })
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}
