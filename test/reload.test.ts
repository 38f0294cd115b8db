import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API_VERSION, MODULE_MAGIC_COOKIE, MODULE_MAGIC_NUMBER_MAJOR } from '@gatewright/api'
import { buildModule, stampModule } from '@gatewright/module-kit'
import t, { type Test } from 'tap'
import { gone } from './fixtures/processes.ts'
import { until } from './fixtures/until.ts'
import type { FailureKind } from './load/failure.ts'
import { HABITS, type Kind, type Mix, WHOLE_MIX } from './load/habits.ts'
import { ServerUnderLoad } from './load/server-under-load.ts'

const SOME: Mix = { closing: 2, busy: 2, pausing: 3, pipelining: 1 }
const FAULTY = join(import.meta.dirname, 'fixtures/mod_faulty/src/index.ts')
const LINE_OF_API = { cookie: MODULE_MAGIC_COOKIE, api: API_VERSION, magic: MODULE_MAGIC_NUMBER_MAJOR }
const REFUSED = 'the new configuration cannot be used; the server goes on with the one it has'

t.test('no request of any kind of client fails while the configuration is loaded again and again', async (t) => {
  const site = await ServerUnderLoad.start(t, { workers: 2, mix: WHOLE_MIX })
  const { load } = site
  const former: number[] = []
  for (let reload = 0; reload < 5; reload++) {
    former.push(...(await site.reload('SIGUSR1')))
    await load.answers(300)
  }
  await gone(former)
  t.equal(new Set(former).size, 10, 'each generation had two workers of its own')
  const present = site.workers()
  t.equal(present.length, 2)
  const report = await load.stop()
  t.strictSame(report.failures, {})
  t.equal(report.requests, report.right)
  t.equal(report.strayBytes, 0)
  t.equal(site.generations(), 6)
  t.match(await site.server.stop(), { status: 0, stderr: [] })
})

t.test('a restart that is not graceful costs only requests that old workers have, and no connection is refused', async (t) => {
  const site = await ServerUnderLoad.start(t, { workers: 2, mix: WHOLE_MIX })
  const { load } = site
  const restarts = 3
  const atMost =
    restarts * Object.entries(WHOLE_MIX).reduce((sum, [kind, count]) => sum + count * HABITS[kind as Kind].together, 0)
  const former: number[] = []
  for (let restart = 0; restart < restarts; restart++) {
    former.push(...(await site.reload('SIGHUP')))
    await gone(former)
    await load.answers(300)
  }
  const report = await load.stop()
  t.equal(report.right + report.failed, report.requests)
  t.ok(report.failed <= atMost, `${report.failed} of at most ${atMost} requests in flight`)
  for (const { kind, worker, detail } of load.failures) {
    t.ok(CUT_OFF.has(kind), `${kind} ${detail}`)
    t.ok(worker === null || former.includes(worker), `${worker} was an old worker`)
  }
})

/** What a request meets whose worker ends. */
const CUT_OFF: ReadonlySet<FailureKind> = new Set([
  'reset before the first byte',
  'reset in the answer',
  'closed without answer',
  'closed in the answer',
])

t.test('a configuration with a mistake is refused where the reload is asked for, with its file and line', async (t) => {
  const site = await ServerUnderLoad.start(t, { workers: 2, mix: SOME })
  const workers = site.workers()
  const line = site.configure('NoSuchThing on')
  const { status, stderr } = await site.server.run('-k', 'graceful')
  t.equal(status, 1)
  t.match(stderr, [
    `AH00526: Syntax error on line ${line} of ${site.server.path('conf/httpd.conf')}:`,
    /^Invalid command 'NoSuchThing'/,
  ])
  t.strictSame(site.workers(), workers)
  t.notOk(
    site.server.errors().some((one) => one.includes('AH00493')),
    'no signal was sent',
  )
  await unharmed(t, site)
})

