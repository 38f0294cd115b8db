import { defineModule } from '@gatewright/api'
import { loadSession, sessionOf, setSessionValue } from '@gatewright/api/peers'
import { site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import headers from '../../mod_headers/src/index.ts'
import sessionCookie from '../../mod_session_cookie/src/index.ts'
import session from '../src/index.ts'

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

async function sessions(t: Test, config: string): Promise<TestServer> {
  const server = await site({ modules: [authzCore, headers, session, sessionCookie, writer], config })
  t.teardown(() => server.close())
  return server
}

const STANDARD = 'Session On\nSessionCookieName s path=/\nSessionEnv On\nHeader set X-Env "%{HTTP_SESSION}e"'

t.test('the directive tables have the contexts that httpd prints', async (t) => {
  const names = ['Session', 'SessionMaxAge', 'SessionHeader', 'SessionEnv', 'SessionInclude', 'SessionExclude']
  t.same(Object.keys(session.directives ?? {}), [...names, 'SessionExpiryUpdateInterval'])
  t.same(Object.keys(sessionCookie.directives ?? {}), ['SessionCookieName', 'SessionCookieName2', 'SessionCookieRemove'])
  for (const spec of Object.values({ ...session.directives, ...sessionCookie.directives })) {
    t.same(spec.context, ['server', 'virtualhost', 'directory', 'htaccess'])
    t.equal(spec.override, 'AuthConfig')
  }
})

t.test('values are kept in a cookie, in the order of their arrival, and encoded like a form', async (t) => {
  const server = await sessions(t, STANDARD)
  const first = await server.inject('/?b=two%20words&a=%C3%BC%26~')
  t.equal(first.header('set-cookie'), 's=b=two+words&a=%fc%26%7e;path=/')
  t.equal(first.header('cache-control'), 'no-cache, private')
  const second = await server.inject({ target: '/?b=&c=3', headers: { Cookie: 'x=1; s=b=two+words&a=1' } })
  t.equal(second.header('set-cookie'), 's=a=1&c=3;path=/')
  t.equal(second.header('x-env'), 'b=two+words&a=1')
  const unchanged = await server.inject({ target: '/', headers: { Cookie: 's=a=1' } })
  t.equal(unchanged.header('set-cookie'), undefined)
  const emptied = await server.inject({ target: '/?a=', headers: { Cookie: 's=a=1' } })
  t.match(String(emptied.header('set-cookie')), /^s=;Max-Age=0;path=\//)
})

t.test('what cannot be read of a cookie is passed over', async (t) => {
  const server = await sessions(t, STANDARD)
  const read = async (cookie: string): Promise<string> => (await server.inject({ target: '/', headers: { Cookie: cookie } })).body
  t.equal(await read('s=a=%zz&b=%00&c=%4&d=4'), '[["d","4"]]')
  t.equal(await read('s==x&&=&a'), '[]')
  t.equal(await read('s=a=1&a=2&A=3'), '[["a","3"]]')
  t.equal(await read('s=a=1; s=a=1'), '[["a","1"]]', 'the same cookie twice')
  t.equal(await read('s=a=1; s=b=2'), '[]', 'two cookies of one name')
  t.match(server.errors().join('\n'), "AH00011: ap_cookie: client submitted cookie 's' more than once: /")
  t.equal(await read(`s=${'a=1&'.repeat(1500)}b=2`), '[["a","1"],["b","2"]]')
})

t.test('SessionMaxAge limits sessions, and the update interval saves cookies', async (t) => {
  const server = await sessions(t, `${STANDARD}\nSessionMaxAge 100\nSessionExpiryUpdateInterval 50`)
  const late = await server.inject({ target: '/?a=1', headers: { Cookie: 's=z=9&expiry=1' } })
  t.match(String(late.header('set-cookie')), /^s=expiry=\d{16}&a=1;Max-Age=100;path=\/$/, 'it has ended')
  const now = Date.now()
  const cookie = (seconds: number): string => `s=a=1&expiry=${now + seconds * 1000}000`
  t.equal((await server.inject({ target: '/', headers: { Cookie: cookie(90) } })).header('set-cookie'), undefined)
  const older = await server.inject({ target: '/', headers: { Cookie: cookie(30) } })
  t.match(String(older.header('set-cookie')), /^s=a=1&expiry=\d{16};Max-Age=100;path=\/$/)
})

t.test('SessionInclude and SessionExclude choose paths, and a section adds to those around it', async (t) => {
  const server = await sessions(t, `${STANDARD}\nSessionInclude /a\n<Location /a/x>\nSessionExclude /a/x/y\n</Location>`)
  const has = async (target: string): Promise<boolean> => (await server.inject(target)).header('cache-control') !== undefined
  t.strictSame(await Promise.all(['/a', '/a/x', '/a/x/y', '/b'].map(has)), [true, true, false, false])
})

t.test('a store that is missing or fails leaves requests without a session', async (t) => {
  const broken = defineModule({
    name: 'broken_module',
    source: 'mod_broken.c',
    register({ optionalHooks }) {
      optionalHooks.add(loadSession, () => Promise.reject(new Error('the store is away')))
    },
  })
  for (const [modules, code] of [
    [[writer], 'AH01815'],
    [[writer, broken], 'AH01816'],
  ] as const) {
    const server = await site({ modules: [authzCore, session, ...modules], config: 'Session On' })
    t.teardown(() => server.close())
    t.match(await server.inject('/?a=1'), { status: 200, body: '[]' })
    t.match(server.errors().join('\n'), code)
  }
})
