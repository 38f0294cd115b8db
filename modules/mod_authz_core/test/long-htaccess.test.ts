import { type AnyModule, defineModule } from '@gatewright/api'
import { busyLoop, site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../src/index.ts'

const COUNT = 300
const LINES = 'Require counted\n'.repeat(COUNT)

/** `Require counted` denies, and counts the lines that were applied. */
function counting(): { readonly module: AnyModule; readonly counts: { applied: number } } {
  const counts = { applied: 0 }
  const module = defineModule({
    name: 'counted_module',
    source: 'mod_counted.c',
    register: ({ providers }) => {
      providers.authz.add('counted', {
        parse: () => {
          counts.applied++
          return () => 'denied'
        },
      })
    },
  })
  return { module, counts }
}

for (const [name, htaccess, status] of [
  ['RequireAny', `<RequireAny>\nRequire all granted\n${LINES}</RequireAny>\n`, 200],
  ['RequireAll', `<RequireAll>\nRequire all granted\n${LINES}</RequireAll>\n`, 403],
  ['RequireNone', `<RequireAll>\nRequire all granted\n<RequireNone>\n${LINES}</RequireNone>\n</RequireAll>\n`, 200],
  ['Limit within RequireAny', `<RequireAny>\nRequire all granted\n<Limit GET>\n${LINES}</Limit>\n</RequireAny>\n`, 200],
  ['RequireAny within Files', `<Files "f">\n<RequireAny>\nRequire all granted\n${LINES}</RequireAny>\n</Files>\n`, 200],
] as const) {
  t.test(`other requests are served while many lines within ${name} of a .htaccess file are applied`, async (t) => {
    const { module, counts } = counting()
    const server = await site({
      modules: [authzCore, module],
      loopClock: busyLoop(),
      config: `<Directory "@ROOT@/docs">\nAllowOverride All\nRequire all granted\n</Directory>\nLimitComputingTime unlimited`,
      files: { 'docs/f': 'f', 'docs/d/f': 'inner', 'docs/d/.htaccess': htaccess },
    })
    t.teardown(() => server.close())
    let isOver = false
    const long = server.inject('/d/f').finally(() => {
      isOver = true
    })
    const sofar = new Set<number>()
    while (!isOver) {
      t.match(await server.inject('/f'), { status: 200, body: 'f' })
      if (counts.applied > 0 && counts.applied < COUNT) sofar.add(counts.applied)
      await new Promise((resolve) => setImmediate(resolve))
    }
    t.ok(sofar.size >= 5, `after ${[...sofar].join(', ')} lines`)
    t.equal((await long).status, status)
    t.equal(counts.applied, COUNT, 'each line was applied once')
  })
}
