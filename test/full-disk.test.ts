import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { MODULES, StagedServer } from './fixtures/staged-server.ts'
import { until } from './fixtures/until.ts'
import { ServerUnderLoad } from './load/server-under-load.ts'

const skip = existsSync('/dev/full') ? false : 'needs /dev/full'
const mounts = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0

t.test(
  'a log on a full disk costs no answer and is told when it begins and at the end, with the lines lost',
  { skip },
  async (t) => {
    const site = await ServerUnderLoad.start(t, {
      workers: 1,
      mix: { closing: 2, busy: 2, pipelining: 1 },
      lines: ['CustomLog /dev/full "%r"'],
    })
    await site.load.answers(1_000)
    const report = await site.load.stop()
    t.strictSame(report.failures, {})
    t.match(await site.server.stop(), { status: 0 })
    const told = site.server.errors().filter((line) => line.includes('/dev/full'))
    t.strictSame(told, [
      '[core:warn] (28)No space left on device: AH00646: Error writing to /dev/full',
      `[core:warn] ${report.requests} log lines could not be written to /dev/full`,
    ])
    t.equal(site.loggedIds().length, report.requests, 'the other log has every line')
  },
)

t.test(
  'a disk that fills up under all logs stops neither answers nor reloads, is told where the server was started, and has no half lines',
  { skip: mounts ? false : 'needs to mount a disk' },
  async (t) => {
    const server = await StagedServer.make(t)
    server.file('htdocs/a.txt', 'a\n')
    server.configure(
      'PidFile @ROOT@/httpd.pid',
      'WorkerProcesses 2',
      'LogLevel info',
      `LoadModule authz_core_module ${join(MODULES, 'mod_authz_core.so')}`,
      `CustomLog logs/access_log "%U ${'x'.repeat(500)} end"`,
      '<Location />',
      'Require all granted',
      '</Location>',
    )
    const [access, errors, ballast] = ['logs/access_log', 'logs/error_log', 'logs/ballast']
    await server.startWithDisk(128)
    const read = (log: string): string => readFileSync(server.inside(log), 'latin1')
    const asked: string[] = []
    const ask = async (times: number): Promise<void> => {
      for (let i = 0; i < times; i++) {
        const path = `/missing${asked.length}`
        asked.push(path)
        t.equal((await server.get(path)).status, 404)
      }
    }
    await ask(10)
    t.throws(() => writeFileSync(server.inside(ballast), 'x'.repeat(96_000 + 128_000)), { code: 'ENOSPC' })
    await ask(20)
    t.ok(read(access).endsWith(' end\n') && read(errors).endsWith('\n'), 'no line is written in half')

    rmSync(server.inside(ballast))
    await until('what waited is written', () => read(access).split('\n').length === asked.length + 1)
    const lines = read(access).split('\n').slice(0, -1)
    t.strictSame(lines.map((line) => /^(\S+) x{500} end$/.exec(line)?.[1]).sort(), [...asked].sort())
    const told = (): string[] =>
      read(errors)
        .split('\n')
        .filter((line) => line.includes('AH00646'))
    t.match(told()[0], /\(28\)No space left on device: AH00646: Error writing to /, 'the log says it when it can')

    t.throws(() => writeFileSync(server.inside(ballast), 'x'.repeat(256_000)), { code: 'ENOSPC' })
    await ask(5)
    t.match(await server.run('-k', 'graceful'), { status: 0 }, 'a reload needs no room')
    await ask(5)
    const { stderr } = (await server.stop()) ?? {}
    const target = server.path(errors)
    t.strictSame(stderr?.slice(0, 2), [
      `(28)No space left on device: AH00646: Error writing to ${target}`,
      'hint: the server continues to run; free disk space: each process keeps up to 4 MiB of lines per log and writes them later',
    ])
    t.match(
      stderr?.join('\n'),
      new RegExp(`\\d+ log lines? could not be written to ${server.path(access)}\n`),
      'what was lost is told',
    )
  },
)
