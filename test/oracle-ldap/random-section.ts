import type { Random } from '../fixtures/random.ts'
import { GROUPS, PEOPLE, type RandomDirectory, READER, ROOT } from './random-directory.ts'

/** Ports of the directory. */
export interface Ports {
  readonly plain: number
  readonly secure: number
}

/** Attributes whose variables are compared. */
export const ATTRIBUTES: readonly string[] = ['uid', 'cn', 'mail', 'title', 'description', 'employeeType']
/** Prefixes of the variables that are compared. */
export const PREFIXES: readonly string[] = ['AUTHENTICATE_', 'AUTHORIZE_', 'WHO_']

const NAMES_IN_LINES = [
  'alice',
  'bob carol',
  '"mary jane" erin',
  '*',
  'ALICE',
  "o'neil dave",
  'plus+sign',
  'back\\\\slash',
  'alice@example.org',
]
const EXPRESSIONS = [
  '%{HTTP:X-Who}',
  '%{REMOTE_USER}',
  '%{ldap:%{HTTP:X-Who}}',
  '%{tolower:%{REMOTE_USER}}',
  '%{ldap:%{REMOTE_USER}}',
  '%{reqenv:AUTHENTICATE_CN}',
]
const ASSERTIONS = [
  'title=Engineer',
  'title="Manager of Things"',
  "title='Manager of Things'",
  'title=a=b',
  'departmentNumber=10 departmentNumber=20',
  'departmentNumber=99 employeeType=internal',
  'employeeType=internal',
  'mail=*',
  'objectClass=inetOrgPerson',
  'objectClass=person title=x',
  'userPassword=pw-0',
  'nosuch=1',
  'title',
  'title=',
  'sn=able',
  'cn="Alice Able" cn="Bob Able"',
  'uid=%{REMOTE_USER}',
  'title=%{REMOTE_USER}',
]
const FILTERS = [
  'title=*',
  '(title=Engineer)',
  '&(uid=alice)(objectClass=*)',
  '|(uid=bob)(uid=carol)(uid=dave)',
  '!(title=*)',
  '!(employeeType=internal)',
  'departmentNumber>=20',
  'departmentNumber<=10',
  'cn~=alice',
  'cn:caseExactMatch:=alice Able',
  'mail=*@example.org',
  'uid=a*i*e',
  'cn=\\\\61lice',
  'cn=*\\\\28en\\\\29*',
  'title=(',
  'nosuch=*',
  '(uid=alice)(uid=bob)',
  'none',
  'objectClass=alias',
]
const URL_FILTERS = [
  '',
  '(objectClass=*)',
  'title=*',
  '(!(departmentNumber=20))',
  '(|(uid=a*)(employeeType=internal))',
  'none',
  '(uid=*',
  '%28title=%2a%29',
  'objectClass=inetOrgPerson',
  '(objectClass=posixGroup)',
]
const ATTRIBUTE_LISTS = [
  '',
  'uid',
  'uid,cn,mail',
  'cn,uid,title',
  'mail',
  'mail,uid',
  'UID,Mail',
  'uid,description,title,employeeType',
  'nosuch',
  'uid,nosuch',
  'sn',
  'uid,uid',
  'objectClass',
  'uid,dn',
  'uid,*',
]
const SCOPES = ['', 'sub', 'one', 'base', 'SUB', 'subtree']
const BASES = [
  PEOPLE,
  PEOPLE,
  PEOPLE,
  PEOPLE,
  ROOT,
  GROUPS,
  `ou=guests,${PEOPLE}`,
  `OU=People, ${ROOT}`,
  `ou=R%26D,${PEOPLE}`,
  `uid=alice,${PEOPLE}`,
  `ou=nowhere,${ROOT}`,
  '',
  'no dn',
]

/** AuthLDAPURL, with any of its parts. */
export function randomUrl(random: Random, { plain, secure }: Ports): string {
  const parts = [
    random.pick(BASES),
    random.percent(50) ? 'uid' : random.pick(ATTRIBUTE_LISTS),
    random.pick(SCOPES),
    random.percent(60) ? '' : random.pick(URL_FILTERS),
  ]
  const text = parts.join('?').replace(/\?+$/, '')
  const way = random.below(20)
  if (way === 0) return `"ldaps://127.0.0.1:${secure}/${text}"`
  if (way === 1) return `"ldap://127.0.0.1:${plain}/${text}" ${random.pick(['STARTTLS', 'TLS', 'starttls'])}`
  if (way === 2) return `"ldap://127.0.0.1:${secure}/${text}" SSL`
  if (way === 3) return `"ldap://127.0.0.1:1 127.0.0.1:${plain}/${text}"`
  return `"ldap://127.0.0.1:${plain}/${text}"${random.percent(10) ? ' NONE' : ''}`
}

