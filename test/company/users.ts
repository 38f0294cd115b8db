import { createHash } from 'node:crypto'

/** Users with their passwords: those of the directory and those of the database have the same names. */
export const USERS: readonly (readonly [name: string, password: string])[] = [
  ['alice', 'alice-password'],
  ['bob', 'bob-password'],
  ['carol', 'carol pass:word'],
  ['dave', 'dave-password'],
  ["o'neil", 'neil-password'],
]

const TITLES = ['Director', 'Engineer', 'Engineer', 'Vice Director', 'Clerk']
/** Who is in the groups of the directory, and in the teams of the database. */
const STAFF = ['alice', 'bob', "o'neil"]
const TEAMS: readonly (readonly [name: string, team: string])[] = [
  ['alice', 'payroll'],
  ['bob', 'Payroll'],
  ['carol', 'the board'],
  ['dave', 'board'],
  ["o'neil", 'payroll'],
]

/** Entries below `dc=example,dc=org`. Group `all` contains group `staff`. */
export const DIRECTORY: string = [
  ...['people', 'groups'].map((ou) => `dn: ou=${ou},dc=example,dc=org\nobjectClass: organizationalUnit\nou: ${ou}\n`),
  ...USERS.map(([name, password], index) =>
    [
      `dn: uid=${name},ou=people,dc=example,dc=org`,
      'objectClass: inetOrgPerson',
      `uid: ${name}`,
      `cn: ${name} of the company`,
      'sn: Company',
      `mail: ${name}@example.org`,
      `title: ${TITLES[index]}`,
      `employeeType: ${index % 2 === 0 ? 'internal' : 'external'}`,
      `userPassword: ${password}`,
      '',
    ].join('\n'),
  ),
  group(
    'staff',
    STAFF.map((name) => `uid=${name},ou=people,dc=example,dc=org`),
  ),
  group('all', ['cn=staff,ou=groups,dc=example,dc=org', 'uid=carol,ou=people,dc=example,dc=org']),
].join('\n')

function group(name: string, members: readonly string[]): string {
  const lines = members.map((member) => `member: ${member}`)
  return [`dn: cn=${name},ou=groups,dc=example,dc=org`, 'objectClass: groupOfNames', `cn: ${name}`, ...lines, ''].join('\n')
}

/** Statements that fill the database. */
export const STATEMENTS: string = [
  'CREATE TABLE users(name TEXT, realm TEXT, hash TEXT, digest TEXT)',
  'CREATE TABLE teams(name TEXT, team TEXT)',
  ...USERS.map(([name, password]) => {
    const hash = `{SHA}${createHash('sha1').update(password).digest('base64')}`
    const digest = createHash('md5').update(`${name}:Reports:${password}`).digest('hex')
    return `INSERT INTO users VALUES(${[name, 'Reports', hash, digest].map(quoted).join(', ')})`
  }),
  ...TEAMS.map(([name, team]) => `INSERT INTO teams VALUES(${quoted(name)}, ${quoted(team)})`),
].join(';\n')

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
