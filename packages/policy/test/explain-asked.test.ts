import { chmodSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { AnyModule } from '@gatewright/api'
import { fakeAuthorizer, hasSlapd, slapd } from '@gatewright/testing'
import authForm from 'mod_auth_form'
import authnDbd from 'mod_authn_dbd'
import authnzFcgi from 'mod_authnz_fcgi'
import authnzLdap from 'mod_authnz_ldap'
import authzDbd from 'mod_authz_dbd'
import dbd from 'mod_dbd'
import ldap from 'mod_ldap'
import request from 'mod_request'
import rewrite from 'mod_rewrite'
import session from 'mod_session'
import sessionCookie from 'mod_session_cookie'
import t, { type Test } from 'tap'
import type { AskedQuestion, Explanation } from '../src/index.ts'
import { PolicySite, type PolicySiteOptions } from './support/policy-site.ts'

t.setTimeout(600_000)

const LDAP = [ldap, authnzLdap]
const SQL = [dbd, authnDbd, authzDbd, rewrite]
const ALICE = { user: 'alice', password: null }
const DN = 'uid=alice,ou=people,dc=example,dc=org'
const ENTRIES = `dn: ou=people,dc=example,dc=org
objectClass: organizationalUnit
ou: people

dn: ${DN}
objectClass: inetOrgPerson
uid: alice
cn: Alice
sn: Able
userPassword: alice-password

dn: cn=staff,dc=example,dc=org
objectClass: groupOfNames
cn: staff
member: ${DN}
`

/** The lines of a directory whose account has a password. */
function ldapLines(port: number): string {
  return `<Location />
AuthType Basic
AuthName x
AuthBasicProvider ldap
AuthLDAPURL "ldap://127.0.0.1:${port}/ou=people,dc=example,dc=org?uid"
AuthLDAPBindDN "cn=www,dc=example,dc=org"
AuthLDAPBindPassword "a secret"
Require ldap-group cn=staff,dc=example,dc=org
</Location>`
}

function explainIn(
  t: Test,
  options: PolicySiteOptions,
  credentials: Explanation['question']['credentials'],
): Promise<Explanation> {
  return new PolicySite(t, options).explain({ credentials })
}

/** A port on which nobody may be asked: a connection fails the test. */
async function forbiddenPort(t: Test): Promise<number> {
  const server = createServer((socket) => {
    t.fail('somebody was asked')
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise((resolve) => server.close(resolve)))
  const address = server.address()
  return address !== null && typeof address === 'object' ? address.port : 0
}

function text(asked: readonly AskedQuestion[]): string {
  return asked.map(({ of, question, answer }) => `${of}: ${question} -> ${answer}`).join('\n')
}

t.test(
  'a directory is asked, and its questions are shown without passwords',
  { skip: hasSlapd() ? false : 'slapd is not installed' },
  async (t) => {
    const server = await slapd({
      ldif: `${ENTRIES}\ndn: cn=www,dc=example,dc=org\nobjectClass: organizationalRole\nobjectClass: simpleSecurityObject\ncn: www\nuserPassword: a secret\n`,
      lines: ['access to attrs=userPassword by anonymous auth by * none', 'access to * by * read'],
    })
    t.teardown(() => server.close())
    const config = ldapLines(server.port)
    const explained = await explainIn(t, { config, modules: LDAP }, ALICE)
    const name = `the directory 127.0.0.1:${server.port}, as cn=www,dc=example,dc=org`
    t.equal(explained.status, 200)
    t.equal(
      text(explained.asked),
      `${name}: search below "ou=people,dc=example,dc=org" for (&(objectclass=*)(uid=alice)) and read uid -> found ${DN}
${name}: compare member of cn=staff,dc=example,dc=org with ${DN} -> Compare True (Comparison true (adding to cache))`,
    )
    const withPassword = await explainIn(t, { config, modules: LDAP }, { user: 'alice', password: 'wrong-password' })
    t.equal(withPassword.status, 401)
    t.match(text(withPassword.asked), /then log in as that entry with the password -> Invalid credentials/)
    t.notMatch(JSON.stringify([explained, withPassword.asked]), /a secret|wrong-password/)
    const unknown = await explainIn(t, { config, modules: LDAP }, { user: 'nobody', password: null })
    t.equal(unknown.status, 401)
    t.match(text(unknown.asked), /\(uid=nobody\)\) and read uid -> No such object \(User not found\)/)
  },
)

t.test('offline, a directory is not asked, and what it would be asked is shown', async (t) => {
  const config = ldapLines(await forbiddenPort(t))
  const explained = await explainIn(t, { config, modules: LDAP, reach: 'offline' }, ALICE)
  t.equal(explained.status, 401, 'a rule whose answer is not known does not match')
  t.equal(explained.stages[0]?.user, 'alice')
  const questions = explained.asked.map(({ question, answer }) => [question, answer])
  t.strictSame(questions, [
    ['search below "ou=people,dc=example,dc=org" for (&(objectclass=*)(uid=alice)) and read uid', null],
    ['compare member of cn=staff,dc=example,dc=org with <the DN of that entry>', null],
    ['compare uniqueMember of cn=staff,dc=example,dc=org with <the DN of that entry>', null],
    [
      'compare member of the groups in member and uniqueMember of cn=staff,dc=example,dc=org with <the DN of that entry>, 10 levels deep',
      null,
    ],
    [
      'compare uniqueMember of the groups in member and uniqueMember of cn=staff,dc=example,dc=org with <the DN of that entry>, 10 levels deep',
      null,
    ],
  ])
  const withPassword = await explainIn(t, { config, modules: LDAP, reach: 'offline' }, { user: 'alice', password: 'p' })
  t.equal(withPassword.status, 401)
  t.equal(withPassword.asked.length, 1)
})

t.test('a directory that wants the password of a user is not asked without one', async (t) => {
  const lines = 'AuthLDAPInitialBindAsUser On\nAuthLDAPInitialBindPattern (.*) uid=$1,ou=people,dc=example,dc=org'
  const config = ldapLines(await forbiddenPort(t)).replace(
    'Require ldap-group',
    `${lines}\nRequire user somebody\nRequire expr false\n#`,
  )
  const explained = await explainIn(t, { config, modules: LDAP }, ALICE)
  t.match(text(explained.asked), /as uid=alice,ou=people.*wants the password of the user\) -> null/)
})

