import { type AnyModule, DECLINED, type HookOrder, HTTP_FORBIDDEN, OK, type Outcome } from '@gatewright/api'
import { site } from '@gatewright/testing'
import t from 'tap'
import { moduleOf, openModule } from './support/modules.ts'
import { refusal } from './support/refusal.ts'

type Rows = readonly (readonly [string, HookOrder])[]

/**
 * Modules in load order, each with a function of the fixups phase. A name that occurs twice has two
 * functions.
 */
function tracing(rows: Rows, trace: string[]): AnyModule[] {
  const names = [...new Set(rows.map(([name]) => name))]
  return names.map((name) =>
    moduleOf(name, ({ hooks }) => {
      for (const [one, order] of rows) {
        if (one !== name) continue
        hooks.fixups.add(() => {
          trace.push(name)
          return DECLINED
        }, order)
      }
    }),
  )
}

/** The order of functions with these constraints. */
const ORDERS: readonly (readonly [string, Rows, string])[] = [
  [
    'the five ranks run in their order',
    [
      ['e', { rank: 'really-last' }],
      ['d', { rank: 'last' }],
      ['c', {}],
      ['b', { rank: 'first' }],
      ['a', { rank: 'really-first' }],
    ],
    'a b c d e',
  ],
  [
    'without a rank a function stands in the middle',
    [
      ['c', { rank: 'last' }],
      ['b', { rank: 'middle' }],
      ['x', {}],
      ['a', { rank: 'first' }],
    ],
    'a b x c',
  ],
  ['equal ranks keep the order of registration', 'm a z b q'.split(' ').map((name) => [name, {}]), 'm a z b q'],
  [
    'twenty functions of equal rank keep their order',
    Array.from({ length: 20 }, (_, index) => [`f${(index * 7) % 20}`, {}]),
    Array.from({ length: 20 }, (_, index) => `f${(index * 7) % 20}`).join(' '),
  ],
  [
    'a predecessor is pulled forward to just before whoever names it, before all of lower rank',
    [
      ['m', {}],
      ['b', { rank: 'last' }],
      ['a', { rank: 'first', after: ['mod_b.c'] }],
    ],
    'b a m',
  ],
  [
    'a function that names a successor is pulled forward to just before it',
    [
      ['m', {}],
      ['a', { rank: 'first' }],
      ['b', { rank: 'last', before: ['mod_a.c'] }],
    ],
    'b a m',
  ],
  [
    'predecessors of predecessors come along',
    [
      ['a', { rank: 'first', after: ['mod_b.c'] }],
      ['b', { after: ['mod_c.c'] }],
      ['m', {}],
      ['c', { rank: 'really-last' }],
    ],
    'c b a m',
  ],
  [
    'names of modules that are not there are ignored',
    [
      ['a', { after: ['mod_none.c'], before: ['mod_neither.c'] }],
      ['b', { rank: 'first', after: ['mod_none.c'] }],
    ],
    'b a',
  ],
  [
    'a module is named by its source, not by its identifier',
    [
      ['a', { rank: 'first', after: ['b_module'] }],
      ['b', {}],
    ],
    'a b',
  ],
  [
    'a demand that the ranks fulfil anyway changes nothing',
    [
      ['a', { rank: 'first', before: ['mod_b.c'] }],
      ['m', {}],
      ['b', { rank: 'last', after: ['mod_a.c'] }],
    ],
    'a m b',
  ],
  [
    'all functions of a module are meant by its name',
    [
      ['b', { rank: 'last' }],
      ['b', { rank: 'really-last' }],
      ['m', {}],
      ['a', { rank: 'first', after: ['mod_b.c'] }],
    ],
    'b b a m',
  ],
]

for (const [sentence, rows, expected] of ORDERS) {
  t.test(sentence, async (t) => {
    const trace: string[] = []
    const server = await site({ modules: [openModule, ...tracing(rows, trace)], files: { 'docs/f': '' } })
    t.teardown(() => server.close())
    t.equal((await server.inject('/f')).status, 200)
    t.equal(trace.join(' '), expected)
  })
}

t.test('a circle of demands is an error that names hook and modules', async (t) => {
  const circle = tracing(
    [
      ['a', { after: ['mod_c.c'] }],
      ['b', { after: ['mod_a.c'] }],
      ['c', { after: ['mod_b.c'] }],
    ],
    [],
  )
  const refused = await refusal('', { modules: circle })
  t.equal(refused.phase, 'start')
  t.strictSame(refused.console, [
    'the order of the functions of hook fixups is a circle: mod_a.c before mod_b.c before mod_c.c before mod_a.c',
    'AH00014: Configuration check failed',
  ])
})

