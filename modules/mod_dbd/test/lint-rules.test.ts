import { lintFindings as found } from '@gatewright/testing'
import t from 'tap'
import { missingPlaceholderRule, quotedPlaceholderRule, refererRule } from '../src/lint-rules.ts'

t.test('a placeholder in quotation marks is reported, in every kind of query', async (t) => {
  t.strictSame(
    found(
      quotedPlaceholderRule,
      `AuthDBDUserPWQuery "SELECT hash FROM users WHERE name = '%s'"`,
      `authzdbdquery "SELECT team FROM teams WHERE name = '%s' AND x = %s"`,
      `RewriteMap m "dbd:SELECT v FROM map WHERE k = '%s'"`,
      `RewriteMap m "txt:'%s'"`,
      `DBDPrepareSQL "SELECT '100%%' WHERE a = %s" label`,
      `AuthDBDUserRealmQuery "SELECT ha1 FROM realms WHERE name = %s AND realm = %s"`,
    ),
    [
      '1: the placeholder in quotation marks in AuthDBDUserPWQuery gets no value',
      '2: the placeholder in quotation marks in authzdbdquery gets no value',
      '3: the placeholder in quotation marks in RewriteMap gets no value',
    ],
  )
})

t.test('a query about users without a placeholder is reported', async (t) => {
  t.strictSame(
    found(
      missingPlaceholderRule,
      `AuthDBDUserPWQuery "SELECT hash FROM users WHERE name = 'alice'"`,
      'AuthzDBDQuery "SELECT team FROM teams WHERE name = %s"',
      'AuthzDBDRedirectQuery "SELECT \'/welcome\'"',
      'DBDPrepareSQL "SELECT 1" label',
    ),
    ['1: AuthDBDUserPWQuery has no placeholder, so its answer is the same for every user'],
  )
})

t.test('a redirect to the Referer is reported', async (t) => {
  t.strictSame(found(refererRule, 'AuthzDBDLoginToReferer On', 'AuthzDBDLoginToReferer off'), [
    '1: a login redirects to the Referer, which may be of any site',
  ])
})
