import { site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import usertrack from '../src/index.ts'
import { parseCookieLifetime } from '../src/lifetime.ts'
import { cookieText } from '../src/tracking-cookie.ts'

t.test('a client without cookie gets one, and another keeps the one it has', async (t) => {
  const server = await site({
    modules: [authzCore, usertrack],
    config: `<Location "/t">
CookieTracking on
</Location>
<Location "/t/named">
CookieTracking on
CookieName a.b
</Location>
<Location "/t/lone">
CookieName c
</Location>`,
    files: { 'docs/t/f.txt': 'f', 'docs/t/named/f.txt': 'n', 'docs/t/lone/f.txt': 'l', 'docs/f.txt': 'o' },
  })
  t.teardown(() => server.close())
  const cookieFor = async (target: string, cookie?: string): Promise<string | undefined> =>
    (await server.inject({ target, headers: cookie === undefined ? {} : { Cookie: cookie } })).header('set-cookie')
  t.match(await cookieFor('/t/f.txt'), /^Apache=[0-9a-f]{1,8}\.[0-9a-f]{13}; path=\/$/)
  t.match(await cookieFor('/t/none'), /^Apache=/, 'error pages have it, too')
  t.equal(await cookieFor('/f.txt'), undefined)
  for (const known of ['Apache=x', 'a=1; Apache=x; b=2', 'a=1,Apache=x'])
    t.equal(await cookieFor('/t/f.txt', known), undefined, known)
  for (const other of ['MyApache=x', 'Apache=', 'a=1;bApache=x']) t.match(await cookieFor('/t/f.txt', other), /^Apache=/, other)
  t.match(await cookieFor('/t/named/f.txt', 'aXb=1'), /^a\.b=/, 'a dot in the name is a dot')
  t.equal(await cookieFor('/t/lone/f.txt'), undefined, 'a section with a line of the module inherits no other one')
})

t.test('the style decides how lifetime and domain are written', (t) => {
  const ms = Date.UTC(2026, 10, 28, 16, 41, 37)
  const text = (style: 'netscape' | 'cookie' | 'cookie2', lifetime: number): string =>
    cookieText({ style, domain: '.a.b', sameSite: 'SameSite=Lax', secure: true, httpOnly: true }, 'v', lifetime, ms)
  const rest = 'SameSite=Lax; Secure; HttpOnly'
  t.equal(text('netscape', 100), `Apache=v; path=/; expires=Sat, 28-Nov-26 16:43:17 GMT; domain=.a.b; ${rest}`)
  t.equal(text('cookie', 100), `Apache=v; path=/; max-age=100; domain=.a.b; ${rest}`)
  t.equal(text('cookie2', 100), `Apache=v; path=/; max-age=100; domain=.a.b; version=1; ${rest}`)
  t.equal(text('cookie', 0), `Apache=v; path=/; domain=.a.b; ${rest}`)
  t.end()
})

t.test('lifetimes are read as httpd reads them', (t) => {
  t.equal(parseCookieLifetime('60'), 60)
  t.equal(parseCookieLifetime('2 days 3 hours'), 183_600)
  t.equal(parseCookieLifetime('plus 1 weeks'), 604_800)
  t.equal(parseCookieLifetime('plus'), 0)
  t.equal(parseCookieLifetime('abc'), 'bad expires code, numeric value expected.')
  t.equal(parseCookieLifetime('1x'), 'bad expires code, missing <type>')
  t.equal(parseCookieLifetime('1 m'), 'bad expires code, unrecognized type')
  t.end()
})
