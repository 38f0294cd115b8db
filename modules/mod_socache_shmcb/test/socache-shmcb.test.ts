import { contexts, defineModule, directive, type SharedStore } from '@gatewright/api'
import { site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import socacheShmcb from '../src/index.ts'

/** The cache that a directive of another module chooses. */
async function cacheFor(t: Test, argument: string): Promise<SharedStore | undefined> {
  let store: SharedStore | undefined
  const user = defineModule<undefined, { text?: string }>({
    name: 'user_module',
    source: 'mod_user.c',
    perServer: { create: () => ({}) },
    directives: {
      UserCache: directive.take1({
        scope: 'server',
        context: contexts.mainServer,
        help: '',
        set: (_config, text, command) => {
          const provider = command.services.providers.caches.get(text.replace(/:.*/, ''))
          const made = provider?.configure(text.replace(/^\w+:?/, ''), command) ?? { error: 'no such kind' }
          if ('error' in made) return made.error
          store = made('mod_user.c')
          return undefined
        },
      }),
    },
  })
  const server = await site({ modules: [socacheShmcb, user], config: `UserCache ${argument}` })
  t.teardown(() => server.close())
  return store
}

t.test('both names lead to a cache that keeps what it is given', async (t) => {
  for (const argument of ['shmcb', 'default:', 'shmcb:logs/cache(8192)']) {
    const cache = await cacheFor(t, argument)
    cache?.set('key', Buffer.from('value'), 60_000)
    t.same(await cache?.get('key'), Buffer.from('value'), argument)
    t.equal(await cache?.get('other'), undefined)
  }
})

t.test('the size is a limit', async (t) => {
  const cache = await cacheFor(t, 'shmcb:logs/cache(8192)')
  for (let index = 0; index < 10; index++) cache?.set(String(index), Buffer.alloc(1000), 60_000)
  t.equal(await cache?.get('0'), undefined)
  t.ok(await cache?.get('9'))
})

t.test('arguments without a valid size are errors', async (t) => {
  const wrong = {
    'shmcb:x)': 'no opening parenthesis',
    'shmcb:x(9000': 'no closing parenthesis or cache size missing after pathname with parenthesis',
    'shmcb:x(9k)': 'cache size not numerical',
    'shmcb:x(100)': 'size has to be >= 8192 bytes',
    'shmcb:x(-9000)': 'size has to be < 4294967295 bytes on this platform',
  }
  for (const [argument, reason] of Object.entries(wrong))
    await t.rejects(cacheFor(t, argument), { message: new RegExp(reason.replace(/[()]/g, '.')) }, argument)
})
