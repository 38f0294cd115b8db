import { createHash } from 'node:crypto'
import type { Random } from '../fixtures/random.ts'

/** A user of the table, with the password that a request may send. */
export interface User {
  readonly name: string
  readonly password: string
}

/** Statements that fill a database, and who may be in it. */
export interface World {
  readonly sql: string
  readonly users: readonly User[]
}

const NAMES = [
  'alice',
  'bob',
  "o'neil",
  'Alice',
  'per%cent',
  'under_score',
  'mary jane',
  'j\u00fcrgen',
  'quote"d',
  'back\\slash',
  'semi;colon',
]
/** Names that are in no table. */
const STRANGERS = [
  "' OR '1'='1",
  "alice' --",
  '%',
  '_lice',
  '?',
  '?1',
  '$1',
  '%s',
  'ALICE',
  '',
  ' alice',
  "x'; DROP TABLE users; --",
]
const GROUPS = ['staff', 'Staff', 'admins', 'guests', 'ops team']

export function randomWorld(random: Random): World {
  const users: User[] = []
  const rows: string[] = []
  for (const name of NAMES) {
    if (random.percent(20)) continue
    const copies = random.percent(20) ? 2 : 1
    for (let copy = 0; copy < copies; copy++) {
      const password = `pw-${random.below(5)}`
      users.push({ name, password })
      const mail = random.percent(30) ? 'NULL' : quoted(`${random.below(100)}@example.org`)
      rows.push(`INSERT INTO users VALUES(${quoted(name)}, ${storedHash(random, password)}, ${mail}, ${random.below(90)})`)
    }
    for (const group of random.several(0, 3, () => random.pick(GROUPS)))
      rows.push(`INSERT INTO teams VALUES(${quoted(name)}, ${quoted(group)})`)
    if (random.percent(70)) rows.push(`INSERT INTO logins VALUES(${quoted(name)}, 'out')`)
    if (random.percent(50))
      rows.push(
        `INSERT INTO pages VALUES(${quoted(name)}, ${random.percent(20) ? 'NULL' : quoted(`/welcome/${random.below(9)}`)})`,
      )
  }
  const tables =
    'CREATE TABLE users(name TEXT, hash TEXT, mail TEXT, age INTEGER); CREATE TABLE teams(name TEXT, team TEXT); CREATE TABLE logins(name TEXT, state TEXT); CREATE TABLE pages(name TEXT, url TEXT)'
  return { sql: `${[tables, ...rows].join(';\n')};`, users }
}

function storedHash(random: Random, password: string): string {
  const kind = random.below(10)
  if (kind === 0) return 'NULL'
  if (kind === 1) return "''"
  if (kind === 2) return quoted(password)
  return quoted(`{SHA}${createHash('sha1').update(password).digest('base64')}`)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

const PASSWORD_QUERIES = [
  'SELECT hash FROM users WHERE name = %s',
  'SELECT hash FROM users WHERE name = %s ORDER BY age DESC',
  'SELECT hash FROM users WHERE name = %s ORDER BY hash LIMIT 1',
  'SELECT hash, mail, age, name AS \\"the name\\" FROM users WHERE name = %s',
  "SELECT hash FROM users WHERE name = '%s'",
  'SELECT hash FROM users WHERE name LIKE %s',
  'SELECT hash FROM users WHERE lower(name) = lower(%s)',
  'SELECT hash FROM users WHERE name = %s AND name = %s',
  "SELECT hash FROM users WHERE name = 'alice'",
  'SELECT NULL, mail FROM users WHERE name = %s',
  "SELECT hash FROM users WHERE '%%' || name = '%%' || %s",
  "SELECT hash FROM users WHERE name = %s -- it's a comment",
  'SELECT hash FROM users WHERE age = (SELECT max(age) FROM users WHERE name = %s)',
]
const GROUP_QUERIES = [
  'SELECT team FROM teams WHERE name = %s',
  'SELECT team, name FROM teams WHERE name = %s ORDER BY team',
  "SELECT team FROM teams WHERE name = '%s'",
  'SELECT team FROM teams WHERE name = %s AND team <> %s',
  "SELECT 'staff'",
  'SELECT name FROM teams WHERE name = %s',
]
const LOGIN_QUERIES = ["UPDATE logins SET state = 'in' WHERE name = %s", "UPDATE logins SET state = 'in' WHERE name = '%s'"]

/** The lines of a section. */
export function randomSection(random: Random): string[] {
  const lines = ['AuthType Basic', 'AuthName oracle', 'AuthBasicProvider dbd']
  if (random.percent(95)) lines.push(`AuthDBDUserPWQuery "${random.pick(PASSWORD_QUERIES)}"`)
  const kind = random.below(10)
  if (kind < 2) return [...lines, 'Require valid-user']
  if (kind < 4) return [...lines, ...login(random)]
  if (random.percent(95)) lines.push(`AuthzDBDQuery "${random.pick(GROUP_QUERIES)}"`)
  return [...lines, ...requirements(random, 0)]
}

function login(random: Random): string[] {
  const lines = [`AuthzDBDQuery "${random.pick(LOGIN_QUERIES)}"`, `Require ${random.pick(['dbd-login', 'dbd-logout'])}`]
  if (random.percent(50)) lines.push('AuthzDBDRedirectQuery "SELECT url FROM pages WHERE name = %s"')
  if (random.percent(40)) lines.push(`AuthzDBDLoginToReferer ${random.pick(['On', 'Off'])}`)
  return lines
}

function requirements(random: Random, depth: number): string[] {
  const groups = random.several(1, 2, () => random.pick([...GROUPS, '%{REMOTE_USER}', '"ops team"', 'nosuch'])).join(' ')
  const simple = [`Require dbd-group ${groups}`, 'Require valid-user', 'Require user alice bob', 'Require ip 127.0.0.9']
  if (depth > 1 || random.percent(50)) return [random.percent(70) ? `Require dbd-group ${groups}` : random.pick(simple)]
  const container = random.pick(['RequireAll', 'RequireAny'])
  const inner = random.several(1, 3, () => requirements(random, depth + 1)).flat()
  const negated =
    container === 'RequireAll' && random.percent(40) ? [`Require not dbd-group ${random.pick(GROUPS)}`, 'Require valid-user'] : []
  return [`<${container}>`, ...inner, ...negated, `</${container}>`]
}

/** Who asks. */
export function randomLogin(random: Random, users: readonly User[]): User {
  const kind = random.below(10)
  if (kind === 0 || users.length === 0) return { name: random.pick(STRANGERS), password: 'pw-0' }
  const user = random.pick(users)
  return kind < 8 ? user : { ...user, password: random.pick(['', 'wrong', 'pw-0', user.name]) }
}
