import { lintFindings } from '@gatewright/testing'
import t from 'tap'
import { entryOfSearch } from '../src/lint.ts'

t.test('lines about users after a search are reported, those before it and others are not', async (t) => {
  t.strictSame(
    lintFindings(
      entryOfSearch,
      'Require ldap-user alice',
      'Require not ldap-search (cn=gate)',
      'Require valid-user',
      'Require ldap-group cn=staff,dc=example,dc=org',
      'Require not LDAP-filter title=*',
    ),
    [
      "4: if the ldap-search of line 2 finds an entry, ldap-group judges that entry, not the user's",
      "5: if the ldap-search of line 2 finds an entry, ldap-filter judges that entry, not the user's",
    ],
  )
  t.strictSame(lintFindings(entryOfSearch, 'Require ldap-group cn=staff', 'Require ldap-search (cn=gate)'), [])
})
