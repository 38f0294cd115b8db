import { createHash } from 'node:crypto'
import type { Random } from '../fixtures/random.ts'

/** A user with a password that is right. In latin1, as sent. */
export interface Login {
  readonly name: string
  readonly password: string
}

/** Entries of a directory, and what requests and sections know of them. */
export interface RandomDirectory {
  readonly ldif: string
  readonly logins: readonly Login[]
  /** DNs of users, in the spelling of the file. */
  readonly people: readonly string[]
  /** DNs of groups. */
  readonly groups: readonly string[]
}

export const ROOT: string = 'dc=example,dc=org'
export const PEOPLE: string = `ou=people,${ROOT}`
export const GROUPS: string = `ou=groups,${ROOT}`
/** Branches that people may be in; anonymous users may not read the last. */
const BRANCHES = [PEOPLE, PEOPLE, PEOPLE, `ou=guests,${PEOPLE}`, `ou=R&D,${PEOPLE}`, `ou=a\\, b,${PEOPLE}`, `ou=closed,${ROOT}`]
export const READER: { readonly dn: string; readonly password: string } = {
  dn: `cn=reader,ou=services,${ROOT}`,
  password: 'reader-password',
}

const NAMES = [
  'alice',
  'bob',
  'carol',
  'dave',
  'erin',
  'mary jane',
  "o'neil",
  'par(en)s',
  'st*r',
  'back\\slash',
  'plus+sign',
  'comma,name',
  'semi;colon',
  '#hash',
  'equal=s',
  '<angle>',
  'quote"d',
  'j\u00fcrgen',
  'stra\u00dfe',
  '\u0130nci',
  '%s%n',
  'x%2Cy',
]
const GROUP_NAMES = [
  'staff',
  'one',
  'two',
  'three',
  'four',
  'Board, Inner',
  'two words',
  'a+b',
  'q"t',
  'loop-a',
  'loop-b',
  'caf\u00e9',
]
const TITLES = ['Engineer', 'Manager of Things', 'a=b', 'say "hi"', '%{REMOTE_USER}', 'back\\slash', 'Ing\u00e9nieur']

/** Rules of access of the directory that slapd has. */
export const ACCESS: readonly string[] = [
  'access to attrs=userPassword by anonymous auth by * none',
  `access to attrs=employeeType by dn.base="${READER.dn}" read by self read by * none`,
  `access to dn.subtree="ou=closed,${ROOT}" by dn.base="${READER.dn}" read by self read by anonymous auth by * none`,
  'access to * by * read',
]

export function randomDirectory(random: Random): RandomDirectory {
  const entries = [
    ...['people', 'groups', 'services', 'closed'].map((ou) => branch(`ou=${ou},${ROOT}`, ou)),
    branch(`ou=guests,${PEOPLE}`, 'guests'),
    branch(`ou=R&D,${PEOPLE}`, 'R&D'),
    branch(`ou=a\\, b,${PEOPLE}`, 'a, b'),
    entry(
      READER.dn,
      ['applicationProcess', 'simpleSecurityObject'],
      [
        ['cn', 'reader'],
        ['userPassword', READER.password],
      ],
    ),
  ]
  const logins: Login[] = []
  const people: string[] = []
  for (const name of NAMES) {
    if (name !== 'alice' && random.percent(20)) continue
    const made = person(random, name, random.pick(BRANCHES))
    entries.push(made.text)
    people.push(made.dn)
    for (const each of made.names) logins.push({ name: sent(each), password: made.password })
  }
  if (random.percent(60)) {
    const name = random.pick(['bob', 'erin'])
    const twin = person(random, name, `ou=twins,${PEOPLE}`)
    entries.push(branch(`ou=twins,${PEOPLE}`, 'twins'), twin.text)
    logins.push({ name, password: twin.password })
  }
  if (random.percent(50)) {
    entries.push(
      entry(
        `uid=shadow,${PEOPLE}`,
        ['alias', 'extensibleObject'],
        [
          ['uid', 'shadow'],
          ['aliasedObjectName', people[0]],
        ],
      ),
    )
    logins.push({ name: 'shadow', password: 'pw-0' })
  }
  if (random.percent(30)) {
    entries.push(
      entry(
        `ou=elsewhere,${ROOT}`,
        ['referral', 'extensibleObject'],
        [
          ['ou', 'elsewhere'],
          ['ref', `ldap://127.0.0.1:@PORT@/${PEOPLE}`],
        ],
      ),
    )
  }
  const groups = GROUP_NAMES.map((name) => `cn=${escaped(name)},${random.percent(10) ? `ou=closed,${ROOT}` : GROUPS}`)
  for (const [index, name] of GROUP_NAMES.entries()) entries.push(group(random, name, groups, index, people))
  return { ldif: entries.join('\n'), logins, people, groups: [...groups, `cn=nosuch,${GROUPS}`] }
}

