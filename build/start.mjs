#!/usr/bin/env node
// npm start: serves conf/ and its example site from dist/ in the foreground, until Ctrl-C. PORT=8081 npm start takes another port.
import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { ROOT } from './inputs.cjs'
import { stageConfiguration } from './stage-configuration.ts'

const SERVER_ROOT = join(ROOT, 'dist')
const HTTPD = join(SERVER_ROOT, 'bin/httpd')
const ADDRESS = '127.0.0.1'

const port = process.env.PORT || '8080'
if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65535)
  fail(`PORT must be a number from 1 to 65535, not '${port}'`)
if (!existsSync(HTTPD)) fail('dist/ is not built; run `npm run build`')

stageConfiguration(SERVER_ROOT)
announce()
const server = spawn(
  HTTPD,
  ['-D', 'FOREGROUND', '-d', SERVER_ROOT, '-f', 'conf/httpd.conf', '-C', `Define GATEWRIGHT_PORT ${port}`],
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
  else if (status !== 0 && (await isTaken()))
    console.error(`hint: port ${port} is in use by another program; try: PORT=${Number(port) + 1} npm start`)
  else if (signal !== null) console.error(`start: the server was ended by ${signal}`)
  process.exit(status === 0 ? 0 : 1)
})

function stop() {
  if (!stopping) server.kill('SIGTERM')
  stopping = true
}

function announce() {
  const site = `http://${ADDRESS}:${port}`
  console.log(`
  Gatewright serves ${site}/

    ${site}/private/        requires a password: guest, gatewright
    ${site}/server-status   what the server is doing

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

function isTaken() {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error) => resolve(error.code === 'EADDRINUSE'))
    probe.listen({ host: ADDRESS, port: Number(port) }, () => probe.close(() => resolve(false)))
  })
}

function fail(text) {
  console.error(`start: ${text}`)
  process.exit(1)
}
