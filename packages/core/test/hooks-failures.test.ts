import { type AnyModule, DECLINED, HTTP_UNAUTHORIZED, type MaybePromise, OK, type Outcome } from '@gatewright/api'
import { authTypeOf, satisfyOf } from '@gatewright/api/peers'
import { createServer, rawExchange, serverRoot, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { moduleOf, openModule } from './support/modules.ts'
import { PHASES, type Phase } from './support/phases.ts'
import { bare, refusal } from './support/refusal.ts'

const SECRET = 'for friends only'
const untyped = (text: string): Outcome => JSON.parse(text)
const broken = (): never => {
  throw new Error('broken on purpose')
}

/** Ways to fail, and the log's text for each after the name of the hook. */
const FAILURES: readonly (readonly [string, () => MaybePromise<Outcome>, 'failed' | 'invalid', RegExp])[] = [
  ['throws', broken, 'failed', /Error: broken on purpose/],
  [
    'throws what is no error',
    () => {
      throw null
    },
    'failed',
    /failed: null$/,
  ],
  ['rejects at once', () => Promise.reject(new Error('broken on purpose')), 'failed', /Error: broken on purpose/],
  [
    'rejects later',
    async () => {
      await new Promise((resolve) => setTimeout(resolve, 1))
      return broken()
    },
    'failed',
    /Error: broken on purpose/,
  ],
  ['never settles', () => new Promise(() => undefined), 'failed', /did not settle within [\d.]+ s/],
  ['returns 77', () => untyped('77'), 'invalid', / 77 /],
  ['resolves to 77', () => Promise.resolve(untyped('77')), 'invalid', / 77 /],
  ['returns nothing', () => [][0] ?? untyped('null'), 'invalid', / null /],
  ['resolves to a text', () => Promise.resolve(untyped('"0"')), 'invalid', / 0 /],
]

/** Grants all access and authenticates every user, in every phase. */
const generous = (fails: Phase): AnyModule =>
  moduleOf('generous', ({ hooks }) => {
    // Authentication is required unless the failing phase comes after granted access.
    hooks.accessCheckerEx.add(() => (fails === 'forceAuthn' ? OK : DECLINED))
    hooks.checkUserId.add((request) => {
      request.user = 'anyone'
      return OK
    })
    hooks.authChecker.add(() => OK)
  })

const failing = (phase: Phase, fail: () => MaybePromise<Outcome>): AnyModule =>
  moduleOf('bad', ({ hooks }) => hooks[phase].add(fail, { rank: 'really-first' }))

async function serve(t: Test, modules: readonly AnyModule[], config = ''): Promise<TestServer> {
  const server = await site({ modules, config, files: { 'docs/f.txt': SECRET } })
  t.teardown(() => server.close())
  return server
}

for (const [way, fail, kind, cause] of FAILURES) {
  t.test(`a function that ${way} makes a 500 in every phase, and the log names it`, async (t) => {
    const answers = PHASES.map(async (phase) => {
      const server = await serve(t, [generous(phase), failing(phase, fail)], 'Timeout 1')
      const { status, body } = await server.inject('/f.txt')
      t.equal(status, 500, phase)
      t.match(body, /<title>500 Internal Server Error<\/title>/, phase)
      t.notMatch(body, SECRET, phase)
      const [line, ...others] = server.errors().map(bare)
      t.match(line, cause, phase)
      if (kind === 'failed') t.ok(line.startsWith(`[core:crit] hook ${phase} of mod_bad.c failed: `), line)
      else {
        t.match(
          line,
          phase === 'handler' ? /^\[core:error\] AH00524: Handler for / : /^\[core:error\] AH01579: Invalid response status /,
        )
        t.ok(line.endsWith(` (hook ${phase} of mod_bad.c)`), line)
      }
      t.strictSame(others, [], phase)
    })
    await Promise.all(answers)
  })
}

t.test('the server serves on after any of these', async (t) => {
  let fails = true
  const moody = moduleOf('moody', ({ hooks }) => hooks.fixups.add(() => (fails ? broken() : OK)))
  const server = await serve(t, [openModule, moody])
  t.equal((await server.inject('/f.txt')).status, 500)
  fails = false
  t.match(await server.inject('/f.txt'), { status: 200, body: SECRET })
})

t.test('Timeout limits the time of a hook, even if its value is not a number', async (t) => {
  const slow = moduleOf('slow', ({ hooks }) =>
    hooks.fixups.add(() => new Promise((resolve) => setTimeout(() => resolve(OK), 20))),
  )
  for (const timeout of ['60', 'foo', '0', '-5']) {
    const server = await serve(t, [openModule, slow], `Timeout ${timeout}`)
    t.equal((await server.inject('/f.txt')).status, 200, timeout)
  }
})

t.test('a result after the deadline has no effect', async (t) => {
  let settle: (outcome: Outcome) => void = () => undefined
  const late = moduleOf('late', ({ hooks }) =>
    hooks.accessCheckerEx.add(
      () =>
        new Promise((resolve) => {
          settle = resolve
        }),
    ),
  )
  const server = await serve(t, [late], 'Timeout 1')
  t.equal((await server.inject('/f.txt')).status, 500)
  settle(OK)
  await new Promise((resolve) => setImmediate(resolve))
  t.equal(server.errors().length, 1)
})

for (const mode of ['all', 'any', 'unset'] as const) {
  t.test(`with Satisfy ${mode} a broken access checker is no way around the others`, async (t) => {
    const satisfy = moduleOf('satisfy', ({ functions }) => functions.offer(satisfyOf, () => mode))
    for (const [way, fail] of FAILURES.filter(([name]) => name !== 'never settles')) {
      const server = await serve(t, [satisfy, openModule, failing('accessChecker', fail)])
      const { status, body } = await server.inject('/f.txt')
      t.equal(status, 500, way)
      t.notMatch(body, SECRET, way)
    }
  })
}

t.test('a Satisfy that cannot be determined is a 500', async (t) => {
  const satisfy = moduleOf('satisfy', ({ functions }) => functions.offer(satisfyOf, broken))
  const server = await serve(t, [satisfy, openModule])
  t.match(await server.inject('/f.txt'), { status: 500 })
  t.match(server.errors().map(bare), [/^\[core:crit\] the request could not be served: Error: broken on purpose/])
})

t.test('a response whose header fields could not be set is not sent', async (t) => {
  const shield = moduleOf('shield', ({ hooks }) => hooks.fixupHeaders.add(broken))
  const server = await serve(t, [openModule, shield])
  const { status, body } = await server.inject('/f.txt')
  t.equal(status, 500)
  t.notMatch(body, SECRET)
  t.match(server.errors().map(bare)[0], /^\[core:crit\] hook fixupHeaders of mod_shield\.c failed: Error: broken on purpose/)
})

t.test('a challenge that cannot be made is a 500', async (t) => {
  const { authTypeOf, HTTP_UNAUTHORIZED } = await import('@gatewright/api')
  const challenger = moduleOf('challenger', ({ hooks, functions }) => {
    functions.offer(authTypeOf, () => 'Basic')
    hooks.accessCheckerEx.add(() => HTTP_UNAUTHORIZED)
    hooks.noteAuthFailure.add(broken)
  })
  const server = await serve(t, [challenger])
  t.equal((await server.inject('/f.txt')).status, 500)
  t.match(server.errors().map(bare), [/^\[core:crit\] hook noteAuthFailure of mod_challenger\.c failed: Error: broken/])
})

t.test('a request is answered although it cannot be logged, and the other logs are written', async (t) => {
  const logged: string[] = []
  const modules = [
    openModule,
    moduleOf('lost', ({ hooks }) => hooks.logTransaction.add(broken)),
    moduleOf('kept', ({ hooks }) => hooks.logTransaction.add((request) => void logged.push(request.uri))),
  ]
  const server = await serve(t, modules)
  t.match(await server.inject('/f.txt'), { status: 200, body: SECRET })
  t.strictSame(logged, ['/f.txt'])
  t.match(server.errors().map(bare), [/^\[core:crit\] hook logTransaction of mod_lost\.c failed: Error: broken/])
})

t.test('a log function that turns out to wait, and fails then, is named', async (t) => {
  const lost = moduleOf('lost', ({ hooks }) =>
    hooks.logTransaction.add(() => untypedResult(Promise.reject(new Error('broken on purpose')))),
  )
  const server = await serve(t, [openModule, lost])
  t.match(await server.inject('/f.txt'), { status: 200, body: SECRET })
  await new Promise((resolve) => setImmediate(resolve))
  t.match(server.errors().map(bare), [/^\[core:crit\] hook logTransaction of mod_lost\.c failed: Error: broken on purpose/])
})

t.test(
  'a response waits for the functions that set its header fields, and is not sent when one of them fails after all',
  async (t) => {
    const later = (act: () => void) => (): Promise<void> => new Promise((resolve) => setImmediate(resolve)).then(act)
    const order: string[] = []
    const slow = moduleOf('slow', ({ hooks }) => hooks.fixupHeaders.add(later(() => void order.push('slow'))))
    const next = moduleOf('next', ({ hooks }) => hooks.fixupHeaders.add(() => void order.push('next')))
    const server = await serve(t, [openModule, slow, next])
    t.match(await server.inject('/f.txt'), { status: 200, body: SECRET })
    t.strictSame(order, ['slow', 'next'])
    const shield = moduleOf('shield', ({ hooks }) => hooks.fixupHeaders.add(later(broken)))
    const closed = await serve(t, [openModule, shield])
    const { status, body } = await closed.inject('/f.txt')
    t.equal(status, 500)
    t.notMatch(body, SECRET)
    t.match(closed.errors().map(bare), [/^\[core:crit\] hook fixupHeaders of mod_shield\.c failed: Error: broken on purpose/])
  },
)

for (const name of ['insertFilter'] as const) {
  t.test(`${name} that returns a promise is a 500, because its work is not awaited`, async (t) => {
    const lost = moduleOf('lost', ({ hooks }) => hooks[name].add(() => untypedResult(Promise.resolve())))
    const server = await serve(t, [openModule, lost])
    const { status, body } = await server.inject('/f.txt')
    t.equal(status, 500)
    t.notMatch(body, SECRET)
    t.match(
      server.errors().map(bare)[0] ?? '',
      new RegExp(`^\\[core:crit\\] hook ${name} of mod_lost\\.c failed: it returned a promise, which is not awaited`),
    )
  })
}

t.test('a challenge that is to be made later is a 500', async (t) => {
  const challenger = moduleOf('challenger', ({ hooks, functions }) => {
    functions.offer(authTypeOf, () => 'Late')
    hooks.accessCheckerEx.add(() => HTTP_UNAUTHORIZED)
    hooks.noteAuthFailure.add(() => untypedResult(Promise.resolve(OK)))
  })
  const server = await serve(t, [challenger])
  t.equal((await server.inject('/f.txt')).status, 500)
  t.match(
    server.errors().map(bare)[0] ?? '',
    /^\[core:crit\] hook noteAuthFailure of mod_challenger\.c failed: TypeError: it returned a promise/,
  )
})

for (const [how, result] of [
  ['rejects', () => Promise.reject(new Error('not on the list'))],
  ['settles later', () => new Promise((resolve) => setTimeout(resolve, 5))],
  ['is like a promise', () => Object.fromEntries([['then', () => undefined]])],
] as const) {
  t.test(`a connection whose preConnection ${how} is closed and not served`, async (t) => {
    const lost = moduleOf('lost', ({ hooks }) => hooks.preConnection.add(() => untypedResult(result())))
    const server = await serve(t, [openModule, lost])
    t.equal(await rawExchange(await server.listen(), 'GET /f.txt HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'), '')
    t.match(server.errors().map(bare)[0] ?? '', /^\[core:crit\] hook preConnection of mod_lost\.c failed: it returned a promise/)
  })
}

/** A result as JavaScript may return it, whatever the types say. */
function untypedResult(result: unknown): ReturnType<typeof JSON.parse> {
  return result
}

t.test('a cleanup that fails does not keep the others from running, last registered first', async (t) => {
  const ran: string[] = []
  const module = moduleOf('cleanup', ({ hooks }) =>
    hooks.fixups.add((request) => {
      request.onDone(() => void ran.push('first'))
      request.onDone(broken)
      request.onDone(() => void ran.push('last'))
      return OK
    }),
  )
  const server = await serve(t, [openModule, module])
  t.match(await server.inject('/f.txt'), { status: 200 })
  t.strictSame(ran, ['last', 'first'])
  t.match(server.errors().map(bare), [/^\[core:crit\] a cleanup failed: broken on purpose$/])
})

t.test('a connection that a module could not prepare is closed, and the next one served', async (t) => {
  let fails = true
  const module = moduleOf('prepare', ({ hooks }) => hooks.preConnection.add(() => (fails ? broken() : undefined)))
  const server = await serve(t, [openModule, module])
  const port = await server.listen()
  const request = 'GET /f.txt HTTP/1.0\r\n\r\n'
  t.equal(await rawExchange(port, request).catch(() => ''), '')
  t.match(server.errors().map(bare), [/^\[core:crit\] hook preConnection of mod_prepare\.c failed: Error: broken/])
  fails = false
  t.match(await rawExchange(port, request), SECRET)
})

/** Hooks of the start, and the error if one fails. */
const STARTS = [
  ['preConfig', 'AH00013: Pre-configuration failed'],
  ['checkConfig', 'AH00014: Configuration check failed'],
  ['openLogs', 'AH00015: Unable to open logs'],
  ['postConfig', 'AH00016: Configuration Failed'],
] as const

for (const [name, verdict] of STARTS) {
  t.test(`a ${name} function that fails ends the start and is named`, async (t) => {
    const module = (fail: () => undefined | Promise<undefined>): AnyModule =>
      moduleOf('bad', ({ hooks }) => hooks[name].add(() => void fail()))
    const thrown = await refusal('', { modules: [module(broken)] })
    t.strictSame(thrown.console, [`hook ${name} of mod_bad.c failed: broken on purpose`, verdict])
    if (name === 'preConfig') return
    const rejects = moduleOf('bad', ({ hooks }) => hooks[name].add(() => Promise.reject(new Error('broken later'))))
    t.strictSame((await refusal('', { modules: [rejects] })).console, [`hook ${name} of mod_bad.c failed: broken later`, verdict])
    const says = moduleOf('bad', ({ hooks }) => hooks[name].add(() => 'out of order'))
    t.strictSame((await refusal('', { modules: [says] })).console, ['out of order', verdict])
  })
}

t.test('a childInit function that fails keeps the process from serving', async (t) => {
  const module = moduleOf('bad', ({ hooks }) => hooks.childInit.add(broken))
  t.equal((await refusal('', { modules: [module] })).message, 'hook childInit of mod_bad.c failed: broken on purpose')
})

t.test('a module whose registration fails is named, and the configuration is not used', async (t) => {
  const { root, remove } = serverRoot()
  t.teardown(remove)
  const module = moduleOf('bad', broken)
  await t.rejects(createServer({ config: '', modules: [module], serverRoot: root }), /broken on purpose/)
})

t.test('the stack of a function names its hook, for a process that is ended because it blocks', async (t) => {
  const stacks: Record<string, string> = {}
  const note = (name: string): void => {
    stacks[name] = new Error('here').stack ?? ''
  }
  const module = moduleOf('noted', ({ hooks }) => {
    hooks.childInit.add(() => note('childInit'))
    hooks.postConfig.add(() => note('postConfig'))
    hooks.insertFilter.add(() => note('insertFilter'))
    // The second function runs in a different branch from the first, because the first one waits.
    hooks.fixups.add(() => Promise.resolve(OK))
    for (const name of ['postReadRequest', 'fixups'] as const) {
      hooks[name].add(() => {
        note(name)
        return OK
      })
    }
  })
  const server = await serve(t, [openModule, module])
  await server.inject('/f.txt')
  t.strictSame(Object.keys(stacks).sort(), ['childInit', 'fixups', 'insertFilter', 'postConfig', 'postReadRequest'])
  for (const [name, stack] of Object.entries(stacks)) t.match(stack.split('\n')[3], new RegExp(`\\bhook ${name}\\b`), stack)
})