interface Person {
  readonly text: string
  readonly dn: string
  readonly names: readonly string[]
  readonly password: string
}

function person(random: Random, name: string, parent: string): Person {
  const names = [name, ...(random.percent(15) ? [`${name}-2`] : [])]
  const cn = random.percent(50) ? `${name.slice(0, 1).toUpperCase()}${name.slice(1)} Able` : name
  const dn = random.percent(80) ? `uid=${escaped(name)},${parent}` : `cn=${escaped(cn)},${parent}`
  const password = random.percent(10) ? 'p\u00e4ss:w\u00f6rd' : `pw-${random.below(5)}`
  const values: [string, string][] = [...names.map((each): [string, string] => ['uid', each]), ['cn', cn], ['sn', 'Able']]
  if (cn !== 'Alice' && random.percent(10)) values.push(['cn', `${cn} the other`])
  for (const mail of random.several(0, 3, () => `${random.below(1000)}@example.org`)) values.push(['mail', mail])
  for (const title of new Set(random.several(0, 2, () => random.pick(TITLES)))) values.push(['title', title])
  if (random.percent(70)) values.push(['departmentNumber', String(10 * random.below(4))])
  if (random.percent(70)) values.push(['employeeType', random.pick(['internal', 'external'])])
  if (random.percent(40))
    values.push(['description', random.pick(['two\nlines', 'tab\there', 'nul\0inside', '\u00e9t\u00e9', 'a'.repeat(300)])])
  if (random.percent(90)) values.push(['userPassword', storedPassword(random, password)])
  return { text: entry(dn, ['inetOrgPerson'], values), dn, names: [...names, cn], password: sent(password) }
}

function storedPassword(random: Random, password: string): string {
  const bytes = Buffer.from(password, 'utf8')
  if (random.percent(40)) return password
  return random.percent(50)
    ? `{SHA}${createHash('sha1').update(bytes).digest('base64')}`
    : `{SSHA}${Buffer.concat([createHash('sha1').update(bytes).update('salt').digest(), Buffer.from('salt')]).toString('base64')}`
}

function group(random: Random, name: string, groups: readonly string[], index: number, people: readonly string[]): string {
  const dn = groups[index]
  if (random.percent(15)) {
    const members = random.several(0, 4, () => random.pick(NAMES))
    return entry(dn, ['posixGroup'], [['cn', name], ['gidNumber', String(500 + index)], ...unique('memberUid', members)])
  }
  const isUnique = random.percent(30)
  const members = random.several(1, 4, () => random.pick(people))
  const inner = random.several(0, 2, () => random.pick(groups))
  const attribute = isUnique ? 'uniqueMember' : 'member'
  const others: [string, string][] = random.percent(20)
    ? [
        ['owner', random.pick(people)],
        ['seeAlso', random.pick(groups)],
      ]
    : []
  return entry(
    dn,
    [isUnique ? 'groupOfUniqueNames' : 'groupOfNames'],
    [['cn', name], ...unique(attribute, [...members, ...inner]), ...others],
  )
}

function unique(attribute: string, values: readonly string[]): [string, string][] {
  return [...new Set(values)].map((value) => [attribute, value])
}

function branch(dn: string, ou: string): string {
  return entry(dn, ['organizationalUnit'], [['ou', ou]])
}

function entry(dn: string, classes: readonly string[], values: readonly (readonly [string, string])[]): string {
  const lines = [
    ...classes.map((name) => `objectClass: ${name}`),
    ...values.map(([name, value]) => (value.includes('@PORT@') ? `${name}: ${value}` : `${name}:: ${base64(value)}`)),
  ]
  return [`dn:: ${base64(dn)}`, ...lines, ''].join('\n')
}

/** `@PORT@` is replaced in what is not encoded. */
function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64')
}

/** A value in a DN (RFC 4514 section 2.4). */
export function escaped(value: string): string {
  return value.replace(/[,+"\\<>;=]|^[ #]| $/g, '\\$&')
}

/** In UTF-8, one character a byte. */
function sent(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}
