#!/usr/bin/env node
// npm start: serves conf/ and its example site from dist/ in the foreground, until Ctrl-C. PORT=8081 npm start takes other ports.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { ROOT } from './inputs.cjs'
import { stageConfiguration } from './stage-configuration.ts'

const SERVER_ROOT = join(ROOT, 'dist')
const HTTPD = join(SERVER_ROOT, 'bin/httpd')
const ADDRESS = '127.0.0.1'
/** From the port of http to that of https: 8080 and 8443. */
const TLS_DISTANCE = 363

const port = portOf('PORT', '8080')
const tlsPort = portOf('TLS_PORT', String(Number(port) + TLS_DISTANCE))
if (tlsPort === port) fail('PORT and TLS_PORT must differ')
if (!existsSync(HTTPD)) fail('dist/ is not built; run `npm run build`')

stageConfiguration(SERVER_ROOT)
announce(hasCertificate())
const server = spawn(
  HTTPD,
  [
    ...['-D', 'FOREGROUND', '-d', SERVER_ROOT, '-f', 'conf/httpd.conf'],
    ...['-C', `Define GATEWRIGHT_PORT ${port}`, '-C', `Define GATEWRIGHT_TLS_PORT ${tlsPort}`],
  ],
  { stdio: 'inherit' },
)
let stopping = false
// Ctrl-C reaches the server directly as well, being in the same process group; a signal for this process alone does not.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop())
server.on('error', (error) => fail(`cannot run dist/bin/httpd: ${error.message}`))
server.on('exit', async (status, signal) => {
  if (stopping) process.exit(0)
  // A server that was stopped has removed its pid file. If another server was already running, the file
  // remains, and nothing was started.
  if (status === 0 && existsSync(join(SERVER_ROOT, 'logs/httpd.pid')))
    console.error('hint: to stop the running server: dist/bin/httpd -k stop')
  else if (status !== 0 && (await isTaken(port)))
    console.error(`hint: port ${port} is in use by another program; try: PORT=${Number(port) + 1} npm start`)
  else if (status !== 0 && (await isTaken(tlsPort)))
    console.error(`hint: port ${tlsPort} is in use by another program; try: TLS_PORT=${Number(tlsPort) + 1} npm start`)
  else if (signal !== null) console.error(`start: the server was ended by ${signal}`)
  process.exit(status === 0 ? 0 : 1)
})

function stop() {
  if (!stopping) server.kill('SIGTERM')
  stopping = true
}

function portOf(variable, otherwise) {
  const text = process.env[variable] || otherwise
  if (!/^\d{1,5}$/.test(text) || Number(text) < 1 || Number(text) > 65535)
    fail(`${variable} must be a number from 1 to 65535, not '${text}'`)
  return text
}

/** Makes or renews the certificate of the site. @returns whether there is one */
function hasCertificate() {
  const { status, stderr } = spawnSync(join(SERVER_ROOT, 'bin/gatewright'), ['local-cert', '--json'], { encoding: 'utf8' })
  if (status !== 0) console.error(stderr)
  // The condition of conf/extra/tls.conf.
  return existsSync(join(SERVER_ROOT, 'conf/local-cert/server.crt'))
}

function announce(hasTls) {
  const site = `http://${ADDRESS}:${port}`
  const authority = join(SERVER_ROOT, 'conf/local-cert/authority.crt')
  const tls = hasTls
    ? `    https://localhost:${tlsPort}/   the same site by https; trust ${authority}\n                              in your browser: docs/tls.md\n`
    : ''
  console.log(`
  Gatewright serves ${site}/

    ${site}/private/        requires a password: guest, gatewright
    ${site}/server-status   what the server is doing
${tls}
  Configuration in conf/, logs in dist/logs/. Ctrl-C ends it.
`)
  const closed = process.getuid?.() === 0 && firstFolderClosedToOthers()
  if (closed)
    console.log(
      `  hint: a server started as root runs as another user, which lacks search permission on ${closed}; pages answer 403 until you grant it with chmod o+x.\n`,
    )
}

/** Workers of a server that root starts are another user, who must be able to reach the site. */
function firstFolderClosedToOthers() {
  for (let folder = join(SERVER_ROOT, 'htdocs'); folder !== dirname(folder); folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return folder
  }
  return undefined
}

function isTaken(wanted) {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error) => resolve(error.code === 'EADDRINUSE'))
    probe.listen({ host: ADDRESS, port: Number(wanted) }, () => probe.close(() => resolve(false)))
  })
}

function fail(text) {
  console.error(`start: ${text}`)
  process.exit(1)
}
