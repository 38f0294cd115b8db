import type { Request } from '@gatewright/api'
import { storeCredentials } from '@gatewright/api/peers'
import t from 'tap'
import { FakeHost } from '../../mod_authz_core/test/fakes/fake-host.ts'
import authnSocache from '../src/index.ts'

const IN_USE = 'AuthnCacheProvideFor file'

function hostWith(lines: string, main = ''): FakeHost {
  const host = new FakeHost([authnSocache])
  const error = host.configure(`${main}\n<Directory /d>\n${lines}\n</Directory>`)
  if (error !== undefined) throw new Error(error)
  return host
}

function store(
  host: FakeHost,
  request: Request,
  user: string,
  hash: string,
  provider = 'file',
  realm: string | null = null,
): void {
  host.functions.get(storeCredentials)?.(request, { provider, user, realm, hash })
}

async function ask(host: FakeHost, request: Request, user: string, password: string): Promise<unknown> {
  return host.authn.get('socache')?.checkPassword?.(request, user, password)
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
  const host = hostWith(IN_USE)
  const request = host.request()
  t.equal(await ask(host, request, 'bob', 'pw'), 'not-found')
  store(host, request, 'bob', 'plainpw')
  t.equal(await ask(host, request, 'bob', 'pw'), 'granted')
  t.equal(await ask(host, request, 'bob', 'no'), 'denied')
  t.equal(await ask(host, request, 'Bob', 'pw'), 'not-found')
  t.same(host.logs.take(), [
    'authn_socache:debug AH01684: Authn cache: no credentials found for bob',
    'authn_socache:debug AH01681: Cached authn credentials for bob in directory',
    'authn_socache:debug AH01685: Authn cache: found credentials for bob',
    'authn_socache:debug AH01685: Authn cache: found credentials for bob',
    'authn_socache:debug AH01684: Authn cache: no credentials found for Bob',
  ])
})

t.test('a password that is verified asynchronously has an asynchronous result', async (t) => {
  const { fakeHostServices } = await import('../../mod_authz_core/test/fakes/fake-services.ts')
  const services = fakeHostServices({ verifyPassword: async (stored, password) => stored === password })
  const host = new FakeHost([authnSocache], { services })
  host.configure(`<Directory /d>\n${IN_USE}\n</Directory>`)
  store(host, host.request(), 'bob', 'pw')
  t.equal(await ask(host, host.request(), 'bob', 'pw'), 'granted')
  t.equal(await ask(host, host.request(), 'bob', 'no'), 'denied')
})

t.test('the hash of a realm is separate from the password, and from other realms', async (t) => {
  const host = hostWith(IN_USE)
  const request = host.request()
  const realmHash = (user: string, realm: string): unknown => host.authn.get('socache')?.realmHash?.(request, user, realm)
  store(host, request, 'bob', 'abc', 'file', 'R')
  t.equal(realmHash('bob', 'R'), 'abc')
  t.equal(realmHash('bob', 'Q'), 'not-found')
  t.equal(await ask(host, request, 'bob', ''), 'not-found')
  t.equal(await ask(host, request, 'bob:R', ''), 'not-found', 'a name that looks like user and realm is another one')
  t.same(host.logs.take().slice(1, 3), [
    'authn_socache:debug AH01688: Authn cache: found credentials for bob',
    'authn_socache:debug AH01687: Authn cache: no credentials found for bob',
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
    const host = hostWith(lines)
    store(host, host.request(), 'bob', 'plainpw')
    t.equal(await ask(host, host.request(), 'bob', 'pw'), status, lines)
  }
})

t.test('a section that lists no provider finds no user in the cache, without a log message', async (t) => {
  const host = hostWith('AuthnCacheContext shared', 'AuthnCacheEnable')
  store(host, host.request(), 'bob', 'plainpw')
  t.equal(await ask(host, host.request(), 'bob', 'pw'), 'not-found')
  t.same(host.logs.take(), [])
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
    const host = hostWith(`${IN_USE}\nAuthnCacheContext ${context}`)
    store(host, host.request({ uri: first }), 'bob', 'plainpw')
    const status = await ask(host, host.request({ uri: second }), 'bob', 'pw')
    t.equal(status, shared ? 'granted' : 'not-found', `${context}: ${first} and ${second}`)
  }
})

