import type { Request } from '@gatewright/api'
import { storeCredentials } from '@gatewright/api/peers'
import {
  altered,
  configErrorAt,
  moduleLog,
  observedModule,
  requestRecorder,
  type SiteOptions,
  site,
  type TestServer,
} from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import socacheDbm from '../../mod_socache_dbm/src/index.ts'
import socacheMemcache from '../../mod_socache_memcache/src/index.ts'
import socacheRedis from '../../mod_socache_redis/src/index.ts'
import socacheShmcb from '../../mod_socache_shmcb/src/index.ts'
import authnSocache from '../src/index.ts'

const IN_USE = 'AuthnCacheProvideFor file'

/** The hash of pw, which the server checks at once. */
const PW = '{SHA}GpHWL3ymc5liWkNopqtdSjuqYHM='

interface Cache {
  readonly server: TestServer
  /** A request that a location's lines apply to. */
  request(target?: string): Promise<Request>
  store(request: Request, user: string, hash: string, provider?: string, realm?: string | null): void
  ask(request: Request, user: string, password: string): Promise<unknown>
  realmHash(request: Request, user: string, realm: string): unknown
  log(): string[]
}

async function serving(t: Test, config: string, files: SiteOptions['files'] = {}): Promise<Cache> {
  const observed = observedModule(authnSocache)
  const recorder = requestRecorder()
  const server = await site({
    modules: [authzCore, socacheShmcb, observed.module, recorder.module],
    config: `LogLevel authn_socache:debug\n${config}`,
    files: { 'docs/f.txt': 'x', ...files },
  })
  t.teardown(() => server.close())
  const provider = observed.host.providers.authn.get('socache')
  return {
    server,
    async request(target = '/f.txt') {
      await server.inject(target)
      return recorder.last
    },
    store: (request, user, hash, provider = 'file', realm = null) =>
      observed.host.functions.get(storeCredentials)?.(request, { provider, user, realm, hash }),
    ask: async (request, user, password) => provider?.checkPassword?.(request, user, password),
    realmHash: (request, user, realm) => provider?.realmHash?.(request, user, realm),
    log: () => moduleLog(server, 'authn_socache'),
  }
}

function cacheWith(t: Test, lines: string, main = ''): Promise<Cache> {
  return serving(t, `${main}\n<Location />\n${lines}\n</Location>`)
}

t.test('the directive table has the names, contexts and override classes of httpd', async (t) => {
  const table = Object.entries(authnSocache.directives ?? {}).map(([name, { kind, context, override }]) => [
    name,
    kind,
    context,
    override,
  ])
  t.same(table, [
    ['AuthnCacheSOCache', 'take1', ['server'], undefined],
    ['AuthnCacheEnable', 'raw', ['server'], undefined],
    ['AuthnCacheProvideFor', 'iterate', ['directory', 'htaccess'], 'AuthConfig'],
    ['AuthnCacheTimeout', 'take1', ['directory', 'htaccess'], 'AuthConfig'],
    ['AuthnCacheContext', 'take1', ['directory'], undefined],
  ])
})

t.test('a user that a provider found is known from then on, with right and wrong passwords', async (t) => {
  const cache = await cacheWith(t, IN_USE)
  const request = await cache.request()
  t.equal(await cache.ask(request, 'bob', 'pw'), 'not-found')
  cache.store(request, 'bob', PW)
  t.equal(await cache.ask(request, 'bob', 'pw'), 'granted')
  t.equal(await cache.ask(request, 'bob', 'no'), 'denied')
  t.equal(await cache.ask(request, 'Bob', 'pw'), 'not-found')
  t.same(cache.log(), [
    'debug AH01684: Authn cache: no credentials found for bob',
    'debug AH01681: Cached authn credentials for bob in directory',
    'debug AH01685: Authn cache: found credentials for bob',
    'debug AH01685: Authn cache: found credentials for bob',
    'debug AH01684: Authn cache: no credentials found for Bob',
  ])
})

