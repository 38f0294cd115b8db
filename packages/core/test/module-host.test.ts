import { type AnyModule, DECLINED, OK, optionalHook, type Request, type Slot } from '@gatewright/api'
import { createServer, rawExchange, serverRoot, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { moduleOf, openModule } from './support/modules.ts'
import { bare, refusal } from './support/refusal.ts'

async function serve(t: Test, modules: readonly AnyModule[], config = ''): Promise<TestServer> {
  const server = await site({ modules: [openModule, ...modules], config, files: { 'docs/f.txt': 'file', 'docs/g.txt': 'other' } })
  t.teardown(() => server.close())
  return server
}
const broken = (): never => {
  throw new Error('broken on purpose')
}

t.test('what a module remembers of a request is there in later phases, for that module and that request alone', async (t) => {
  const seen: unknown[] = []
  const remembers = (name: string): AnyModule =>
    moduleOf(name, ({ hooks, requestSlot }) => {
      const first = requestSlot<string>()
      const second = requestSlot<number>()
      hooks.fixups.add((request) => {
        seen.push(first.get(request), second.get(request))
        first.set(request, `${name} ${request.uri}`)
        second.set(request, 7)
        return OK
      })
      hooks.logTransaction.add((request) => void seen.push(first.get(request), second.get(request)))
    })
  const server = await serve(t, [remembers('a'), remembers('b')])
  await server.inject('/f.txt')
  await server.inject('/g.txt')
  const untouched = [undefined, undefined, undefined, undefined]
  t.strictSame(seen, [...untouched, 'a /f.txt', 7, 'b /f.txt', 7, ...untouched, 'a /g.txt', 7, 'b /g.txt', 7])
})

t.test('sub-requests and internal redirects begin without what was remembered', async (t) => {
  const seen: unknown[] = []
  const module = moduleOf('a', ({ hooks, requestSlot }) => {
    const slot = requestSlot<string>()
    hooks.translateName.add((request) => {
      seen.push(slot.get(request))
      slot.set(request, request.uri)
      return DECLINED
    })
    hooks.handler.add(async (request) => {
      if (request.uri !== '/f.txt') return DECLINED
      await request.lookupUri('/g.txt')
      seen.push(slot.get(request))
      return request.internalRedirect('/g.txt')
    })
  })
  const server = await serve(t, [module])
  t.equal((await server.inject('/f.txt')).body, 'other')
  t.strictSame(seen, [undefined, undefined, '/f.txt', undefined])
})

t.test('a slot accepts only requests of this server', async (t) => {
  let kept: Slot<Request, number> | undefined
  const server = await serve(t, [moduleOf('a', ({ requestSlot }) => void (kept = requestSlot<number>()))])
  t.equal((await server.inject('/f.txt')).status, 200)
  const stranger: Request = JSON.parse('{}')
  t.throws(() => kept?.set(stranger, 1), { name: 'TypeError', message: 'not a request of this server' })
})

t.test(
  'what is remembered of a connection lasts as long as it, and its cleanups run at its end, last registered first',
  async (t) => {
    const seen: (string | number)[] = []
    let closed: () => void = () => undefined
    const over = new Promise<void>((resolve) => {
      closed = resolve
    })
    const module = moduleOf('a', ({ hooks, connectionSlot }) => {
      const counts = connectionSlot<number>()
      hooks.preConnection.add((connection) => {
        counts.set(connection, 0)
        connection.onClose(() => {
          seen.push('first')
          closed()
        })
        connection.onClose(broken)
        connection.onClose(() => void seen.push('last'))
      })
      hooks.fixups.add(({ connection }) => {
        counts.set(connection, (counts.get(connection) ?? Number.NaN) + 1)
        seen.push(counts.get(connection) ?? Number.NaN)
        return OK
      })
    })
    const server = await serve(t, [module])
    const port = await server.listen()
    const request = 'GET /f.txt HTTP/1.1\r\nHost: x\r\n'
    await rawExchange(port, `${request}\r\n${request}Connection: close\r\n\r\n`)
    await over
    t.strictSame(seen, [1, 2, 'last', 'first'])
    t.match(server.errors().map(bare), [/^\[core:crit\] a cleanup failed: broken on purpose$/])
  },
)

t.test('the cleanups of a generation run when it ends, last registered first, one that fails included', async (t) => {
  const ran: string[] = []
  const ends = (name: string): AnyModule =>
    moduleOf(name, ({ hooks, onEnd }) => {
      onEnd(() => void ran.push(`${name} 1`))
      onEnd(broken)
      hooks.childInit.add(() => onEnd(() => void ran.push(`${name} 2`)))
    })
  const server = await site({ modules: [openModule, ends('a'), ends('b')] })
  await server.inject('/')
  t.strictSame(ran, [])
  await server.close()
  await server.close()
  t.strictSame(ran, ['b 2', 'a 2', 'b 1', 'a 1'])
  t.equal(server.errors().filter((line) => line.includes('a cleanup failed: broken on purpose')).length, 2)
})

const REFUSALS: readonly (readonly [string, string, AnyModule | null])[] = [
  ['a directive that nobody knows', 'NoSuchDirective', null],
  ['a module that cannot register itself', '', moduleOf('bad', broken)],
  ['preConfig', '', moduleOf('bad', ({ hooks }) => hooks.preConfig.add(broken))],
  ['checkConfig', '', moduleOf('bad', ({ hooks }) => hooks.checkConfig.add(() => 'no'))],
  ['openLogs', '', moduleOf('bad', ({ hooks }) => hooks.openLogs.add(() => 'no'))],
  ['postConfig', '', moduleOf('bad', ({ hooks }) => hooks.postConfig.add(() => 'no'))],
  ['childInit', '', moduleOf('bad', ({ hooks }) => hooks.childInit.add(broken))],
]

for (const [what, config, bad] of REFUSALS) {
  t.test(`a configuration that is refused by ${what} is cleaned up, once`, async (t) => {
    let ended = 0
    const tidy = moduleOf('tidy', ({ onEnd }) =>
      onEnd(() => {
        ended++
      }),
    )
    const { root, remove } = serverRoot()
    t.teardown(remove)
    const modules = bad === null ? [tidy] : [tidy, bad]
    await t.rejects(createServer({ config: `ServerName x\nDocumentRoot docs\n${config}`, modules, serverRoot: root }))
    t.equal(ended, 1)
  })
}

t.test('lines about a request name the module that owns the log, regardless of the caller, and obey its LogLevel', async (t) => {
  const module = moduleOf('teller', ({ hooks, log }) =>
    hooks.fixups.add((request) => {
      const told = log.about(request)
      told.error('an error', { code: 13, text: 'Permission denied' })
      told.warn('a warning')
      told.notice('a notice')
      told.info('an info')
      told.debug('a debug')
      return OK
    }),
  )
  const lines = async (config: string): Promise<string[]> => {
    const server = await serve(t, [module], config)
    await server.inject('/f.txt')
    return server.errors().map((line) => line.replace(/^\[.*?\] /, '').replace(/ \[pid .*?\]/, ''))
  }
  const client = '[client 127.0.0.1:50000]'
  // A notice is always written, as in httpd.
  const severe = [
    `[teller:error] (13)Permission denied: ${client} an error`,
    `[teller:warn] ${client} a warning`,
    `[teller:notice] ${client} a notice`,
  ]
  t.strictSame(await lines('LogLevel warn'), severe)
  t.strictSame(await lines('LogLevel warn teller:debug'), [
    ...severe,
    `[teller:info] ${client} an info`,
    `[teller:debug] mod_teller.c(0): ${client} a debug`,
  ])
})

const greetings = optionalHook<(name: string) => string>('host:greet')

t.test("functions of another module's hook run in its order, loaded before or after it", async (t) => {
  const answers: string[] = []
  const greets = (name: string, rank: 'first' | 'last'): AnyModule =>
    moduleOf(name, ({ optionalHooks }) => optionalHooks.add(greetings, (whom) => `${name} ${whom}`, { rank }))
  const runs = moduleOf('host', ({ hooks, optionalHooks }) =>
    hooks.fixups.add(() => {
      for (const greet of optionalHooks.of(greetings)) answers.push(greet('you'))
      return OK
    }),
  )
  const server = await serve(t, [greets('a', 'last'), runs, greets('b', 'first')])
  await server.inject('/f.txt')
  await server.inject('/f.txt')
  t.strictSame(answers, ['b you', 'a you', 'b you', 'a you'])
})

t.test('a function in a hook that is never run has no effect, a hook without functions is empty', async (t) => {
  const nobody = optionalHook<() => void>('nobody:runs')
  let found: readonly unknown[] | undefined
  const server = await serve(t, [
    moduleOf('a', ({ optionalHooks }) => optionalHooks.add(nobody, broken)),
    moduleOf('host', ({ hooks, optionalHooks }) => hooks.checkConfig.add(() => void (found = optionalHooks.of(greetings)))),
  ])
  t.equal((await server.inject('/f.txt')).status, 200)
  t.strictSame(found, [])
})

t.test("a circle in a module's own hook ends the start, too", async (t) => {
  const module = (self: string, other: string): AnyModule =>
    moduleOf(self, ({ optionalHooks }) => optionalHooks.add(greetings, () => '', { after: [`mod_${other}.c`] }))
  t.strictSame((await refusal('', { modules: [module('a', 'b'), module('b', 'a')] })).console, [
    'the order of the functions of hook host:greet is a circle: mod_a.c before mod_b.c before mod_a.c',
    'AH00014: Configuration check failed',
  ])
})

t.test('names of modules that are not loaded are logged at debug', async (t) => {
  const module = moduleOf('a', ({ hooks }) =>
    hooks.fixups.add(() => OK, { before: ['mod_open.c', 'mod_misspelt.c'], after: ['mod_gone.c'] }),
  )
  const lines = async (config: string): Promise<string[]> => (await serve(t, [module], config)).errors().map(bare)
  t.strictSame(await lines('LogLevel info'), [])
  t.strictSame(
    (await lines('LogLevel debug')).filter((line) => line.includes('which is not loaded')),
    [
      '[core:debug] core.c(0): hook fixups: mod_a.c names mod_misspelt.c, which is not loaded',
      '[core:debug] core.c(0): hook fixups: mod_a.c names mod_gone.c, which is not loaded',
    ],
  )
})
