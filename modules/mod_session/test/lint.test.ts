import { lintFindings, site } from '@gatewright/testing'
import t from 'tap'
import session from '../src/index.ts'

t.test('cookies of sessions that scripts, others on the way or other hosts can read are reported', async (t) => {
  const server = await site({ modules: [session] })
  t.teardown(() => server.close())
  const { lintRules } = server.configuration.providers
  const lines = [
    'SessionCookieName s path=/;HttpOnly;Secure',
    'SessionCookieName s',
    'SessionCookieName s path=/; secure ',
    'SessionDBDCookieName sid path=/;HTTPONLY',
    'SessionDBDCookieName2 sid domain=.example.org;HttpOnly;Secure',
  ]
  t.strictSame(lintFindings(lintRules.get('SESSION001'), ...lines), [
    '3: the session cookie lacks HttpOnly: scripts of the page can read it',
    '4: the session cookie lacks Secure: browsers send it without TLS, too',
  ])
  t.strictSame(lintFindings(lintRules.get('SESSION002'), ...lines), [
    '5: every host of the domain receives the session cookie, and can set it for the users of this one',
  ])
})