t.test('a password that is verified asynchronously has an asynchronous result', async (t) => {
  const cache = await cacheWith(t, IN_USE)
  const request = await cache.request()
  // A port keeps this process alive while another thread checks a hash.
  await cache.server.listen()
  cache.store(request, 'bob', '$2y$04$7iALKJEBJOOpxEUsVgYzhukQjuNww3iJRrsF8tiasRuRrq0dli2ty')
  t.equal(await cache.ask(request, 'bob', 'pw'), 'granted')
  t.equal(await cache.ask(request, 'bob', 'no'), 'denied')
})

t.test('the hash of a realm is separate from the password, and from other realms', async (t) => {
  const cache = await cacheWith(t, IN_USE)
  const request = await cache.request()
  const realmHash = async (user: string, realm: string): Promise<unknown> => cache.realmHash(request, user, realm)
  cache.store(request, 'bob', 'abc', 'file', 'R')
  t.equal(await realmHash('bob', 'R'), 'abc')
  t.equal(await realmHash('bob', 'Q'), 'not-found')
  t.equal(await cache.ask(request, 'bob', ''), 'not-found')
  t.equal(await cache.ask(request, 'bob:R', ''), 'not-found', 'a name that looks like user and realm is another one')
  t.same(cache.log().slice(1, 3), [
    'debug AH01688: Authn cache: found credentials for bob',
    'debug AH01687: Authn cache: no credentials found for bob',
  ])
})

t.test('only the results of listed providers are cached', async (t) => {
  const rows: [string, string][] = [
    ['AuthnCacheProvideFor other', 'not-found'],
    ['AuthnCacheProvideFor File', 'not-found'],
    ['AuthnCacheProvideFor other file', 'granted'],
    ['AuthnCacheProvideFor other\nAuthnCacheProvideFor file', 'granted'],
  ]
  for (const [lines, status] of rows) {
    const cache = await cacheWith(t, lines)
    cache.store(await cache.request(), 'bob', PW)
    t.equal(await cache.ask(await cache.request(), 'bob', 'pw'), status, lines)
  }
})

t.test('a section that lists no provider finds no user in the cache, without a log message', async (t) => {
  const cache = await cacheWith(t, 'AuthnCacheContext shared', 'AuthnCacheEnable')
  cache.store(await cache.request(), 'bob', PW)
  t.equal(await cache.ask(await cache.request(), 'bob', 'pw'), 'not-found')
  t.same(cache.log(), [])
})

t.test('the context determines which requests share entries', async (t) => {
  const rows: [context: string, first: string, second: string, shared: boolean][] = [
    ['directory', '/a/f', '/a/g', true],
    ['directory', '/a/f', '/a/b/f', false],
    ['directory', '/a/f', '/a', false],
    ['directory', '/f', '/', true],
    ['directory', '*', '/', true],
    ['server', '/a/f', '/b/c', true],
    ['localhost', '/a/f', '/b/c', true],
  ]
  for (const [context, first, second, shared] of rows) {
    const cache = await cacheWith(t, `${IN_USE}\nAuthnCacheContext ${context}`)
    const request = await cache.request(first.replace('*', '/'))
    cache.store(altered(request, { uri: first }), 'bob', PW)
    const status = await cache.ask(await cache.request(second), 'bob', 'pw')
    t.equal(status, shared ? 'granted' : 'not-found', `${context}: ${first} and ${second}`)
  }
})

t.test('settings are inherited separately, and a timeout of 300 seconds counts as not set', async (t) => {
  const cache = await serving(
    t,
    `
    <Location /d>
      AuthnCacheProvideFor file
      AuthnCacheTimeout 0
      AuthnCacheContext server
    </Location>
    <Location /d/300>
      AuthnCacheTimeout 300
    </Location>
    <Location /d/301>
      AuthnCacheTimeout 301s
      AuthnCacheContext directory
    </Location>`,
  )
  const kept = async (target: string): Promise<unknown> => {
    const request = await cache.request(target)
    cache.store(request, 'bob', PW)
    return cache.ask(request, 'bob', 'pw')
  }
  t.equal(await kept('/d'), 'not-found')
  t.equal(await kept('/d/300'), 'not-found')
  t.equal(await kept('/d/301'), 'granted')
  t.match(cache.log(), [/in server$/, /no credentials/, /in server$/, /no credentials/, /in directory$/, /found/])
})