/** A database of users and groups. */
function database(t: Test): string {
  const folder = t.testdir({})
  const path = join(folder, 'users.db')
  const made = new DatabaseSync(path)
  made.exec(`CREATE TABLE users(name TEXT, hash TEXT); INSERT INTO users VALUES('alice', '{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=');
CREATE TABLE teams(name TEXT, team TEXT, last TEXT); INSERT INTO teams VALUES('alice', 'staff', '')`)
  made.close()
  chmodSync(path, 0o666)
  return path
}

const DATABASE_LINES = `<Location />
AuthType Basic
AuthName x
AuthBasicProvider dbd
AuthDBDUserPWQuery "SELECT hash FROM users WHERE name = %s"
AuthzDBDQuery "SELECT team FROM teams WHERE name = %s"
Require dbd-group staff
</Location>
RewriteEngine On
RewriteMap pages "dbd:SELECT team FROM teams WHERE name = %s"
RewriteCond \${pages:alice} =staff
RewriteRule ^ - [E=known:1]`

t.test('a database is asked, and its statements are shown with their values', async (t) => {
  const path = database(t)
  const config = `DBDriver sqlite3\nDBDParams ${path}\n${DATABASE_LINES}`
  const explained = await explainIn(t, { config, modules: SQL }, ALICE)
  t.equal(explained.status, 200)
  t.equal(
    text(explained.asked),
    `the database (sqlite3): SELECT team FROM teams WHERE name = %s with 'alice' -> 1 row
the database (sqlite3): SELECT hash FROM users WHERE name = %s with 'alice' -> 1 row
the database (sqlite3): SELECT team FROM teams WHERE name = %s with 'alice' -> groups: staff`,
  )
  t.notMatch(text(explained.asked), /5en6G6/, 'a hash is not shown')
})