t.test('a circle is found in every kind of hook', async (t) => {
  for (const name of ['preConfig', 'checkConfig', 'postConfig', 'handler', 'logTransaction', 'preConnection'] as const) {
    const module = (self: string, other: string): AnyModule =>
      moduleOf(self, ({ hooks }) => {
        const order = { before: [`mod_${other}.c`] }
        if (name === 'handler') hooks.handler.add(() => DECLINED, order)
        else hooks[name].add(() => undefined, order)
      })
    const refused = await refusal('', { modules: [module('a', 'b'), module('b', 'a')] })
    t.match(
      refused,
      { phase: 'start', message: new RegExp(`^the order of the functions of hook ${name} is a circle: mod_\\w`) },
      name,
    )
  }
})

t.test('a module may come before and after itself', async (t) => {
  const trace: string[] = []
  const rows: Rows = [['a', { after: ['mod_a.c'] }]]
  const server = await site({ modules: [openModule, ...tracing(rows, trace)], files: { 'docs/f': '' } })
  t.teardown(() => server.close())
  await server.inject('/f')
  t.strictSame(trace, ['a'])
})

/** Functions of three modules in load order, their results, and the functions that are called. */
const RULES: readonly (readonly ['fixups' | 'handler', readonly Outcome[], string, number])[] = [
  ['fixups', [OK, DECLINED, OK], 'a b c', 200],
  ['fixups', [OK, HTTP_FORBIDDEN, OK], 'a b', 403],
  ['handler', [DECLINED, OK, HTTP_FORBIDDEN], 'a b', 200],
  ['handler', [DECLINED, HTTP_FORBIDDEN, OK], 'a b', 403],
  ['handler', [DECLINED, DECLINED, DECLINED], 'a b c', 200],
]

for (const [hook, outcomes, asked, status] of RULES) {
  t.test(`of functions of ${hook} that return ${outcomes.join(', ')} these are asked: ${asked}`, async (t) => {
    const trace: string[] = []
    const modules = outcomes.map((outcome, index) =>
      moduleOf('abc'[index], ({ hooks }) =>
        hooks[hook].add(() => {
          trace.push('abc'[index])
          return outcome
        }),
      ),
    )
    const server = await site({ modules: [openModule, ...modules], files: { 'docs/f': '' } })
    t.teardown(() => server.close())
    t.equal((await server.inject('/f')).status, status)
    t.equal(trace.join(' '), asked)
  })
}

t.test('the phases of a request are run in the order of httpd', async (t) => {
  const trace: string[] = []
  const module = moduleOf('trace', ({ hooks }) => {
    for (const name of [
      'fixups',
      'typeChecker',
      'authChecker',
      'checkUserId',
      'forceAuthn',
      'accessCheckerEx',
      'accessChecker',
      'headerParser',
      'postPerdirConfig',
      'mapToStorage',
      'translateName',
      'preTranslateName',
      'postReadRequest',
      'handler',
    ] as const) {
      hooks[name].add(
        (request) => {
          trace.push(name)
          if (name === 'checkUserId') request.user = 'someone'
          return name === 'authChecker' || name === 'checkUserId' ? OK : DECLINED
        },
        { rank: 'really-first' },
      )
    }
    hooks.fixupHeaders.add(() => void trace.push('fixupHeaders'))
    hooks.logTransaction.add(() => void trace.push('logTransaction'))
    hooks.preConnection.add(() => void trace.push('preConnection'))
    for (const name of ['preConfig', 'checkConfig', 'openLogs', 'postConfig', 'childInit'] as const) {
      hooks[name].add(() => void trace.push(name))
    }
  })
  const server = await site({ modules: [module], files: { 'docs/f': '' } })
  t.teardown(() => server.close())
  t.equal((await server.inject('/f')).status, 200)
  t.strictSame(trace, [
    'preConfig',
    'checkConfig',
    'openLogs',
    'postConfig',
    'childInit',
    'preConnection',
    'postReadRequest',
    'preTranslateName',
    'translateName',
    'mapToStorage',
    'postPerdirConfig',
    'headerParser',
    'accessChecker',
    'accessCheckerEx',
    'checkUserId',
    'authChecker',
    'typeChecker',
    'fixups',
    'handler',
    'fixupHeaders',
    'logTransaction',
  ])
})
