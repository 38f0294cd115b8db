// Users with hostile names log in by a directory, a database, a file and forms at Apache httpd and at this server: statuses,
// challenges, users, variables, cookies and what is logged are the same. Needs apache2, slapd and libaprutil1-dbd-sqlite3.
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { hasSlapd, slapd } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { ask } from './fixtures/ask.ts'
import { freePort } from './fixtures/free-port.ts'
import { LOG_BY_REQUEST, loggedByRequest } from './fixtures/logged-by-request.ts'
import { withoutSessionEnd } from './fixtures/without-session-end.ts'
import { contestantsWith, type Running, start } from './oracle-expr/contestant.ts'
import { Site } from './oracle-expr/site.ts'
import { HOSTILE_NAMES } from './oracle-ldap/hostile-names.ts'
import { isInstalled } from './probes/servers/foreground.ts'

const PASSWORD = 'a password'
/** Users: a common one, and some whose names are hostile. All have the same password. */
const USERS = ['alice', "' OR '1'='1", '*', '<b>alice</b>', '%{REMOTE_USER}', '"alice"', '\\2a']
/** In latin1: one character is a byte. */
const PASSWORDS = [PASSWORD, 'wrong', '', `${PASSWORD}\0x`, "' OR 1=1 --", '*']
const SESSION = ['Session On', 'SessionCookieName sid path=/']
const FORM = ['AuthType form', 'AuthName "a realm"', ...SESSION, 'Require valid-user']
const BASIC = ['AuthType Basic', 'AuthName "a realm"', 'Require valid-user']
const QUERY = 'AuthDBDUserPWQuery "SELECT hash, note FROM users WHERE name = %s"'
const COMPARED = ['www-authenticate', 'location', 'set-cookie', 'cache-control', 'x-user', 'x-note', 'x-mail']
const MODULES = ['ldap', 'authnz_ldap', 'dbd', 'authn_dbd', 'auth_form', 'request', 'session', 'session_cookie']

const HASH = `{SHA}${createHash('sha1').update(PASSWORD).digest('base64')}`
const missing = !isInstalled('apache2') ? 'apache2' : !hasSlapd() ? 'slapd' : hasSqliteDriver() ? null : 'libaprutil1-dbd-sqlite3'
const skip = missing === null ? false : `${missing} is not installed`

t.test('users with hostile names are distinguished as in httpd', { skip }, async (t) => {
  const site = new Site()
  const directory = await slapd({ ldif: USERS.map(entry).join('\n'), lines: ['access to * by * read'] })
  const running: Running[] = []
  t.teardown(async () => {
    for (const one of running) await one.stop()
    await directory.close()
    site.remove()
  })
  fill(site)
  const sections = sectionsFor(directory.port)
  const port = await freePort()
  for (const contestant of contestantsWith(MODULES))
    running.push(await start(contestant, site, port, configuration(site, sections)))

  const all = new Map<string, Answers>()
  for (const kind of sections.keys()) all.set(kind, await answersOf(running, port, kind))
  // Then everything is in the logs.
  for (const one of running) await one.stop()
  const logs = running.map((one) => loggedByRequest(one.errors()))
  t.ok(HOSTILE_NAMES.length >= 50)
  for (const [kind, answers] of all) {
    t.test(kind, (t) => {
      for (const [id, [theirs, ours]] of answers) {
        t.equal(ours, theirs, id)
        t.strictSame(logs[1].get(id) ?? [], logs[0].get(id) ?? [], `the log of ${id}`)
      }
      knownUsersAreServed(t, answers)
      t.end()
    })
  }
})

/** In the folder of the architecture. */
function hasSqliteDriver(): boolean {
  return readdirSync('/usr/lib').some((folder) => existsSync(join('/usr/lib', folder, 'apr-util-1/apr_dbd_sqlite3.so')))
}

/** What both servers answered, by the identifier of the request. */
type Answers = ReadonlyMap<string, readonly string[]>

/** Not everybody is refused: that would be the same, too. */
function knownUsersAreServed(t: Test, answers: Answers): void {
  const served = [...answers.values()].filter(([theirs]) => /^200/.test(theirs)).length
  t.ok(served >= USERS.length - 1, `${served} logins were right`)
  t.ok(served < answers.size / 4, `${answers.size - served} were not`)
}

