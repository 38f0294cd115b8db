import { DatabaseSync } from 'node:sqlite'
import { type AnyModule, defineModule } from '@gatewright/api'
import { sessionOf, setSessionValue } from '@gatewright/api/peers'
import { configError, headerLogin, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzUser from '../../mod_authz_user/src/index.ts'
import dbd from '../../mod_dbd/src/index.ts'
import session from '../../mod_session/src/index.ts'
import sessionDbd from '../src/index.ts'

/** Sets values of the query in the session: `?a=1`, and removes those without a value. */
const writer = defineModule({
  name: 'writer_module',
  source: 'mod_writer.c',
  register({ hooks, functions }) {
    hooks.handler.add(async (request) => {
      const found = (await functions.get(sessionOf)?.(request)) ?? null
      for (const [name, value] of new URLSearchParams(request.args ?? '')) {
        if (found !== null) setSessionValue(found, name, value === '' ? null : value)
      }
      return request.send('text/plain', JSON.stringify([...(found?.entries ?? [])]))
    })
  },
})

const MODULES: readonly AnyModule[] = [authzCore, authzUser, headerLogin, dbd, session, sessionDbd, writer]
const STATEMENTS = `DBDPrepareSQL "select value from kept where key = %s and (expiry = 0 or expiry > %lld)" selectsession
DBDPrepareSQL "insert into kept (value, expiry, key) values (%s, %lld, %s)" insertsession
DBDPrepareSQL "update kept set value = %s, expiry = %lld, key = %s where key = %s" updatesession
DBDPrepareSQL "delete from kept where key = %s" deletesession`
const NAMED = 'Session On\nSessionDBDCookieName sid path=/'

interface Kept {
  readonly server: TestServer
  /** What is in the table: values by key. */
  rows(): Record<string, string>
}

async function sessions(t: Test, config: string, statements: string = STATEMENTS): Promise<Kept> {
  const path = `${t.testdir()}/sessions.db`
  const database = new DatabaseSync(path)
  database.exec('CREATE TABLE kept(key TEXT, value TEXT, expiry INTEGER)')
  const server = await site({ modules: MODULES, config: `DBDriver sqlite3\nDBDParams "${path}"\n${statements}\n${config}` })
  t.teardown(async () => {
    await server.close()
    database.close()
  })
  return {
    server,
    rows: () =>
      Object.fromEntries(
        database
          .prepare('SELECT key, value FROM kept')
          .all()
          .map(({ key, value }) => [String(key), String(value)]),
      ),
  }
}

const keyOf = (field: unknown): string => /^sid=([^;]*)/.exec(String(field))?.[1] ?? ''
const as = (key: string) => ({ headers: { Cookie: `sid=${key}` } })

t.test('a session is kept under a key, which changes with every change of the session', async (t) => {
  const { server, rows } = await sessions(t, NAMED)
  const first = await server.inject('/?a=1&b=two%20words')
  t.match(String(first.header('set-cookie')), /^sid=[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12};path=\/$/)
  t.equal(first.header('cache-control'), 'no-cache, private')
  const key = keyOf(first.header('set-cookie'))
  t.same(rows(), { [key]: 'a=1&b=two+words' })

  const read = await server.inject({ target: '/', ...as(key) })
  t.equal(read.body, '[["a","1"],["b","two words"]]')
  t.equal(read.header('set-cookie'), undefined, 'nothing has changed')

  const changed = await server.inject({ target: '/?c=3', ...as(key) })
  const next = keyOf(changed.header('set-cookie'))
  t.not(next, key)
  t.same(rows(), { [next]: 'a=1&b=two+words&c=3' }, 'the former key is worth nothing')
  t.equal((await server.inject({ target: '/', ...as(key) })).body, '[]')
})

t.test('a key that a client made up is not used for its session', async (t) => {
  const { server, rows } = await sessions(t, NAMED)
  for (const made of ['00000000-0000-4000-8000-000000000000', "' OR 1=1 --", '', 'x'.repeat(5000), 'sid']) {
    const response = await server.inject({ target: '/?a=1', ...as(made) })
    t.equal(response.body, '[["a","1"]]')
    t.not(keyOf(response.header('set-cookie')), made)
  }
  t.equal(Object.keys(rows()).length, 5)
  t.notOk(Object.hasOwn(rows(), '00000000-0000-4000-8000-000000000000'))
})

t.test('a session that has lost its values is removed from the database', async (t) => {
  const { server, rows } = await sessions(t, NAMED)
  const key = keyOf((await server.inject('/?a=1')).header('set-cookie'))
  t.equal((await server.inject({ target: '/?a=', ...as(key) })).status, 200)
  t.same(rows(), {})
})

t.test('sessions of users have their name as key', async (t) => {
  const { server, rows } = await sessions(t, 'Session On\nSessionDBDPerUser On\n<Location /u>\nRequire valid-user\n</Location>')
  const user = (name: string) => ({ headers: { 'X-User': name } })
  t.equal((await server.inject({ target: '/u?a=1', ...user('alice') })).header('set-cookie'), undefined, 'no cookie')
  t.equal((await server.inject({ target: '/u?a=2', ...user("o'neil") })).status, 200)
  t.same(rows(), { alice: 'a=1', "o'neil": 'a=2' })
  t.equal((await server.inject({ target: '/u', ...user('alice') })).body, '[["a","1"]]')
  t.equal((await server.inject({ target: '/u', ...user('Alice') })).body, '[]')
  t.equal((await server.inject('/?a=3')).body, '[]', 'nobody has logged in')
  t.match(server.errors().join('\n'), 'AH01815: session is enabled but no session modules have been configured')
})

t.test('other labels choose other statements, and an unknown label means no session', async (t) => {
  const statements = STATEMENTS.replace('insertsession', 'add')
  const { server, rows } = await sessions(
    t,
    `${NAMED}\nSessionDBDInsertLabel add\n<Location /unknown>\nSessionDBDSelectLabel nosuch\n</Location>`,
    statements,
  )
  t.equal((await server.inject('/?a=1')).status, 200)
  t.equal(Object.keys(rows()).length, 1)
  t.equal((await server.inject({ target: '/unknown', ...as('x') })).body, '[]')
  const log = server.errors().join('\n')
  t.match(log, "AH01852: failed to find the prepared statement called 'nosuch'")
  t.match(log, 'AH01816: error while loading the session, session not loaded: /unknown')
})

t.test('a database that cannot be used means no session, never an open one', async (t) => {
  const server = await site({
    modules: MODULES,
    config: `DBDriver sqlite3\nDBDParams "@ROOT@/no/such/folder/s.db"\n${STATEMENTS}\n${NAMED}`,
  })
  t.teardown(() => server.close())
  const response = await server.inject({ target: '/?a=1', ...as('00000000-0000-4000-8000-000000000000') })
  t.equal(response.body, '[]')
  t.equal(response.header('set-cookie'), undefined)
  t.match(server.errors().join('\n'), 'AH01851: failed to acquire database connection')
  t.equal((await server.inject('/?a=1')).header('set-cookie'), undefined, 'a new session cannot be kept')
  t.match(server.errors().join('\n'), 'AH01822: error while saving the session, session not saved: /')
})

t.test('an insert without effect is an error, and the client gets no key', async (t) => {
  const nothing = STATEMENTS.replace('values (%s, %lld, %s)', 'select %s, %lld, %s where 0')
  const { server, rows } = await sessions(t, NAMED, nothing)
  t.equal((await server.inject('/?a=1')).header('set-cookie'), undefined)
  t.same(rows(), {})
  t.match(
    server.errors().join('\n'),
    /AH01860: the session insert query did not cause any rows to be added to the database for session '[^']{36}', session not inserted/,
  )
})

t.test('a cookie needs a name', async (t) => {
  const error = (line: string) => configError({ modules: MODULES, config: line })
  t.equal(await error('SessionDBDCookieName'), 'SessionDBDCookieName requires at least one argument!')
  t.equal(await error('SessionDBDCookieName2 a;b'), "SessionDBDCookieName2 cannot contain '=', ';' or '&'.")
})