t.test('with a timeout that is not a number nothing is cached', async (t) => {
  const cache = await cacheWith(t, `${IN_USE}\nAuthnCacheTimeout soon`)
  cache.store(await cache.request(), 'bob', PW)
  t.equal(await cache.ask(await cache.request(), 'bob', 'pw'), 'not-found')
})

t.test("a .htaccess file uses the cache only if the server's configuration uses or enables it", async (t) => {
  for (const [main, status] of [
    ['', 'not-found'],
    ['AuthnCacheSOCache shmcb', 'not-found'],
    ['AuthnCacheEnable', 'granted'],
    ['AuthnCacheEnable Off', 'granted'],
  ]) {
    const config = `${main}\n<Directory "@ROOT@/docs">\nAllowOverride All\n</Directory>`
    const cache = await serving(t, config, { 'docs/.htaccess': IN_USE })
    const request = await cache.request()
    cache.store(request, 'bob', PW)
    t.equal(await cache.ask(request, 'bob', 'pw'), status, main)
  }
})

t.test('an entry larger than the cache is not stored', async (t) => {
  const cache = await cacheWith(t, IN_USE, 'AuthnCacheSOCache shmcb:logs/cache(8192)')
  cache.store(await cache.request(), 'bob', 'x'.repeat(8192))
  t.equal(await cache.ask(await cache.request(), 'bob', 'x'), 'not-found')
})

t.test('a cache needs the module of its kind, and without AuthnCacheSOCache none', async (t) => {
  const config = 'AuthnCacheSOCache shmcb'
  t.match(await configErrorAt({ modules: [authnSocache], config }), /mod_socache_shmcb\?\)$/)
  t.equal(await configErrorAt({ modules: [authnSocache], config: 'AuthnCacheEnable' }), undefined)
})

t.test("AuthnCacheSOCache accepts the same arguments as httpd, and rejects others with httpd's errors", async (t) => {
  const unknown = (word: string): string =>
    `Unknown socache provider '${word}'. Maybe you need to load the appropriate socache module (mod_socache_${word}?)`
  const rows: [string, string | undefined][] = [
    ['shmcb', undefined],
    ['default:x', undefined],
    ['dbm:/tmp/foo', undefined],
    ['memcache:localhost:1', undefined],
    ['redis:localhost:1', undefined],
    ['shmcb:/tmp/x(10000)', undefined],
    ['shmcb:/tmp/x(10)', 'Invalid argument: size has to be >= 8192 bytes'],
    ['shmcb:/tmp/x(-10)', 'Invalid argument: size has to be < 4294967295 bytes on this platform'],
    ['dbm', undefined],
    ['dbm:', undefined],
    ['redis:', 'List of server names required to create redis socache.'],
    ['redis:localhost:0', "Failed to Parse redis Server: 'localhost:0'"],
    ['memcache:localhost:1,[::1', "Failed to Parse memcache Server: '[::1'"],
    ['shmcb:garbage(abc)', 'Invalid argument: cache size not numerical'],
    ['shmcb:garbage(9000k)', 'Invalid argument: cache size not numerical'],
    ['shmcb:garbage()', 'Invalid argument: size has to be >= 8192 bytes'],
    ['shmcb:x(9000', 'Invalid argument: no closing parenthesis or cache size missing after pathname with parenthesis'],
    ['shmcb:x9000)', 'Invalid argument: no opening parenthesis'],
    ['memcache', 'List of server names required to create memcache socache.'],
    ['redis', 'List of server names required to create redis socache.'],
    ['SHMCB', unknown('SHMCB')],
    ['nosuch:foo', unknown('nosuch:foo')],
    ['constructor', unknown('constructor')],
  ]
  for (const [word, message] of rows) {
    t.equal(
      await configErrorAt({
        modules: [socacheShmcb, socacheDbm, socacheMemcache, socacheRedis, authnSocache],
        config: `AuthnCacheSOCache ${word}`,
      }),
      message === undefined ? undefined : `1: AuthnCacheSOCache: ${message}`,
      word,
    )
  }
})
