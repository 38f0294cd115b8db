import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import t from 'tap'
import { StagedServer } from './fixtures/staged-server.ts'
import { ServerUnderLoad } from './load/server-under-load.ts'

const skip = process.geteuid?.() === 0 ? false : 'needs root, who gives up its rights'
const NOBODY = { user: idOf('-u'), group: groupNumber('nogroup'), groups: idOf('-G') }

t.test('root keeps the sockets and the logs, and its workers run as nobody with the groups of nobody', { skip }, async (t) => {
  const site = await ServerUnderLoad.start(t, { workers: 2, mix: { closing: 1, busy: 1 } })
  const supervisor = credentials(site.server.pid)
  t.equal(supervisor.uids, '0 0 0 0')
  for (const worker of site.workers()) {
    const { uids, gids, groups, capabilities } = credentials(worker)
    t.equal(uids, Array(4).fill(NOBODY.user).join(' '), 'real, effective, saved and file system user')
    t.equal(gids, Array(4).fill(NOBODY.group).join(' '))
    t.strictSame(sorted(groups), sorted(`${NOBODY.groups} ${NOBODY.group}`), 'nothing is left of the groups of root')
    t.match(capabilities, /^0+$/)
  }
  const report = await site.load.stop()
  t.match(await site.server.stop(), { status: 0 })
  for (const log of ['logs/access_log', 'logs/error_log'])
    t.equal(statSync(site.server.path(log)).uid, 0, `${log} belongs to root`)
  t.equal(site.loggedIds().length, report.requests, 'and has all that nobody wrote')
})

t.test('a port below 1024 is served by workers that could not have bound it', { skip }, async (t) => {
  const port = await lowPort()
  const server = await StagedServer.make(t)
  server.configure(`Listen 127.0.0.1:${port}`)
  await server.start()
  await server.accepting(port)
  const answer = await fetch(`http://127.0.0.1:${port}/none`)
  await answer.body?.cancel()
  t.equal(answer.status, 500, 'no module grants anything here')
  t.match(await server.stop(), { status: 0 })
})

t.test(
  'a user other than root cannot use a port below 1024 and gets a message',
  { skip: skip || unprivilegedPortsBegin() },
  async (t) => {
    const server = await StagedServer.make(t)
    const port = await lowPort()
    server.configure(`Listen 127.0.0.1:${port}`)
    const { status, stderr } = await server.runAs(65_534, '-D', 'FOREGROUND')
    t.equal(status, 1)
    t.match(stderr[0], `(13)Permission denied: AH00072: make_sock: could not bind to address 127.0.0.1:${port}`)
    t.match(stderr.at(-1), /^hint: Listen .* ports below 1024 require root/)
  },
)

interface Credentials {
  readonly uids: string
  readonly gids: string
  readonly groups: string
  readonly capabilities: string
}

/** The system's data about a process. */
function credentials(pid: number): Credentials {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  const field = (name: string): string => new RegExp(`^${name}:\\s*(.*?)\\s*$`, 'm').exec(status)?.[1].replaceAll('\t', ' ') ?? ''
  return { uids: field('Uid'), gids: field('Gid'), groups: field('Groups'), capabilities: field('CapEff') }
}

function idOf(option: '-u' | '-G'): string {
  return execFileSync('id', [option, 'nobody'], { encoding: 'latin1' }).trim()
}

function groupNumber(name: string): string {
  return new RegExp(`^${name}:[^:]*:(\\d+):`, 'm').exec(readFileSync('/etc/group', 'latin1'))?.[1] ?? ''
}

function sorted(numbers: string): string[] {
  return [...new Set(numbers.split(' '))].sort()
}

/** A port below 1024 that is free. */
async function lowPort(): Promise<number> {
  for (let port = 1023; port > 600; port--) if (await isFree(port)) return port
  throw new Error('all ports below 1024 are taken')
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.on('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}

/**
 * Containers often allow all ports to every user. @returns false if they are for root, otherwise the reason
 * to skip
 */
function unprivilegedPortsBegin(): string | false {
  const first = Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'latin1'))
  return first >= 1024 ? false : `ports from ${first} on are for everybody on this machine`
}
