import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readContents } from '@gatewright/module-kit'
import t, { type Test } from 'tap'

/** A module's files below a folder of the test; the first is the entry. */
function contentsOf(t: Test, files: Readonly<Record<string, string>>): ReturnType<typeof readContents> {
  const folder = t.testdir()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return readContents(join(folder, Object.keys(files)[0]))
}

const NOTHING = { directives: [], hooks: [], providers: [], more: [] }

t.test('directives, hooks and providers are read from the text', async (t) => {
  const text = `defineModule({
    directives: { Greeting: directive.take1({}), '<GreetingFor': directive.section({}) },
    register({ hooks, providers }) {
      hooks.handler.add(answer)
      hooks.handler.add(other, { rank: 'last' })
      hooks.fixups.add(() => OK)
      providers.authz.add('badge', badge)
      providers.authn.add(NAME, passwords)
    },
  })
  const NAME = 'badges'`
  t.strictSame(contentsOf(t, { 'index.ts': text }), {
    directives: ['Greeting', '<GreetingFor'],
    hooks: ['handler', 'fixups'],
    providers: ['authz badge', 'authn badges'],
    more: [],
  })
})

t.test('providers of groups that modules define are read with the name of the group, also from another file', async (t) => {
  const files = {
    'index.ts': `import { UNITS as GAUGES } from './units.ts'
      defineModule({ register({ providers }) {
        providers.of(GAUGES).add('metre', metre)
        const units = providers.of(GAUGES)
        units.add('yard', yard)
        providers.of(computed()).add('foot', foot)
      } })`,
    'units.ts': "export const UNITS = providerGroup<Unit>('gauge:unit', 1)",
  }
  t.strictSame(contentsOf(t, files), { ...NOTHING, providers: ['gauge:unit metre', 'gauge:unit yard'], more: ['providers'] })
})

t.test('tables and functions of other files of the module count as well', async (t) => {
  const files = {
    'src/index.ts': `import { directives } from './directives.ts'
      import { hang } from './hang.js'
      defineModule({ directives, register: (host) => hang(host) })`,
    'src/directives.ts': `import { more as others } from './more.ts'
      export const directives = { One: a, ...others } satisfies Table`,
    'src/more.ts': 'const table = { Two: b }\nexport const more: Table = (table as Table)',
    'src/hang.ts': 'export const hang = (host) => host.hooks.logTransaction.add(log)',
    'src/unused.ts': 'hooks.fixups.add(nothing)',
  }
  t.strictSame(contentsOf(t, files), { ...NOTHING, directives: ['One', 'Two'], hooks: ['logTransaction'] })
})

t.test('if names are computed, the list is marked as incomplete', async (t) => {
  const text = `defineModule({ directives: { Known: a, [name]: b, ...made() }, register({ hooks, providers }) {
    for (const name of names) hooks[name].add(fn)
    providers.authz.add(check.name, check)
  } })`
  t.strictSame(contentsOf(t, { 'index.ts': text }), {
    directives: ['Known'],
    hooks: [],
    providers: [],
    more: ['directives', 'hooks', 'providers'],
  })
  t.strictSame(contentsOf(t, { 'index.ts': 'defineModule({ directives: make() })' }), { ...NOTHING, more: ['directives'] })
  t.strictSame(contentsOf(t, { 'index.ts': "import { x } from 'package'\ndefineModule({ directives: x })" }).more, ['directives'])
})

t.test('other things that are added to are no hooks or providers', async (t) => {
  t.strictSame(
    contentsOf(t, { 'index.ts': "defineModule({})\nset.add(1)\nthis.seen.names.add('x')\nhooks.handler.remove(f)" }),
    NOTHING,
  )
})
