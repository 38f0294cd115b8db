// npm run company [-- --seed N --requests M --show K]: serves a configuration made of what the manual pages of httpd recommend for
// companies with Apache httpd and Gatewright side by side: users and groups of an LDAP directory over STARTTLS, digest passwords
// and groups in a database, and a login page with encrypted sessions. Clients of both make the same varied requests; every
// difference in status, fields, users, sessions, pages and what is logged is reported. Needs apache2 with
// libaprutil1-dbd-sqlite3, slapd, and a built dist/. Ends with a line `N passed, N failed` that counts requests.
import { createHash } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { hasSlapd, type Slapd, slapd } from '@gatewright/testing'
import { type Answer, ask } from '../fixtures/ask.ts'
import { freePort } from '../fixtures/free-port.ts'
import { LOG_BY_REQUEST, loggedByRequest } from '../fixtures/logged-by-request.ts'
import { Random } from '../fixtures/random.ts'
import { TlsAuthority } from '../fixtures/tls-authority.ts'
import { withoutSessionEnd } from '../fixtures/without-session-end.ts'
import { type Contestant, contestantsWith, type Running, start } from '../oracle-expr/contestant.ts'
import { Site } from '../oracle-expr/site.ts'
import { DIRECTORY, STATEMENTS } from './users.ts'
import { type Visit, varied } from './visits.ts'

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    requests: { type: 'string', default: '500' },
    show: { type: 'string', default: '20' },
  },
})

/** Fields that are compared. */
const COMPARED: readonly string[] = [
  'cache-control',
  'content-type',
  'location',
  'set-cookie',
  'www-authenticate',
  'x-entry',
  'x-session',
  'x-user',
]
const MODULES = [
  ...['ldap', 'authnz_ldap', 'auth_digest', 'dbd', 'authn_dbd', 'authz_dbd'],
  ...['auth_form', 'request', 'session', 'session_cookie', 'session_crypto'],
]

if (!hasSlapd()) throw new Error('slapd is missing: apt-get install slapd')
process.exitCode = (await run()) > 0 ? 1 : 0

/** Returns the number of requests that were answered differently. */
async function run(): Promise<number> {
  const site = new Site()
  const authority = new TlsAuthority(join(site.root, 'tls'), 'Company')
  const files = authority.issue('directory', { hosts: ['localhost', '127.0.0.1'] })
  for (const name of ['staff/page', 'board/page', 'reports/page', 'payroll/page', 'members/page', 'login', 'public'])
    site.write(`${name}.html`, `${name}\n`)
  const directory = await slapd({ ldif: DIRECTORY, tls: { ...files, authorities: authority.certificate } })
  const port = await freePort()
  const running: Running[] = []
  try {
    for (const contestant of contestantsWith(MODULES, (one) => database(site, one)))
      running.push(await start(contestant, site, port, configuration(directory, authority)))
    const visits = varied(new Random(Number(options.seed)), Number(options.requests))
    const answers: (readonly string[])[] = []
    const clients = running.map(() => ({ cookie: '', nonce: '' }))
    for (const [index, one] of visits.entries()) {
      answers.push(
        await Promise.all(running.map(({ contestant }, which) => visit(contestant.address, port, index, one, clients[which]))),
      )
    }
    for (const one of running) await one.stop()
    return report(running, visits, answers)
  } finally {
    for (const one of running) await one.stop()
    await directory.close()
    site.remove()
  }
}

/** Each server has a database of its own. */
function database(site: Site, { name }: Contestant): readonly string[] {
  const path = join(site.root, `${name}-data/company.db`)
  site.write(`../${name}-data/.keep`, '')
  const made = new DatabaseSync(path)
  made.exec(STATEMENTS)
  made.close()
  chmodSync(join(path, '..'), 0o777)
  chmodSync(path, 0o666)
  writeFileSync(join(site.root, 'session-keys'), 'a-passphrase-of-the-company\n')
  chmodSync(join(site.root, 'session-keys'), 0o644)
  return [
    'DBDriver sqlite3',
    `DBDParams ${path}`,
    'DBDMin 1',
    'DBDKeep 2',
    'DBDMax 10',
    'DBDExptime 60',
    `SessionCryptoPassphraseFile ${site.root}/session-keys`,
  ]
}