function entry(name: string, index: number): string {
  const value = (text: string): string => `: ${Buffer.from(text).toString('base64')}`
  return [
    `dn: cn=user ${index},dc=example,dc=org`,
    'objectClass: inetOrgPerson',
    `cn: user ${index}`,
    'sn: user',
    `uid:${value(name)}`,
    `mail: user${index}@example.org`,
    `userPassword:${value(PASSWORD)}`,
    '',
  ].join('\n')
}

function fill(site: Site): void {
  writeFileSync(join(site.root, 'users'), USERS.map((name) => `${name}:${HASH}\n`).join(''))
  const path = join(site.root, 'users.db')
  const database = new DatabaseSync(path)
  database.exec('CREATE TABLE users(name TEXT PRIMARY KEY, hash TEXT, note TEXT)')
  const insert = database.prepare('INSERT INTO users VALUES(?, ?, ?)')
  for (const name of USERS) insert.run(name, HASH, `note of ${name}`)
  database.close()
  chmodSync(path, 0o666)
}

/** The lines of a section for each way to log in, by its name. */
function sectionsFor(port: number): ReadonlyMap<string, readonly string[]> {
  const url = `AuthLDAPURL "ldap://127.0.0.1:${port}/dc=example,dc=org?uid,mail"`
  return new Map([
    ['basic-ldap', [...BASIC, 'AuthBasicProvider ldap', url]],
    ['basic-dbd', [...BASIC, 'AuthBasicProvider dbd', QUERY]],
    ['basic-file', [...BASIC, 'AuthBasicProvider file']],
    ['basic-all', [...BASIC, 'AuthBasicProvider file dbd ldap', QUERY, url]],
    ['form-ldap', [...FORM, 'AuthFormProvider ldap', url]],
    ['form-dbd', [...FORM, 'AuthFormProvider dbd', QUERY]],
    ['form-file', [...FORM, 'AuthFormProvider file', 'AuthFormLoginRequiredLocation "/login?user=%{escape:%{REMOTE_USER}}"']],
  ])
}

function configuration(site: Site, sections: ReadonlyMap<string, readonly string[]>): string[] {
  for (const name of sections.keys()) site.write(`${name}/page.html`, 'page\n')
  return [
    LOG_BY_REQUEST,
    'LogLevel warn authnz_ldap:info auth_basic:info auth_form:info authn_dbd:info authn_file:info authz_core:info',
    'LimitRequestFieldSize 32000',
    'LDAPCacheEntries 0',
    'DBDriver sqlite3',
    `DBDParams ${join(site.root, 'users.db')}`,
    'Header always set X-User "expr=%{REMOTE_USER}"',
    'Header always set X-Note "%{AUTHENTICATE_NOTE}e"',
    'Header always set X-Mail "%{AUTHENTICATE_MAIL}e"',
    ...[...sections].flatMap(([name, lines]) => [`<Location "/${name}/">`, ...lines, '</Location>']),
  ]
}

/** Sends each name with each password. */
async function answersOf(running: readonly Running[], port: number, kind: string): Promise<Answers> {
  const answers = new Map<string, readonly string[]>()
  for (const [number, name] of [...HOSTILE_NAMES, ...USERS].entries()) {
    for (const [at, password] of PASSWORDS.entries()) {
      const id = `${kind} ${number}.${at}`
      const login = kind.startsWith('form') ? byForm(name, password) : byBasic(name, password)
      answers.set(
        id,
        await Promise.all(
          running.map(async ({ contestant: { address } }) => {
            const headers = { Host: 'oracle.example', 'X-Id': id, ...login.headers }
            const answer = await ask({ address, port, path: `/${kind}/page.html`, ...login, headers })
            if (answer === null) return 'closed'
            const fields = COMPARED.map((field) => `${field}: ${JSON.stringify(answer.headers[field])}`)
            return withoutSessionEnd([answer.status, ...fields].join('; '))
          }),
        ),
      )
    }
  }
  return answers
}

interface Login {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

function byBasic(name: string, password: string): Login {
  const credentials = Buffer.from(`${name}:${password}`, 'latin1').toString('base64')
  return { method: 'GET', headers: { Authorization: `Basic ${credentials}` } }
}

function byForm(name: string, password: string): Login {
  const pairs = [`httpd_username=${escaped(name)}`, `httpd_password=${escaped(password)}`]
  return { method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: pairs.join('&') }
}

function escaped(text: string): string {
  return text.replace(/[^A-Za-z0-9]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)
}
