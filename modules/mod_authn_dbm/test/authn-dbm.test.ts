import { createHash } from 'node:crypto'
import { type AnyModule, type AuthnProvider, defineModule, type Request } from '@gatewright/api'
import { type FoundCredentials, storeCredentials } from '@gatewright/api/peers'
import { openDbmWriter } from '@gatewright/dbm'
import { moduleLog, observedModule, requestRecorder, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authnDbm from '../src/index.ts'

/** Writes an SDBM database; strings have one byte per character. */
function database(path: string, records: Readonly<Record<string, string>>): void {
  const writer = openDbmWriter(path, 'SDBM', 'truncate')
  for (const [key, value] of Object.entries(records)) writer.replace(Buffer.from(key, 'latin1'), Buffer.from(value, 'latin1'))
  writer.close()
}

interface DbmSite {
  readonly provider: AuthnProvider
  readonly request: Request
  log(): string[]
}

/** The provider in a server, a request for a folder with these lines, and the module's log. */
async function dbmSite(t: Test, lines: string, { inner = '', more = [] }: DbmSiteOptions = {}): Promise<DbmSite> {
  const observed = observedModule(authnDbm)
  const recorder = requestRecorder()
  const server = await site({
    modules: [observed.module, recorder.module, ...more],
    config: `<Directory "@ROOT@/docs">\n${lines}\n</Directory>\n<Directory "@ROOT@/docs/e">\n${inner}\n</Directory>`,
    files: { 'docs/e/f.txt': 'x' },
  })
  t.teardown(() => server.close())
  await server.inject('/e/f.txt')
  const provider = observed.host.providers.authn.get('dbm')
  if (provider === undefined) throw new Error('no provider')
  return { provider, request: recorder.last, log: () => moduleLog(server, 'authn_dbm') }
}

interface DbmSiteOptions {
  /** Lines for an inner folder. */
  readonly inner?: string
  readonly more?: readonly AnyModule[]
}

async function check(t: Test, lines: string, user: string, password: string): Promise<[unknown, string[]]> {
  const { provider, request, log } = await dbmSite(t, lines)
  return [await provider.checkPassword?.(request, user, password), log()]
}

/** The stored hash of a password with Latin-1 characters. */
function hashOf(password: string): string {
  return `{SHA}${createHash('sha1').update(password, 'latin1').digest('base64')}`
}

t.test('the directive table has the names, contexts and override class of httpd', async (t) => {
  const table = Object.entries(authnDbm.directives ?? {}).map(([name, { kind, context, override }]) => [
    name,
    kind,
    context,
    override,
  ])
  t.same(table, [
    ['AuthDBMUserFile', 'take1', ['directory', 'htaccess'], 'AuthConfig'],
    ['AuthDBMType', 'take1', ['directory', 'htaccess'], 'AuthConfig'],
  ])
})

t.test('a user’s record is the hash, and a comment after a colon', async (t) => {
  const file = `${t.testdir()}/users`
  database(file, {
    bob: hashOf('pw'),
    zoe: `${hashOf('pw')}:admins:more`,
    empty: '',
    'b\xc3\xb3b': hashOf('\xff'),
    'bob:R': 'abc:comment',
  })
  const lines = `AuthDBMUserFile ${file}\nAuthDBMType sdbm`
  t.same(await check(t, lines, 'bob', 'pw'), ['granted', []])
  t.same(await check(t, lines, 'bob', 'no'), ['denied', []])
  t.same(await check(t, lines, 'zoe', 'pw'), ['granted', []])
  t.same(await check(t, lines, 'b\xc3\xb3b', '\xff'), ['granted', []])
  t.same(await check(t, lines, 'BOB', 'pw'), ['not-found', []])
  t.same(await check(t, lines, '', ''), ['not-found', []])
  t.same(await check(t, lines, 'empty', ''), ['not-found', []])
  const { provider, request } = await dbmSite(t, lines)
  t.equal(provider.realmHash?.(request, 'bob', 'R'), 'abc')
  t.equal(provider.realmHash?.(request, 'bob', 'Q'), 'not-found')
})

t.test('the default type detects the format of the file', async (t) => {
  const file = `${t.testdir()}/users`
  database(file, { bob: hashOf('pw') })
  t.same(await check(t, `AuthDBMUserFile ${file}`, 'bob', 'pw'), ['granted', []])
})

t.test('a database that cannot be opened is a general error', async (t) => {
  const file = `${t.testdir()}/users`
  database(file, { bob: hashOf('pw') })
  const rows: [string, string][] = [
    ['AuthDBMType SDBM', '(2)No such file or directory: AH10285: could not open dbm (type SDBM) file: (null)'],
    [
      `AuthDBMType SDBM\nAuthDBMUserFile ${file}x`,
      `(2)No such file or directory: AH10285: could not open dbm (type SDBM) file: ${file}x`,
    ],
    [
      `AuthDBMType Nosuch\nAuthDBMUserFile ${file}`,
      `(20019)DSO load failed: AH10285: could not open dbm (type Nosuch) file: ${file}`,
    ],
  ]
  for (const [lines, message] of rows) t.same(await check(t, lines, 'bob', 'pw'), ['general-error', [`error ${message}`]])
})

t.test('a section with one directive does not inherit the other', async (t) => {
  const file = `${t.testdir()}/users`
  database(file, { bob: hashOf('pw') })
  const { provider, request, log } = await dbmSite(t, `AuthDBMUserFile ${file}`, { inner: 'AuthDBMType SDBM' })
  t.equal(await provider.checkPassword?.(request, 'bob', 'pw'), 'general-error')
  t.match(log(), [/\(type SDBM\) file: \(null\)$/])
})

t.test('the stored hash of a user is offered to a cache, whatever the password', async (t) => {
  const file = `${t.testdir()}/users`
  database(file, { bob: `${hashOf('pw')}:comment`, 'bob:R': 'abc:comment' })
  const offered: FoundCredentials[] = []
  const cache = defineModule({
    name: 'cache_module',
    source: 'mod_cache.c',
    register: ({ functions }) => functions.offer(storeCredentials, (_request, found) => void offered.push(found)),
  })
  const lines = `AuthDBMUserFile ${file}\nAuthDBMType SDBM`
  const { provider, request } = await dbmSite(t, lines, { more: [cache] })
  t.equal(await provider.checkPassword?.(request, 'bob', 'no'), 'denied')
  t.equal(await provider.checkPassword?.(request, 'zoe', 'no'), 'not-found')
  t.equal(await provider.realmHash?.(request, 'bob', 'R'), 'abc')
  t.equal(await provider.realmHash?.(request, 'bob', 'Q'), 'not-found')
  t.same(offered, [
    { provider: 'dbm', user: 'bob', realm: null, hash: hashOf('pw') },
    { provider: 'dbm', user: 'bob', realm: 'R', hash: 'abc' },
  ])
})
