import { lintFindings, site } from '@gatewright/testing'
import t from 'tap'
import session from '../../mod_session/src/index.ts'
import authForm from '../src/index.ts'

t.test('forms without TLS, readable passwords and redirects to other sites are reported', async (t) => {
  const server = await site({ modules: [session, authForm] })
  t.teardown(() => server.close())
  const found = (id: string, ...lines: readonly string[]): string[] =>
    lintFindings(server.configuration.providers.lintRules.get(id), ...lines)

  const form = 'AuthType Form'
  t.match(found('FORM001', form), [/^1: passwords of the login form and sessions are sent without TLS/])
  t.strictSame(found('FORM001', 'AuthType Basic'), [])

  const readable = [/^1: the session cookie contains the password of the user as it is$/]
  t.match(found('FORM002', form, 'SessionCookieName s path=/'), readable)
  t.strictSame(found('FORM002', form, 'SessionCookieName s path=/', 'SessionCryptoPassphraseFile keys'), [])
  t.strictSame(found('FORM002', form, 'SessionDBDCookieName sid path=/'), [], 'the cookie has a key alone')

  const elsewhere = found(
    'FORM003',
    'AuthFormLoginRequiredLocation /login.html',
    'AuthFormLoginSuccessLocation "%{HTTP_REFERER}"',
    'AuthFormLogoutLocation https://other.example/bye',
    'AuthFormLogoutLocation https://LOCALHOST/bye',
    'AuthFormLocationHosts *',
  )
  t.match(elsewhere, [
    /^2: AuthFormLoginSuccessLocation begins with a variable/,
    /^3: AuthFormLogoutLocation leads to other\.example/,
    /^5: the field httpd_location of a login form leads anywhere/,
  ])
})
