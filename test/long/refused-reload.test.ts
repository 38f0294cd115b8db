import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API_VERSION, MODULE_MAGIC_COOKIE, MODULE_MAGIC_NUMBER_MAJOR } from '@gatewright/api'
import { buildModule, stampModule } from '@gatewright/module-kit'
import t, { type Test } from 'tap'
import { gone } from '../fixtures/processes.ts'
import { until } from '../fixtures/until.ts'
import type { Mix } from '../load/habits.ts'
import { ServerUnderLoad } from '../load/server-under-load.ts'

const SOME: Mix = { closing: 2, busy: 2, pausing: 3, pipelining: 1 }
const FAULTY = join(import.meta.dirname, '../fixtures/mod_faulty/src/index.ts')
const LINE_OF_API = { cookie: MODULE_MAGIC_COOKIE, api: API_VERSION, magic: MODULE_MAGIC_NUMBER_MAJOR }
const REFUSED = 'the new configuration cannot be used; the server keeps its current configuration'

t.test('a configuration with an error is rejected by the command that requests the reload, with file and line', async (t) => {
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
  await unharmed(t, site)
})

/** Invalid modules, with the lines that load them, and the log messages. */
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
  'that throws while it registers itself': {
    make: async (folder) => {
      const definition = "{ name: 'clumsy_module', source: 'mod_clumsy.c', register() { throw new Error('both hands full') } }"
      writeFileSync(
        join(folder, 'mod_clumsy.mjs'),
        `const module = ${definition}\nmodule[Symbol.for('gatewright.module')] = true\nexport default module\n`,
      )
      stampModule(join(folder, 'mod_clumsy.mjs'), { module: 'clumsy_module', source: 'mod_clumsy.c' }, LINE_OF_API)
    },
    lines: ['LoadModule clumsy_module modules/mod_clumsy.so'],
    said: /httpd: Syntax error on line LINE of \S+: .*both hands full/,
  },
  'of the 2.2 line': {
    make: async (folder) => {
      writeFileSync(join(folder, 'mod_ancient.mjs'), "throw new Error('it ran')\n")
      const old = { cookie: 'AP22', api: '2.2.43', magic: 20051115 }
      stampModule(join(folder, 'mod_ancient.mjs'), { module: 'ancient_module', source: 'mod_ancient.c' }, old)
    },
    lines: ['LoadModule ancient_module modules/mod_ancient.so'],
    said: /httpd: Syntax error on line LINE of \S+: API module structure 'ancient_module' .* but saw 41503232/,
  },
  'that ends the process while it is loaded': {
    make: async (folder) => {
      writeFileSync(join(folder, 'mod_quitter.mjs'), 'process.exit(0)\n')
      stampModule(join(folder, 'mod_quitter.mjs'), { module: 'quitter_module', source: 'mod_quitter.c' }, LINE_OF_API)
    },
    lines: ['LoadModule quitter_module modules/mod_quitter.so'],
    said: /while loading \S+\/modules\/mod_quitter\.mjs/,
  },
  'whose postConfig throws': {
    make: async (folder) => {
      await buildModule({ entry: FAULTY, outFile: join(folder, 'mod_faulty.mjs') })
    },
    lines: ['LoadModule faulty_module modules/mod_faulty.so', 'PostConfigFault throws'],
    said: /mod_faulty\.c.*the moon is wrong|the moon is wrong.*mod_faulty/,
  },
  'whose postConfig refuses': {
    make: async (folder) => {
      await buildModule({ entry: FAULTY, outFile: join(folder, 'mod_faulty.mjs') })
    },
    lines: ['LoadModule faulty_module modules/mod_faulty.so', 'RefuseStart "not with this moon"'],
    said: /not with this moon/,
  },
}

t.test('an invalid module leaves the server unchanged, and the next valid reload works', async (t) => {
  const site = await ServerUnderLoad.start(t, { workers: 2, mix: SOME })
  for (const [what, { make, lines, said }] of Object.entries(BAD_MODULES)) {
    await t.test(`a module ${what}`, async (t) => {
      const workers = site.workers()
      await make(site.server.path('modules'))
      const line = site.configure(...lines)
      const told = (await refusedReload(site)).join('\n')
      t.match(told, new RegExp(said.source.replace('LINE', String(line))))
      t.strictSame(site.workers(), workers)
      await thenReloads(t, site, workers)
    })
  }
  await unharmed(t, site)
})

/**
 * Sends the signal with an invalid configuration. @returns the error log's lines about it, after the signal's
 * own line
 */
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
}

async function unharmed(t: Test, site: ServerUnderLoad): Promise<void> {
  await site.load.answers(200)
  const report = await site.load.stop()
  t.strictSame(report.failures, {})
  t.equal(report.requests, report.right)
}