t.test('settings are inherited separately, and a timeout of 300 seconds counts as not set', async (t) => {
  const host = new FakeHost([authnSocache])
  host.configure(`
    <Directory /d>
      AuthnCacheProvideFor file
      AuthnCacheTimeout 0
      AuthnCacheContext server
    </Directory>
    <Directory /d/300>
      AuthnCacheTimeout 300
    </Directory>
    <Directory /d/301>
      AuthnCacheTimeout 301s
      AuthnCacheContext directory
    </Directory>`)
  const [outer, same, longer] = host.sections
  const kept = async (...sections: typeof host.sections): Promise<unknown> => {
    const request = host.request({}, sections)
    store(host, request, 'bob', 'plainpw')
    return ask(host, request, 'bob', 'pw')
  }
  t.equal(await kept(outer), 'not-found')
  t.equal(await kept(outer, same), 'not-found')
  t.equal(await kept(outer, longer), 'granted')
  t.match(host.logs.take(), [/in server$/, /no credentials/, /in server$/, /no credentials/, /in directory$/, /found/])
})

t.test('with a timeout that is not a number nothing is cached', async (t) => {
  const host = hostWith(`${IN_USE}\nAuthnCacheTimeout soon`)
  store(host, host.request(), 'bob', 'plainpw')
  t.equal(await ask(host, host.request(), 'bob', 'pw'), 'not-found')
})

t.test("a .htaccess file uses the cache only if the server's configuration uses or enables it", async (t) => {
  for (const [main, status] of [
    ['', 'not-found'],
    ['AuthnCacheSOCache shmcb', 'not-found'],
    ['AuthnCacheEnable', 'granted'],
    ['AuthnCacheEnable Off', 'granted'],
  ]) {
    const host = new FakeHost([authnSocache])
    t.equal(host.configure(main), undefined)
    const section = host.htaccess('/d/.htaccess', IN_USE)
    if (typeof section === 'string') throw new Error(section)
    const request = host.request({}, [section])
    store(host, request, 'bob', 'plainpw')
    t.equal(await ask(host, request, 'bob', 'pw'), status, main)
  }
})

t.test('an entry larger than the cache is not stored, and that is logged', async (t) => {
  const host = hostWith(IN_USE, 'AuthnCacheSOCache shmcb:logs/cache(8192)')
  store(host, host.request(), 'bob', 'x'.repeat(8192))
  t.equal(await ask(host, host.request(), 'bob', 'x'), 'not-found')
  t.equal(
    host.logs.take()[0],
    'authn_socache:error (28)No space left on device: AH01682: Failed to cache authn credentials for file in directory',
  )
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
    ['shmcb:/tmp/x(-10)', 'Invalid argument: size has to be >= 8192 bytes'],
    ['shmcb:/tmp/x(67108864)', 'Invalid argument: size has to be < 67108864 bytes on this platform'],
    ['shmcb:garbage(abc)', 'Invalid argument: cache size not numerical'],
    ['shmcb:garbage(9000k)', 'Invalid argument: cache size not numerical'],
    ['shmcb:garbage()', 'Invalid argument: cache size not numerical'],
    ['shmcb:x(9000', 'Invalid argument: no closing parenthesis or cache size missing after pathname with parenthesis'],
    ['shmcb:x9000)', 'Invalid argument: no opening parenthesis'],
    ['memcache', 'List of server names required to create memcache socache.'],
    ['redis', 'List of server names required to create redis socache.'],
    ['SHMCB', unknown('SHMCB')],
    ['nosuch:foo', unknown('nosuch:foo')],
    ['constructor', unknown('constructor')],
  ]
  for (const [word, message] of rows) {
    const host = new FakeHost([authnSocache])
    t.equal(
      host.configure(`AuthnCacheSOCache ${word}`),
      message === undefined ? undefined : `1: AuthnCacheSOCache: ${message}`,
      word,
    )
  }
})
