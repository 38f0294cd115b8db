import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AnyModule, defineModule, directive, OK } from '@gatewright/api'
import { busyLoop, type SiteOptions, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'

/** `Count WORD` in a .htaccess file; X-Count contains the number of lines that were applied to a request. */
function counting(): { readonly module: AnyModule; readonly counts: { applied: number } } {
  const counts = { applied: 0 }
  const module: AnyModule = defineModule<{ lines: number }>({
    name: 'count_module',
    source: 'mod_count.c',
    perDirectory: { create: () => ({ lines: 0 }), merge: (base, over) => ({ lines: base.lines + over.lines }) },
    directives: {
      Count: directive.take1({
        scope: 'directory',
        context: ['server', 'virtualhost', 'directory', 'htaccess'],
        override: 'FileInfo',
        help: 'counts',
        set: (config, word) => {
          counts.applied++
          config.lines++
          return word === 'wrong' ? 'Count takes another word' : undefined
        },
      }),
    },
    register: ({ hooks, configOf }) => {
      hooks.accessCheckerEx.add(() => OK)
      hooks.fixupHeaders.add((request) => request.headersOut.set('X-Count', String(configOf(request).lines)))
    },
  })
  return { module, counts }
}

const LONG = 'Count a\n'.repeat(2000)

async function serve(t: Test, module: AnyModule, htaccess: string, more: Partial<SiteOptions> = {}): Promise<TestServer> {
  const server = await site({
    ...more,
    modules: [module],
    config: `<Directory "@ROOT@/docs">\nAllowOverride All\n</Directory>\n${more.config ?? ''}`,
    files: { 'docs/f': 'f', 'docs/d/f': 'f', 'docs/d/.htaccess': htaccess },
  })
  t.teardown(() => server.close())
  return server
}

/** Long ago, so that the version is trusted. */
function settle(server: TestServer): void {
  utimesSync(join(server.serverRoot, 'docs/d/.htaccess'), 1_000_000, 1_000_000)
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

for (const [name, htaccess, lines] of [
  ['lines', LONG, '2000'],
  ['sections in sections', `<Files "f">\n<If "true">\n${LONG}</If>\n</Files>\n${LONG}`, '4000'],
] as const) {
  t.test(`others are served while a file of many ${name} is read, and all who wait for it share one reading`, async (t) => {
    const { module, counts } = counting()
    const server = await serve(t, module, htaccess, { loopClock: busyLoop(), config: 'LimitComputingTime unlimited' })
    settle(server)
    let isOver = false
    const both = Promise.all([server.inject('/d/f'), server.inject('/d/f')]).finally(() => {
      isOver = true
    })
    let served = 0
    while (!isOver) {
      t.match(await server.inject('/f'), { status: 200, body: 'f' })
      if (!isOver) served++
      await turn()
    }
    t.ok(served >= 5, `${served} others were served in between`)
    for (const { status, header } of await both) {
      t.equal(status, 200)
      t.equal(header('X-Count'), lines)
    }
    t.equal(String(counts.applied), lines, 'each line was applied once')
    t.equal((await server.inject('/d/f')).status, 200)
    t.equal(String(counts.applied), lines, 'and not again')
  })
}

t.test(
  'a file that takes longer to read than LimitComputingTime is a 500 that is remembered until the file changes',
  async (t) => {
    const { module, counts } = counting()
    const server = await serve(t, module, LONG, { loopClock: busyLoop(), config: 'LimitComputingTime 0.2' })
    settle(server)
    t.equal((await server.inject('/d/f')).status, 500)
    t.match(
      server.errors().at(-1),
      /\[core:alert\] .*\/docs\/d\/\.htaccess: .*\.htaccess:\d+: Count: the request was ended after 0\.2 s of computing/,
    )
    const applied = counts.applied
    t.ok(applied < 2000)
    await turn()
    t.equal((await server.inject('/d/f')).status, 500)
    t.equal(counts.applied, applied, 'it is not read again')
    t.match(await server.inject('/f'), { status: 200, body: 'f' })
    writeFileSync(join(server.serverRoot, 'docs/d/.htaccess'), 'Count a\n')
    await turn()
    t.equal((await server.inject('/d/f')).header('X-Count'), '1')
  },
)

t.test('the first error of a long file is reported, also after sections', async (t) => {
  const { module } = counting()
  const server = await serve(t, module, `${LONG}<Files "f">\nCount a\nCount wrong\n</Files>\nNoSuchThing\n`, {
    loopClock: busyLoop(0.5),
  })
  t.equal((await server.inject('/d/f')).status, 500)
  t.match(server.errors().at(-1), /\.htaccess: Count takes another word/)
})

t.test('sections that are nested without end are a mistake', async (t) => {
  const { module } = counting()
  const server = await serve(t, module, `${'<If "true">\n'.repeat(3000)}Count a\n${'</If>\n'.repeat(3000)}`)
  t.equal((await server.inject('/d/f')).status, 500)
  t.match(server.errors().at(-1), /<If> is nested more than 1000 deep/)
})

t.test('other requests are served while a very long line is read, which is an error', async (t) => {
  const { module } = counting()
  const server = await serve(t, module, `Count a\\\n${'\\\n'.repeat(400_000)}Count b${'x'.repeat(9000)}\n`, {
    loopClock: busyLoop(),
  })
  let isOver = false
  const long = server.inject('/d/f').finally(() => {
    isOver = true
  })
  let served = 0
  while (!isOver) {
    t.match(await server.inject('/f'), { status: 200, body: 'f' })
    if (!isOver) served++
    await turn()
  }
  t.ok(served >= 5, `${served} others were served in between`)
  t.equal((await long).status, 500)
  t.match(server.errors().at(-1), /Error reading .*\.htaccess at line 400002: Line too long/)
})
