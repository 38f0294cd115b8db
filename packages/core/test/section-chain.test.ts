import { type AnyModule, defineModule, directive, OK } from '@gatewright/api'
import { site } from '@gatewright/testing'
import t from 'tap'

interface Counted {
  readonly numbers: number[]
}

/** Counts merges of its configurations. */
function counting(): { readonly module: AnyModule; readonly counts: { merges: number } } {
  const counts = { merges: 0 }
  const module: AnyModule = defineModule<Counted>({
    name: 'counted_module',
    source: 'mod_counted.c',
    perDirectory: {
      create: () => ({ numbers: [] }),
      merge: (base, over) => {
        counts.merges++
        return { numbers: [base.numbers.length + over.numbers.length] }
      },
    },
    directives: {
      Number: directive.take1({
        scope: 'directory',
        context: ['server', 'virtualhost', 'directory', 'htaccess'],
        override: 'FileInfo',
        help: 'a number',
        set: (config, word) => {
          config.numbers.push(Number(word))
        },
      }),
    },
    register: ({ hooks }) => {
      hooks.accessCheckerEx.add(() => OK)
    },
  })
  return { module, counts }
}

t.test('each section of a walk is merged once, and what was merged is found again', async (t) => {
  const { module, counts } = counting()
  const lines = Array.from({ length: 2000 }, (_, number) => `<Files "f*">\nNumber ${number}\n</Files>`)
  const server = await site({
    modules: [module],
    config: '<Directory "@ROOT@/docs">\nAllowOverride All\n</Directory>',
    files: { 'docs/d/f': 'f', 'docs/d/.htaccess': lines.join('\n') },
  })
  t.teardown(() => server.close())
  t.match(await server.inject('/d/f'), { status: 200, body: 'f' })
  t.equal(counts.merges, 2000)
  t.match(await server.inject('/d/f'), { status: 200, body: 'f' })
  t.equal(counts.merges, 2000)
})