t.test('offline, no database is opened', async (t) => {
  const config = `DBDriver pgsql\nDBDParams "host=127.0.0.1 port=${await forbiddenPort(t)} user=x password=secret"\n${DATABASE_LINES}`
  const explained = await explainIn(t, { config, modules: SQL, reach: 'offline' }, ALICE)
  t.equal(explained.status, 401)
  t.strictSame(
    explained.asked.map(({ of, answer }) => [of, answer]),
    Array.from({ length: 3 }, () => ['the database (pgsql)', null]),
  )
  t.notMatch(JSON.stringify(explained), /password=/)
})

t.test('an explanation does not change a database', async (t) => {
  const path = database(t)
  const config = `DBDriver sqlite3\nDBDParams ${path}\n${DATABASE_LINES.replace('Require dbd-group staff', 'AuthzDBDQuery "UPDATE teams SET last = \'now\' WHERE name = %s"\nRequire dbd-login')}`
  const explained = await explainIn(t, { config, modules: SQL }, ALICE)
  t.equal(explained.status, 200)
  t.match(explained.asked.at(-1), { question: /^UPDATE teams/, answer: null })
  const made = new DatabaseSync(path)
  t.teardown(() => made.close())
  t.strictSame({ ...made.prepare('SELECT last FROM teams').get() }, { last: '' })
})

t.test('the credentials of a question stand for those of a login form', async (t) => {
  const path = database(t)
  const form = DATABASE_LINES.replace('AuthType Basic', 'AuthType form\nSession On\nSessionCookieName s path=/').replace(
    'AuthBasicProvider',
    'AuthFormProvider',
  )
  const config = `DBDriver sqlite3\nDBDParams ${path}\n${form}`
  const modules: readonly AnyModule[] = [...SQL, request, session, sessionCookie, authForm]
  const explained = await explainIn(t, { config, modules }, ALICE)
  t.equal(explained.status, 200)
  t.match(text(explained.asked), /SELECT hash FROM users/)
  t.ok(explained.route.some(({ line }) => line.includes('AuthFormProvider')))
  t.equal((await explainIn(t, { config, modules }, { user: 'alice', password: 'wrong' })).status, 401)
  t.equal((await explainIn(t, { config, modules }, null)).status, 401)
  const offline = await explainIn(t, { config, modules, reach: 'offline' }, ALICE)
  t.ok(offline.asked.every(({ answer }) => answer === null))
  t.equal(offline.stages[0]?.user, 'alice')
})

t.test('an authorizer of FastCGI is asked with a password, and not with one that is assumed', async (t) => {
  const passwords: (string | undefined)[] = []
  const authorizer = await fakeAuthorizer(({ REMOTE_PASSWD }) => {
    passwords.push(REMOTE_PASSWD)
    return { output: 'Status: 200\r\n\r\n' }
  })
  t.teardown(() => authorizer.close())
  const config = `AuthnzFcgiDefineProvider authn Passwords fcgi://127.0.0.1:${authorizer.port}/
<Location />
AuthType Basic
AuthName x
AuthBasicProvider Passwords
Require valid-user
</Location>`
  const explained = await explainIn(t, { config, modules: [authnzFcgi] }, { user: 'alice', password: 'pw' })
  t.equal(explained.status, 200)
  t.match(explained.asked, [
    { of: /^the authorizer Passwords at fcgi:/, question: /^as AUTHENTICATOR: GET/, answer: 'status 200' },
  ])
  const count = passwords.length
  t.ok(count > 0 && passwords.every((password) => password === 'pw'))
  const assumed = await explainIn(t, { config, modules: [authnzFcgi] }, ALICE)
  t.equal(assumed.status, 200)
  t.match(assumed.asked, [{ answer: null }])
  const offline = await explainIn(t, { config, modules: [authnzFcgi], reach: 'offline' }, { user: 'alice', password: 'pw' })
  t.equal(offline.status, 401)
  t.equal(passwords.length, count, 'nobody was asked again')
})