/** Lines for users and groups of the directory. */
export function randomSection(random: Random, directory: RandomDirectory, ports: Ports): string[] {
  const lines = ['AuthType Basic', 'AuthName oracle', `AuthBasicProvider ${randomProviders(random)}`]
  if (random.percent(96)) lines.push(`AuthLDAPURL ${randomUrl(random, ports)}`)
  lines.push(...randomOptions(random))
  if (random.percent(10)) lines.push(`AuthBasicAuthoritative ${random.pick(['Off', 'On'])}`)
  if (random.percent(10)) lines.push('AuthzSendForbiddenOnFailure On')
  if (random.percent(8))
    lines.push('Order deny,allow', 'Deny from all', 'Allow from 127.0.0.5', `Satisfy ${random.pick(['Any', 'All'])}`)
  const count = 1 + random.below(3)
  for (let index = 0; index < count; index++) lines.push(...term(random, directory, 0, false))
  return lines
}

/** Aliases of providers, which sections name. */
export function randomAliases(random: Random, directory: RandomDirectory, ports: Ports): string[] {
  // An alias is about a user, and its text is in quotes.
  const requirement = (): string => {
    for (;;) {
      const text = leaf(random, directory)
      if (/^ldap-(?!search)[a-z]+ [^"]*$/.test(text)) return text
    }
  }
  const alias = (section: string, end: string): string[] => [
    section,
    `AuthLDAPURL ${randomUrl(random, ports)}`,
    ...randomOptions(random),
    `</${end}>`,
  ]
  return [
    ...['people', 'guests'].flatMap((name) => alias(`<AuthnProviderAlias ldap ${name}>`, 'AuthnProviderAlias')),
    ...['crew', 'friends', 'board'].flatMap((name) => {
      const [provider, ...words] = requirement().split(' ')
      return alias(`<AuthzProviderAlias ${provider} ${name} "${words.join(' ')}">`, 'AuthzProviderAlias')
    }),
  ]
}

function randomProviders(random: Random): string {
  return random.percent(60)
    ? 'ldap'
    : random.pick(['ldap file', 'file ldap', 'people ldap', 'ldap guests', 'people guests file', 'file'])
}

function randomOptions(random: Random): string[] {
  const lines: string[] = []
  const add = (share: number, make: () => string): void => {
    if (random.percent(share)) lines.push(...make().split('\n'))
  }
  const onOff = (): string => random.pick(['On', 'Off'])
  add(20, () => `AuthLDAPBindDN "${READER.dn}"\nAuthLDAPBindPassword ${random.percent(90) ? READER.password : 'wrong'}`)
  add(20, () => `AuthLDAPBindAuthoritative ${onOff()}`)
  add(15, () => `AuthLDAPCompareDNOnServer ${onOff()}`)
  add(12, () => `AuthLDAPDereferenceAliases ${random.pick(['never', 'searching', 'finding', 'always'])}`)
  add(
    15,
    () =>
      `AuthLDAPGroupAttribute ${random.pick(['member', 'uniqueMember', 'memberUid', 'owner', 'member owner', 'nosuch', 'memberUid member'])}`,
  )
  add(15, () => `AuthLDAPGroupAttributeIsDN ${onOff()}`)
  add(20, () => `AuthLDAPMaxSubGroupDepth ${random.pick(['0', '1', '2', '3', '11', '-1', 'x'])}`)
  add(8, () => `AuthLDAPSubGroupAttribute ${random.pick(['member', 'uniqueMember', 'seeAlso', 'seeAlso member'])}`)
  add(8, () => `AuthLDAPSubGroupClass ${random.pick(['groupOfUniqueNames', 'GROUPOFNAMES', 'inetOrgPerson', 'posixGroup'])}`)
  add(15, () => `AuthLDAPRemoteUserIsDN ${onOff()}`)
  add(15, () => `AuthLDAPRemoteUserAttribute ${random.pick(['uid', 'cn', 'mail', 'Mail', 'title', 'nosuch', 'description'])}`)
  add(10, () => `AuthLDAPAuthorizePrefix ${random.pick(['WHO_', 'AUTHENTICATE_'])}`)
  add(8, () => `AuthLDAPInitialBindAsUser ${onOff()}`)
  add(
    8,
    () =>
      `AuthLDAPInitialBindPattern ${random.pick([`"(.+)" "uid=$1,${PEOPLE}"`, `"^([a-z]+)$" "uid=$1,${PEOPLE}"`, `"(\\\\w+) (\\\\w+)" "uid=$1 $2,${PEOPLE}"`])}`,
  )
  add(8, () => `AuthLDAPSearchAsUser ${onOff()}`)
  add(8, () => `AuthLDAPCompareAsUser ${onOff()}`)
  return lines
}

/** `not` and RequireNone belong into RequireAll. */
function term(random: Random, directory: RandomDirectory, depth: number, isNegatable: boolean): string[] {
  if (depth >= 3 || random.percent(depth === 0 ? 50 : 65))
    return [`Require ${isNegatable && random.percent(25) ? 'not ' : ''}${leaf(random, directory)}`]
  const kind = random.pick(['RequireAll', 'RequireAll', 'RequireAny', isNegatable ? 'RequireNone' : 'RequireAny'])
  const isAll = kind === 'RequireAll'
  const inner = random.several(1, 3, () => term(random, directory, depth + 1, isAll)).flat()
  return [`<${kind}>`, ...inner, ...(isAll ? [`Require ${leaf(random, directory)}`] : []), `</${kind}>`]
}

function leaf(random: Random, directory: RandomDirectory): string {
  const expression = (): string => random.pick(EXPRESSIONS)
  const kinds: readonly (readonly [number, () => string])[] = [
    [3, () => 'valid-user'],
    [2, () => `user ${random.pick(['alice', 'alice "mary jane" bob', `"uid=alice,${PEOPLE}"`, '"Alice Able"'])}`],
    [4, () => `ldap-user ${random.percent(80) ? random.pick(NAMES_IN_LINES) : expression()}`],
    [
      7,
      () => `ldap-group ${random.percent(80) ? inLine(random, random.pick(directory.groups)) : `cn=${expression()},${GROUPS}`}`,
    ],
    [1, () => `ldap-group ${random.pick(['nonsense', PEOPLE, `uid=alice,${PEOPLE}`, `"cn=staff,${GROUPS}"`])}`],
    [4, () => `ldap-dn ${random.percent(80) ? inLine(random, random.pick(directory.people)) : `uid=${expression()},${PEOPLE}`}`],
    [4, () => `ldap-attribute ${random.pick(ASSERTIONS)}`],
    [4, () => `ldap-filter ${random.percent(80) ? random.pick(FILTERS) : `uid=${expression()}`}`],
    [
      2,
      () =>
        `ldap-search ${random.pick(['uid=alice', '(uid=nobody)', 'uid=%{HTTP:X-Who}', 'uid=%{ldap:%{HTTP:X-Who}}', '(objectClass=*)', 'title=('])}`,
    ],
    [1, () => random.pick(['crew', 'friends', 'board'])],
    [
      3,
      () => random.pick(['ip 127.0.0.5', 'env flag', 'method GET', 'all denied', 'all granted', "expr %{REMOTE_USER} == 'bob'"]),
    ],
  ]
  const total = kinds.reduce((sum, [weight]) => sum + weight, 0)
  let rest = random.below(total)
  for (const [weight, make] of kinds) {
    rest -= weight
    if (rest < 0) return make()
  }
  return 'all denied'
}

/** A DN as a line may have it: a backslash is doubled, because the line is an expression. */
function inLine(random: Random, dn: string): string {
  const way = random.below(10)
  if (way === 0) return dn
  if (way === 1) return dn.toUpperCase().replaceAll('\\', '\\\\')
  if (way === 2) return dn.replaceAll(',ou=', ', ou=').replaceAll('\\', '\\\\')
  if (way === 3)
    return dn.replace(/\\([,+"<>;=\\])/g, (_, mark: string) => `\\\\${mark.charCodeAt(0).toString(16).toUpperCase()}`)
  return dn.replaceAll('\\', '\\\\')
}
