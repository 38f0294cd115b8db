import { hasSlapd, moduleLog, type Slapd } from '@gatewright/testing'
import t from 'tap'
import { directory, ldapSite, login, urlOf } from './directory.ts'

const NO_CACHE = 'LDAPCacheEntries 0'
const SHOWN = [
  'Header always set X-User "expr=%{REMOTE_USER}"',
  'Header always set X-Names "%{AUTHENTICATE_CN}e|%{AUTHORIZE_CN}e"',
  'Header always set X-Uid "%{AUTHENTICATE_UID}e|%{AUTHORIZE_UID}e"',
].join('\n')
/** An attribute that is sent in two pieces, and one that is no text. */
const ODD = `dn: uid=carol,ou=people,dc=example,dc=org
objectClass: inetOrgPerson
uid: carol
cn: Carol
sn: Clark
cn: Carol the other
description:: ${Buffer.from('no\0text').toString('base64')}
userPassword: carol-password
`

t.test('with a directory', { skip: hasSlapd() ? false : 'needs slapd' }, async (t) => {
  const server: Slapd = await directory(ODD)
  t.teardown(() => server.close())
  const { port } = server
  const section = (lines: string, rest = '?uid,cn') =>
    ldapSite(t, `${SHOWN}\n${urlOf(port, undefined, rest)}\n${lines}`, NO_CACHE)

  t.test('a requirement that grants sets the variables of authorization, also after a login by the same module', async (t) => {
    for (const requirement of [
      'ldap-user alice',
      'ldap-dn uid=alice,ou=people,dc=example,dc=org',
      'ldap-group cn=inner,ou=groups,dc=example,dc=org',
      'ldap-group cn=middle,ou=groups,dc=example,dc=org',
      'ldap-attribute departmentNumber=10',
      'ldap-filter departmentNumber=10',
    ]) {
      const answer = await login(await section(`Require ${requirement}`), 'alice', 'alice-password')
      t.match(
        { status: answer.status, names: answer.header('x-names') },
        { status: 200, names: 'Alice Able|Alice Able' },
        requirement,
      )
    }
    const without = await login(await section('Require valid-user'), 'alice', 'alice-password')
    t.equal(without.header('x-names'), 'Alice Able|(null)', 'no requirement of the directory')
  })

  t.test('ldap-search makes nobody the user of a request', async (t) => {
    const site = await section('AuthLDAPRemoteUserAttribute cn\nRequire ldap-search uid=alice')
    const answer = await site.inject('/f.txt')
    t.match(
      { status: answer.status, user: answer.header('x-user'), names: answer.header('x-names') },
      { status: 200, user: '', names: '(null)|Alice Able' },
    )
  })

  t.test('the attribute that becomes the user is that of the login', async (t) => {
    const site = await section('AuthLDAPRemoteUserAttribute cn\nRequire ldap-user alice')
    t.equal((await login(site, 'alice', 'alice-password')).header('x-user'), 'Alice Able')
  })

  t.test('a URL without attributes finds users by uid, and sets no variables', async (t) => {
    const site = await section('AuthLDAPRemoteUserAttribute uid\nRequire ldap-user alice', '')
    const answer = await login(site, 'alice', 'alice-password')
    t.match(
      { status: answer.status, user: answer.header('x-user'), uid: answer.header('x-uid') },
      { status: 200, user: 'alice', uid: '(null)|(null)' },
    )
    t.ok(moduleLog(site, 'authnz_ldap').some((line) => line.startsWith('warn AH01696')))
  })

  t.test('the scope base searches the whole branch', async (t) => {
    const site = await section('Require valid-user', '?uid?base')
    t.equal((await login(site, 'alice', 'alice-password')).status, 200)
  })

  t.test('of an attribute that is sent twice the first values count, and one with a NUL has none', async (t) => {
    const line = 'Header always set X-Description "[%{AUTHENTICATE_DESCRIPTION}e]"'
    const site = await section(`${line}\nRequire valid-user`, '?uid,cn,description')
    const answer = await login(site, 'carol', 'carol-password')
    t.match({ names: answer.header('x-names'), text: answer.header('x-description') }, { names: 'Carol|(null)', text: '[]' })
  })

  t.test('a filter may have 8190 bytes', async (t) => {
    const site = await section('Require valid-user')
    // An asterisk is two bytes of a filter.
    const asterisks = '*'.repeat((8190 - '(&(objectclass=*)(uid=))'.length) / 2)
    t.equal((await login(site, asterisks, 'x')).status, 401)
    t.equal((await login(site, `${asterisks}a`, 'x')).status, 500)
  })

  t.test('a missing AuthLDAPURL is an error also for an empty password', async (t) => {
    const site = await ldapSite(t, 'Require valid-user', NO_CACHE)
    t.equal((await login(site, 'alice', '')).status, 500)
  })
})
