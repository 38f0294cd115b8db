import { type AnyModule, DECLINED, type DirectiveTable, defineModule, directive, isModule, type Module } from '@gatewright/api'
import t from 'tap'

interface GreetingConfig {
  greeting?: string
  loud?: boolean
}
interface GreetingServer {
  count: number
}

const greeting: Module<GreetingConfig, GreetingServer> = defineModule({
  name: 'greeting_module',
  source: 'mod_greeting.c',
  perDirectory: {
    create: () => ({}),
    merge: (base, over) => ({ greeting: over.greeting ?? base.greeting, loud: over.loud ?? base.loud }),
  },
  perServer: { create: () => ({ count: 0 }) },
  directives: {
    Greeting: directive.take1({
      scope: 'directory',
      context: ['server', 'virtualhost', 'directory', 'htaccess'],
      override: 'FileInfo',
      help: 'text that the greeting handler sends',
      set: (config, text) => {
        config.greeting = text
      },
    }),
    Loud: directive.flag({
      scope: 'directory',
      context: ['directory'],
      set: (config, on) => {
        config.loud = on
      },
    }),
    Count: directive.iterate2({
      scope: 'server',
      context: ['server'],
      set: (config, first, word, command) => {
        config.count += first.length + word.length + command.line
      },
    }),
  },
  register({ hooks, configOf }) {
    hooks.handler.add((request) => {
      if (request.handler !== 'greeting') return DECLINED
      return request.send('text/plain', `${configOf(request).greeting ?? 'hello'}\n`)
    })
  },
})

const anyModule: AnyModule = greeting

t.test('a module is recognised by its brand', async (t) => {
  t.ok(isModule(anyModule))
  t.notOk(isModule({ name: 'x_module', source: 'mod_x.c' }))
})

t.test('a module keeps its names and its directive table', async (t) => {
  t.equal(greeting.name, 'greeting_module')
  t.same(Object.keys(greeting.directives ?? {}), ['Greeting', 'Loud', 'Count'])
})

t.test('the types refuse rows of a directive table that would never work', async (t) => {
  const place = { scope: 'server', context: ['server'] } as const
  const noted: DirectiveTable<undefined, object> = {
    '<Note': directive.definition({ ...place, set: () => undefined }),
    '<Block': directive.section({ ...place, set: () => undefined }),
    Line: directive.raw({ ...place, set: () => undefined }),
    // @ts-expect-error: a container has a key with <
    Note: directive.definition({ ...place, set: () => undefined }),
    // @ts-expect-error: likewise
    Block: directive.section({ ...place, set: () => undefined }),
    // @ts-expect-error: a line has a key without <
    '<Line': directive.raw({ ...place, set: () => undefined }),
  }
  t.equal(Object.keys(noted).length, 6)
  // @ts-expect-error: there are no sections yet whose configuration it could fill
  directive.definition({ ...place, scope: 'directory', set: () => undefined })
  // @ts-expect-error: likewise
  directive.raw({ ...place, scope: 'directory', readTime: true, set: () => undefined })
})
