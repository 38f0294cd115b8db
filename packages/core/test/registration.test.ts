import { type AnyModule, HTTP_FORBIDDEN, type ModuleHost, OK } from '@gatewright/api'
import { site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { HookList } from '../src/modules/hook-registry.ts'
import { moduleOf, openModule } from './support/modules.ts'
import { bare } from './support/refusal.ts'

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))

type Register = (host: ModuleHost<undefined, undefined>) => unknown

/** Denies everything as soon as its registration is complete. */
const guard = (register: Register): AnyModule => moduleOf('guard', (host) => returned(register(host)))

/** A result as JavaScript may return it. */
function returned(result: unknown): ReturnType<typeof JSON.parse> {
  return result
}

async function serve(t: Test, modules: readonly AnyModule[]): Promise<TestServer> {
  const server = await site({ modules, files: { 'docs/f.txt': 'secret' } })
  t.teardown(() => server.close())
  return server
}

t.test('registrations after an await take effect', async (t) => {
  const module = guard(async ({ hooks }) => {
    await soon()
    hooks.accessChecker.add(() => HTTP_FORBIDDEN)
  })
  const server = await serve(t, [openModule, module])
  t.equal((await server.inject('/f.txt')).status, 403)
})

t.test('a register that rejects ends the start', async (t) => {
  await t.rejects(site({ modules: [openModule, guard(() => soon().then(() => Promise.reject(new Error('no keys'))))] }), {
    message: 'no keys',
  })
})

t.test('childInit is awaited, and ends the start when it rejects', async (t) => {
  let ready = false
  const slow = guard(({ hooks }) => hooks.childInit.add(() => soon().then(() => void (ready = true))))
  await serve(t, [openModule, slow])
  t.equal(ready, true)
  const broken = guard(({ hooks }) => hooks.childInit.add(() => Promise.reject(new Error('no keys'))))
  await t.rejects(site({ modules: [broken] }), { message: /hook childInit of mod_guard\.c failed: no keys/ })
})

t.test('preConfig is awaited', async (t) => {
  const seen: string[] = []
  const module = guard(({ hooks }) => {
    hooks.preConfig.add(async () => {
      await soon()
      seen.push('preConfig')
    })
    hooks.checkConfig.add(() => void seen.push('checkConfig'))
  })
  await serve(t, [openModule, module])
  t.strictSame(seen, ['preConfig', 'checkConfig'])
})

for (const hook of ['checkConfig', 'openLogs', 'postConfig', 'childInit'] as const) {
  t.test(`a function that is added in ${hook} comes too late, and ends the start`, async (t) => {
    const module = guard(({ hooks }) => {
      hooks[hook].add(() => {
        try {
          hooks.accessChecker.add(() => HTTP_FORBIDDEN)
        } catch {
          // The start must also fail if a module ignores this error.
        }
        return undefined
      })
    })
    await t.rejects(site({ modules: [openModule, module] }), {
      message: /^mod_guard\.c added a function to hook accessChecker after the hooks were sorted$/m,
    })
  })
}

t.test('a function that is added while requests are served closes the site', async (t) => {
  let add = (): void => undefined
  const module = guard(({ hooks }) => {
    add = () => hooks.accessChecker.add(() => HTTP_FORBIDDEN)
  })
  const server = await serve(t, [openModule, module])
  t.equal((await server.inject('/f.txt')).status, 200)
  t.throws(add, {
    message: 'mod_guard.c added a function to hook accessChecker after the hooks were sorted: the server would never call it',
  })
  const { status, body } = await server.inject('/f.txt')
  t.equal(status, 500)
  t.notMatch(body, 'secret')
  t.match(server.errors().map(bare), [
    /^\[core:crit\] mod_guard\.c added a function to hook accessChecker after the hooks were sorted: no request is served until this is fixed/,
  ])
})

t.test('a provider that is added while requests are served closes the site', async (t) => {
  let add = (): void => undefined
  const module = guard(({ providers }) => {
    add = () => providers.authz.add('late', { parse: () => () => 'denied' })
  })
  const server = await serve(t, [openModule, module])
  t.throws(add, {
    message: 'mod_guard.c added the authz provider late after the configuration was bound: no directive can refer to it',
  })
  t.equal((await server.inject('/f.txt')).status, 500)
})

const WRONG: readonly (readonly [string, readonly unknown[], RegExp])[] = [
  ['four arguments, as in 2.2', [() => OK, null, null, 'first'], /since 2\.4 it takes two arguments/],
  ['a list in place of the order, as in 2.2', [() => OK, ['mod_a.c']], /since 2\.4 the order is an object/],
  ['null in place of the order', [() => OK, null], /since 2\.4 the order is an object/],
  ['a rank that does not exist', [() => OK, { rank: 'early' }], /since 2\.4 the order is an object/],
  ['a name in place of a list of names', [() => OK, { before: 'mod_a.c' }], /since 2\.4 the order is an object/],
  ['no function', [undefined], /the first argument is not a function/],
]

for (const [what, given, message] of WRONG) {
  t.test(`a hook refuses ${what}, with the row of UPGRADING.md`, async (t) => {
    const list = new HookList<() => void>('accessChecker')
    const module = moduleOf('old', () => undefined)
    const hook = list.bind({ module, index: 1, builtIn: false, file: null, shortName: 'old' })
    t.throws(() => Reflect.apply(hook.add, hook, given), { name: 'TypeError', message })
    t.throws(() => Reflect.apply(hook.add, hook, given), {
      message: /^hooks\.accessChecker\.add of mod_old\.c: .*; see UPGRADING\.md#api-hook-order$/,
    })
    t.strictSame(list.registrations(), [])
  })
}