function configuration({ port }: Slapd, { certificate }: TlsAuthority): string[] {
  const people = `"ldap://127.0.0.1:${port}/ou=people,dc=example,dc=org?uid,cn,mail?sub?(objectClass=person)" STARTTLS`
  const ldap = ['AuthType Basic', 'AuthName "Company"', 'AuthBasicProvider ldap', `AuthLDAPURL ${people}`]
  const login = [
    'AuthType form',
    'AuthName "Members"',
    'AuthFormProvider dbd',
    'AuthDBDUserPWQuery "SELECT hash FROM users WHERE name = %s"',
  ]
  const session = ['Session On', 'SessionEnv On', 'SessionCookieName company path=/;HttpOnly;SameSite=Lax', 'SessionMaxAge 1800']
  const section = (path: string, lines: readonly string[]): string[] => [`<Location "${path}">`, ...lines, '</Location>']
  return [
    LOG_BY_REQUEST,
    'LogLevel info',
    `LDAPTrustedGlobalCert CA_BASE64 ${certificate}`,
    'Header always set X-User "expr=%{REMOTE_USER}"',
    'Header set X-Session "%{HTTP_SESSION}e"',
    'Header set X-Entry "%{AUTHENTICATE_CN}e %{AUTHENTICATE_MAIL}e"',
    ...section('/staff', [...ldap, 'Require ldap-group cn=staff,ou=groups,dc=example,dc=org']),
    ...section('/board', [
      ...ldap,
      'AuthLDAPRemoteUserAttribute mail',
      '<RequireAll>',
      'Require ldap-group cn=all,ou=groups,dc=example,dc=org',
      '<RequireAny>',
      'Require ldap-attribute title=Director "title=Vice Director"',
      'Require ldap-user carol',
      '</RequireAny>',
      'Require not ldap-filter employeeType=external',
      '</RequireAll>',
    ]),
    ...section('/reports', [
      'AuthType Digest',
      'AuthName "Reports"',
      'AuthDigestProvider dbd',
      'AuthDBDUserRealmQuery "SELECT digest FROM users WHERE name = %s AND realm = %s"',
      'Require valid-user',
    ]),
    ...section('/payroll', [
      'AuthType Basic',
      'AuthName "Payroll"',
      'AuthBasicProvider dbd',
      'AuthDBDUserPWQuery "SELECT hash FROM users WHERE name = %s"',
      'AuthzDBDQuery "SELECT team FROM teams WHERE name = %s"',
      'Require dbd-group payroll "the board"',
    ]),
    ...section('/members', [
      ...login,
      ...session,
      'AuthFormLoginRequiredLocation "/login.html?from=%{escape:%{REQUEST_URI}}"',
      'Require valid-user',
    ]),
    ...section('/dologin', [
      ...login,
      ...session,
      'SetHandler form-login-handler',
      'AuthFormLoginRequiredLocation /login.html',
      'AuthFormLoginSuccessLocation /members/page.html',
      'Require all granted',
    ]),
    ...section('/logout', [
      ...session,
      'SetHandler form-logout-handler',
      'AuthName "Members"',
      'AuthFormLogoutLocation /public.html',
      'Require all granted',
    ]),
  ]
}

/** What a client keeps: its cookie, and the last nonce of the digest. */
interface Client {
  cookie: string
  nonce: string
}

async function visit(address: string, port: number, index: number, one: Visit, client: Client): Promise<string> {
  const headers: Record<string, string> = { Host: 'www.example.org', 'X-Id': String(index), ...one.headers }
  if (one.digest !== null) headers['Authorization'] = digestOf(one, client)
  if (one.cookies === 'forgotten') client.cookie = ''
  if (client.cookie !== '') headers['Cookie'] = `company=${client.cookie}`
  const body = one.body === null ? {} : { body: one.body }
  const answer = await ask({ address, port, path: one.path, method: one.method, headers, ...body })
  if (answer === null) return 'no answer'
  const [, nonce] = /nonce="([^"]*)"/.exec(String(answer.headers['www-authenticate'] ?? '')) ?? []
  if (nonce !== undefined) client.nonce = nonce
  for (const field of answer.headers['set-cookie'] ?? []) {
    const [, value, attributes] = /^company=([^;]*)(.*)$/s.exec(field) ?? []
    if (value !== undefined) client.cookie = /;Max-Age=0(?:;|$)/.test(attributes) ? '' : value
  }
  return described(answer)
}

/** RFC 7616, by MD5 and with the quality auth. */
function digestOf({ digest, method, path }: Visit, { nonce }: Client): string {
  const md5 = (text: string): string => createHash('md5').update(text, 'latin1').digest('hex')
  const { name, password, realm } = digest ?? { name: '', password: '', realm: '' }
  const response = md5(`${md5(`${name}:${realm}:${password}`)}:${nonce}:00000001:c:auth:${md5(`${method}:${path}`)}`)
  return `Digest username="${name}", realm="${realm}", nonce="${nonce}", uri="${path}", algorithm=MD5, qop=auth, nc=00000001, cnonce="c", response="${response}"`
}

/** Without what is random: nonces, times, and encrypted sessions. */
function described({ status, headers, body }: Answer): string {
  const fields = COMPARED.flatMap((name) => {
    const value = headers[name]
    return value === undefined ? [] : [`${name}: ${JSON.stringify(value)}`]
  })
  const isOwnPage = headers['content-type']?.endsWith('charset=iso-8859-1') ?? false
  const text = [status, ...fields, isOwnPage ? '' : JSON.stringify(body)].join('; ')
  return withoutSessionEnd(text)
    .replace(/nonce=\\?"[^"\\]*/g, 'nonce=...')
    .replace(/company=[^;"]+/g, 'company=...')
}

function report(running: readonly Running[], visits: readonly Visit[], answers: readonly (readonly string[])[]): number {
  const logs = running.map((one) => loggedByRequest(one.errors().map((line) => line.replace(/nonce [^ ]+/g, 'nonce ...'))))
  const statuses = new Map<string, number>()
  let failed = 0
  for (const [index, one] of visits.entries()) {
    const [theirs, ours] = answers[index]
    statuses.set(theirs.slice(0, 3), (statuses.get(theirs.slice(0, 3)) ?? 0) + 1)
    const [theirLog, ourLog] = logs.map((log) => (log.get(String(index)) ?? []).join('\n             '))
    if (theirs === ours && theirLog === ourLog) continue
    if (++failed > Number(options.show)) continue
    console.log(
      `--- ${index}. ${JSON.stringify(one)}\n  httpd      ${theirs}\n             ${theirLog}\n  gatewright ${ours}\n             ${ourLog}`,
    )
  }
  const counted = [...statuses].sort(([a], [b]) => a.localeCompare(b)).map(([status, times]) => `${times} x ${status}`)
  console.log(`seed ${options.seed}: ${counted.join(', ')}`)
  console.log(`${visits.length - failed} passed, ${failed} failed`)
  return failed
}
