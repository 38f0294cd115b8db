import { basicAuth, type InjectedResponse, type Slapd, site, slapd, type TestServer } from '@gatewright/testing'
import type { Test } from 'tap'
import authBasic from '../../mod_auth_basic/src/index.ts'
import authnCore from '../../mod_authn_core/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzUser from '../../mod_authz_user/src/index.ts'
import headers from '../../mod_headers/src/index.ts'
import ldap from '../../mod_ldap/src/index.ts'
import authnzLdap from '../src/index.ts'

/** Users and groups. `odd` entries have names that hostile ones might match. */
export const ENTRIES = `dn: ou=people,dc=example,dc=org
objectClass: organizationalUnit
ou: people

dn: uid=alice,ou=people,dc=example,dc=org
objectClass: inetOrgPerson
uid: alice
cn: Alice Able
sn: Able
mail: alice@example.org
mail: able@example.org
departmentNumber: 10
userPassword: alice-password

dn: uid=bob,ou=people,dc=example,dc=org
objectClass: inetOrgPerson
uid: bob
cn: Bob
sn: Baker
departmentNumber: 20
userPassword: bob-password

dn: uid=st*r,ou=people,dc=example,dc=org
objectClass: inetOrgPerson
uid: st*r
cn: Star
sn: Star
userPassword: x

dn: ou=groups,dc=example,dc=org
objectClass: organizationalUnit
ou: groups

dn: cn=inner,ou=groups,dc=example,dc=org
objectClass: groupOfNames
cn: inner
member: uid=alice,ou=people,dc=example,dc=org
member: cn=outer,ou=groups,dc=example,dc=org

dn: cn=outer,ou=groups,dc=example,dc=org
objectClass: groupOfNames
cn: outer
member: cn=inner,ou=groups,dc=example,dc=org
member: cn=middle,ou=groups,dc=example,dc=org

dn: cn=middle,ou=groups,dc=example,dc=org
objectClass: groupOfNames
cn: middle
member: cn=outer,ou=groups,dc=example,dc=org

dn: ou=round,dc=example,dc=org
objectClass: referral
objectClass: extensibleObject
ou: round
ref: ldap://127.0.0.1:@PORT@/ou=about,dc=example,dc=org

dn: ou=about,dc=example,dc=org
objectClass: referral
objectClass: extensibleObject
ou: about
ref: ldap://127.0.0.1:@PORT@/ou=round,dc=example,dc=org

dn: ou=there,dc=example,dc=org
objectClass: referral
objectClass: extensibleObject
ou: there
ref: ldap://127.0.0.1:@PORT@/ou=people,dc=example,dc=org
`

/** Passwords are for binding only. */
const ACCESS = ['access to attrs=userPassword by anonymous auth by * none', 'access to * by * read']

/** Starts a directory with the entries. */
export function directory(more = ''): Promise<Slapd> {
  return slapd({ ldif: `${ENTRIES}\n${more}`, lines: ACCESS })
}

/** A server with a section for everything. */
export async function ldapSite(t: Test, lines: string, serverLines = ''): Promise<TestServer> {
  const server = await site({
    modules: [authnCore, authBasic, authzCore, authzUser, headers, ldap, authnzLdap],
    config: `LogLevel debug\n${serverLines}\n<Location "/">\nAuthType Basic\nAuthName x\nAuthBasicProvider ldap\n${lines}\n</Location>`,
    files: { 'docs/f.txt': 'content' },
  })
  t.teardown(() => server.close())
  return server
}

/** The line AuthLDAPURL for the people of a directory. */
export function urlOf(port: number, base = 'ou=people,dc=example,dc=org', rest = '?uid'): string {
  return `AuthLDAPURL "ldap://127.0.0.1:${port}/${base}${rest}"`
}

/** Requests the file as a user; the strings have one character for each byte. */
export function login(server: TestServer, user: string, password: string): Promise<InjectedResponse> {
  const latin1 = Buffer.from(`${user}:${password}`, 'latin1').toString('base64')
  const headers = /[\x80-\xff]/.test(user + password) ? { Authorization: `Basic ${latin1}` } : basicAuth(user, password)
  return Promise.resolve(server.inject({ target: '/f.txt', headers }))
}
