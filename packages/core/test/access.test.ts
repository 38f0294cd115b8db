import { type AnyModule, DECLINED, HTTP_FORBIDDEN, HTTP_UNAUTHORIZED, OK, type Outcome } from '@gatewright/api'
import { satisfyOf } from '@gatewright/api/peers'
import { site } from '@gatewright/testing'
import t from 'tap'
import { moduleOf } from './support/modules.ts'

type Satisfy = 'all' | 'any' | 'unset'

/** The results of the stubs of the phases. */
interface Stubs {
  /** accessChecker: rules about the client's address. */
  readonly host: 'allows' | 'denies' | 'has no rule'
  /** accessCheckerEx: requirements that need no user. */
  readonly rules: 'grant' | 'deny' | 'need a user'
  /** checkUserId */
  readonly password?: 'right' | 'wrong'
  /** authChecker: requirements about the user. */
  readonly user?: 'granted' | 'denied' | 'to be another'
}

const HOST: Readonly<Record<Stubs['host'], Outcome>> = { allows: OK, denies: HTTP_FORBIDDEN, 'has no rule': DECLINED }
const RULES: Readonly<Record<Stubs['rules'], Outcome>> = { grant: OK, deny: HTTP_FORBIDDEN, 'need a user': DECLINED }
const USER: Readonly<Record<NonNullable<Stubs['user']>, Outcome>> = {
  granted: OK,
  denied: HTTP_FORBIDDEN,
  'to be another': HTTP_UNAUTHORIZED,
}

function stubs({ host, rules, password, user }: Stubs, satisfy: Satisfy): AnyModule {
  return moduleOf('stubs', ({ hooks, functions }) => {
    functions.offer(satisfyOf, () => satisfy)
    hooks.accessChecker.add(() => HOST[host])
    hooks.accessCheckerEx.add(() => RULES[rules])
    hooks.checkUserId.add((request) => {
      if (password !== 'right') return HTTP_UNAUTHORIZED
      request.user = 'someone'
      return OK
    })
    hooks.authChecker.add(() => (user === undefined ? DECLINED : USER[user]))
  })
}

/** The stubs, and the status with Satisfy All (or none) and with Satisfy Any. */
const COMBINATIONS: readonly (readonly [Stubs, all: number, any: number])[] = [
  [{ host: 'allows', rules: 'grant' }, 200, 200],
  [{ host: 'allows', rules: 'deny' }, 403, 200],
  [{ host: 'allows', rules: 'need a user', password: 'wrong' }, 401, 200],
  [{ host: 'allows', rules: 'need a user', password: 'right', user: 'granted' }, 200, 200],
  [{ host: 'allows', rules: 'need a user', password: 'right', user: 'denied' }, 403, 200],
  [{ host: 'allows', rules: 'need a user', password: 'right', user: 'to be another' }, 401, 200],
  [{ host: 'denies', rules: 'grant' }, 403, 200],
  [{ host: 'denies', rules: 'deny' }, 403, 403],
  [{ host: 'denies', rules: 'need a user', password: 'wrong' }, 403, 401],
  [{ host: 'denies', rules: 'need a user', password: 'right', user: 'granted' }, 403, 200],
  [{ host: 'denies', rules: 'need a user', password: 'right', user: 'denied' }, 403, 403],
  [{ host: 'denies', rules: 'need a user', password: 'right', user: 'to be another' }, 403, 401],
  [{ host: 'has no rule', rules: 'grant' }, 200, 200],
  [{ host: 'has no rule', rules: 'deny' }, 403, 200],
  [{ host: 'has no rule', rules: 'need a user', password: 'wrong' }, 401, 200],
  [{ host: 'has no rule', rules: 'need a user', password: 'right', user: 'granted' }, 200, 200],
]

for (const [given, all, any] of COMBINATIONS) {
  const { host, rules, password, user } = given
  const what = [`the host ${host === 'has no rule' ? host : `rule ${host}`}`, `the requirements ${rules}`]
  if (password !== undefined) what.push(`the password is ${password}`)
  if (user !== undefined) what.push(`the user is ${user}`)
  t.test(`${what.join(', ')}: ${all} with Satisfy All, ${any} with Satisfy Any`, async (t) => {
    for (const [satisfy, status] of [
      ['all', all],
      ['unset', all],
      ['any', any],
    ] as const) {
      const server = await site({ modules: [stubs(given, satisfy)], files: { 'docs/f': 'content' } })
      const response = await server.inject('/f')
      t.equal(response.status, status, satisfy)
      t.equal(response.body === 'content', status === 200, satisfy)
      await server.close()
    }
  })
}

t.test('without a module that provides Satisfy, all checks must grant access', async (t) => {
  const module = moduleOf('half', ({ hooks }) => {
    hooks.accessChecker.add(() => OK)
    hooks.accessCheckerEx.add(() => HTTP_FORBIDDEN)
  })
  const server = await site({ modules: [module], files: { 'docs/f': 'content' } })
  t.teardown(() => server.close())
  t.equal((await server.inject('/f')).status, 403)
})

t.test('who is logged in is known to the handler, and to the log', async (t) => {
  const seen: (string | null)[] = []
  const look = moduleOf('look', ({ hooks }) => {
    hooks.fixups.add((request) => {
      seen.push(request.user)
      return OK
    })
    hooks.logTransaction.add((request) => void seen.push(request.user))
  })
  const given: Stubs = { host: 'allows', rules: 'need a user', password: 'right', user: 'granted' }
  const server = await site({ modules: [stubs(given, 'all'), look], files: { 'docs/f': 'content' } })
  t.teardown(() => server.close())
  await server.inject('/f')
  t.strictSame(seen, ['someone', 'someone'])
})

t.test('access is decided before the method, the file and its type are checked', async (t) => {
  const closed: Stubs = { host: 'denies', rules: 'deny' }
  const server = await site({ modules: [stubs(closed, 'all')], files: { 'docs/f': 'content', 'docs/d/x': '' } })
  t.teardown(() => server.close())
  for (const target of ['/f', '/none', '/d', '/d/', '/f/info']) t.equal((await server.inject(target)).status, 403, target)
  for (const method of ['POST', 'DELETE', 'OPTIONS', 'BREW', 'HEAD']) {
    t.equal((await server.inject({ method, target: '/f' })).status, 403, method)
  }
})
