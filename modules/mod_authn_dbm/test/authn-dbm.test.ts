import { type FoundCredentials, storeCredentials } from '@gatewright/api/peers'
import { openDbmWriter } from '@gatewright/dbm'
import t from 'tap'
import { FakeHost } from '../../mod_authz_core/test/fakes/fake-host.ts'
import authnDbm from '../src/index.ts'

/** Writes an SDBM database; texts are bytes. */
function database(path: string, records: Readonly<Record<string, string>>): void {
  const writer = openDbmWriter(path, 'SDBM', 'truncate')
  for (const [key, value] of Object.entries(records)) writer.replace(Buffer.from(key, 'latin1'), Buffer.from(value, 'latin1'))
  writer.close()
}

function hostWith(lines: string): FakeHost {
  const host = new FakeHost([authnDbm])
  const error = host.configure(`<Directory /d>\n${lines}\n</Directory>`)
  if (error !== undefined) throw new Error(error)
  return host
}

async function check(lines: string, user: string, password: string): Promise<[unknown, string[]]> {
  const host = hostWith(lines)
  return [await host.authn.get('dbm')?.checkPassword?.(host.request(), user, password), host.logs.take()]
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

t.test('a user’s record is the hash, and a comment behind a colon', async (t) => {
  const file = `${t.testdir()}/users`
  database(file, { bob: 'plainpw', zoe: 'plainpw:admins:more', empty: '', 'b\xc3\xb3b': 'plain\xff', 'bob:R': 'abc:comment' })
  const lines = `AuthDBMUserFile ${file}\nAuthDBMType sdbm`
  t.same(await check(lines, 'bob', 'pw'), ['granted', []])
  t.same(await check(lines, 'bob', 'no'), ['denied', []])
  t.same(await check(lines, 'zoe', 'pw'), ['granted', []])
  t.same(await check(lines, 'b\xc3\xb3b', '\xff'), ['granted', []])
  t.same(await check(lines, 'BOB', 'pw'), ['not-found', []])
  t.same(await check(lines, '', ''), ['not-found', []])
  t.same(await check(lines, 'empty', ''), ['not-found', []])
  const host = hostWith(lines)
  t.equal(host.authn.get('dbm')?.realmHash?.(host.request(), 'bob', 'R'), 'abc')
  t.equal(host.authn.get('dbm')?.realmHash?.(host.request(), 'bob', 'Q'), 'not-found')
})

t.test('the default type finds out what the file is', async (t) => {
  const file = `${t.testdir()}/users`
  database(file, { bob: 'plainpw' })
  t.same(await check(`AuthDBMUserFile ${file}`, 'bob', 'pw'), ['granted', []])
})

t.test('a database that cannot be opened is a general error', async (t) => {
  const file = `${t.testdir()}/users`
  database(file, { bob: 'plainpw' })
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
  for (const [lines, message] of rows) t.same(await check(lines, 'bob', 'pw'), ['general-error', [`authn_dbm:error ${message}`]])
})

t.test('a section with one directive inherits nothing of the other', async (t) => {
  const file = `${t.testdir()}/users`
  database(file, { bob: 'plainpw' })
  const host = new FakeHost([authnDbm])
  host.configure(`
    <Directory /d>
      AuthDBMUserFile ${file}
    </Directory>
    <Directory /d/e>
      AuthDBMType SDBM
    </Directory>`)
  t.equal(await host.authn.get('dbm')?.checkPassword?.(host.request(), 'bob', 'pw'), 'general-error')
  t.match(host.logs.take(), [/\(type SDBM\) file: \(null\)$/])
})

t.test('what the database says of a user is offered to a cache, whatever the password', async (t) => {
  const file = `${t.testdir()}/users`
  database(file, { bob: 'plainpw:comment', 'bob:R': 'abc:comment' })
  const host = new FakeHost([authnDbm])
  const offered: FoundCredentials[] = []
  host.functions.offer(storeCredentials, (_request, found) => void offered.push(found))
  host.configure(`<Directory /d>\nAuthDBMUserFile ${file}\nAuthDBMType SDBM\n</Directory>`)
  const provider = host.authn.get('dbm')
  t.equal(await provider?.checkPassword?.(host.request(), 'bob', 'no'), 'denied')
  t.equal(await provider?.checkPassword?.(host.request(), 'zoe', 'no'), 'not-found')
  t.equal(await provider?.realmHash?.(host.request(), 'bob', 'R'), 'abc')
  t.equal(await provider?.realmHash?.(host.request(), 'bob', 'Q'), 'not-found')
  t.same(offered, [
    { provider: 'dbm', user: 'bob', realm: null, hash: 'plainpw' },
    { provider: 'dbm', user: 'bob', realm: 'R', hash: 'abc' },
  ])
})