t.test('a configuration with a mistake that is found after the signal is refused in the log, and the workers stay', async (t) => {
  const site = await ServerUnderLoad.start(t, { workers: 2, mix: SOME })
  const workers = site.workers()
  const line = site.configure('NoSuchThing on')
  const told = await refusedReload(site)
  t.match(told, [
    `AH00526: Syntax error on line ${line} of ${site.server.path('conf/httpd.conf')}:`,
    /^Invalid command 'NoSuchThing'/,
  ])
  t.strictSame(site.workers(), workers)
  await thenReloads(t, site, workers)
})

/** Modules that are no good, with the lines that load them, and what the log says. */
const BAD_MODULES: Readonly<
  Record<string, { readonly make: (folder: string) => Promise<void>; readonly lines: readonly string[]; readonly said: RegExp }>
> = {
  'whose file is damaged': {
    make: async (folder) => {
      await buildModule({ entry: FAULTY, outFile: join(folder, 'mod_faulty.mjs') })
      writeFileSync(join(folder, 'mod_faulty.mjs'), '\n', { flag: 'a' })
    },
    lines: ['LoadModule faulty_module modules/mod_faulty.so'],
    said: /httpd: Syntax error on line LINE of \S+: Cannot load modules\/mod_faulty\.so into server: /,
  },
  'that throws while it is loaded': {
    make: async (folder) => {
      writeFileSync(join(folder, 'mod_thrower.mjs'), "throw new Error('not today')\n")
      stampModule(join(folder, 'mod_thrower.mjs'), { module: 'thrower_module', source: 'mod_thrower.c' }, LINE_OF_API)
    },
    lines: ['LoadModule thrower_module modules/mod_thrower.so'],
    said: /httpd: Syntax error on line LINE of \S+: .*not today/,
  },
  'that ends the process while it is loaded': {
    make: async (folder) => {
      writeFileSync(join(folder, 'mod_quitter.mjs'), 'process.exit(0)\n')
      stampModule(join(folder, 'mod_quitter.mjs'), { module: 'quitter_module', source: 'mod_quitter.c' }, LINE_OF_API)
    },
    lines: ['LoadModule quitter_module modules/mod_quitter.so'],
    said: /while loading \S+\/modules\/mod_quitter\.mjs/,
  },
  'whose postConfig refuses': {
    make: async (folder) => {
      await buildModule({ entry: FAULTY, outFile: join(folder, 'mod_faulty.mjs') })
    },
    lines: ['LoadModule faulty_module modules/mod_faulty.so', 'RefuseStart "not with this moon"'],
    said: /not with this moon/,
  },
}

for (const [what, { make, lines, said }] of Object.entries(BAD_MODULES)) {
  t.test(`a module ${what} leaves the server as it is, and the next good reload works`, async (t) => {
    const site = await ServerUnderLoad.start(t, { workers: 2, mix: SOME })
    const workers = site.workers()
    await make(site.server.path('modules'))
    const line = site.configure(...lines)
    const told = (await refusedReload(site)).join('\n')
    t.match(told, new RegExp(said.source.replace('LINE', String(line))))
    t.strictSame(site.workers(), workers)
    await thenReloads(t, site, workers)
  })
}

/** Sends the signal for a configuration that is no good. @returns what the error log says of it, behind the signal's own line */
async function refusedReload(site: ServerUnderLoad): Promise<string[]> {
  const before = site.server.errors().length
  site.server.signal('SIGUSR1')
  const told = (): string[] => site.server.errors().slice(before)
  await until('the reload is refused', () => told().some((line) => line.includes(REFUSED)))
  await site.load.answers(200)
  return told().slice(1)
}

async function thenReloads(t: Test, site: ServerUnderLoad, workers: readonly number[]): Promise<void> {
  site.configure()
  t.strictSame(await site.reload('SIGUSR1'), workers)
  await gone(workers)
  t.equal(site.workers().length, 2)
  await unharmed(t, site)
}

async function unharmed(t: Test, site: ServerUnderLoad): Promise<void> {
  await site.load.answers(200)
  const report = await site.load.stop()
  t.strictSame(report.failures, {})
  t.equal(report.requests, report.right)
}
