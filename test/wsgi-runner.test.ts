/** What clients notice when the runner of mod_wsgi is killed under load. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { MODULES, StagedServer } from './fixtures/staged-server.ts'

const skip = spawnSync('/usr/bin/python3', ['--version']).status === 0 ? false : 'needs python3'
const LIMIT = 60_000

/** The masters of the runner whose folder is below a path. */
function masters(folder: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, 'latin1').split('\0')
      return words.includes('master') && words.some((word) => word.startsWith(folder)) ? [Number(name)] : []
    } catch {
      return []
    }
  })
}

t.test(
  'after the runner of Python is killed under load, requests are served again, and the log says so once',
  { skip },
  async (t) => {
    const server = await StagedServer.make(t)
    server.file('apps/a.wsgi', "def application(e, s):\n    s('200 OK', [])\n    return [b'ok']\n")
    server.configure(
      `LoadModule authz_core_module ${MODULES}/mod_authz_core.mjs`,
      `LoadModule wsgi_module ${MODULES}/mod_wsgi.mjs`,
      'WSGISocketPrefix @ROOT@/runner',
      'WSGIDaemonProcess d threads=2',
      'WSGIScriptAlias /a @ROOT@/apps/a.wsgi process-group=d',
      '<Directory @ROOT@/apps>',
      'Require all granted',
      '</Directory>',
    )
    await server.start()
    t.equal((await server.get('/a')).status, 200)
    const before = masters(`${server.root}/runner`)
    t.equal(before.length, 1)
    let isOver = false
    const load = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        await server.get('/a').catch(() => null)
        await pause(5)
      }
    })
    process.kill(before[0], 'SIGKILL')
    let served = 0
    for (const end = Date.now() + LIMIT; Date.now() < end && served < 20; await pause(20)) {
      const status = await server.get('/a').then(
        (answer) => answer.status,
        () => 0,
      )
      served = status === 200 && !masters(`${server.root}/runner`).includes(before[0]) ? served + 1 : 0
    }
    isOver = true
    await Promise.all(load)
    t.equal(served, 20, 'twenty requests in a row are served')
    const lines = server.read('logs/error_log').split('\n')
    t.equal(lines.filter((line) => line.includes('the runner of Python has ended unexpectedly')).length, 1)
  },
)
