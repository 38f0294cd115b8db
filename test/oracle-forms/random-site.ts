import type { Random } from '../fixtures/random.ts'

/** How the sessions of a site are kept. */
export type Keeping = 'cookie' | 'encrypted' | 'database'

/** A site with pages for members, a login, a logout, and an application. */
export interface RandomSite {
  readonly keeping: Keeping
  /** Lines of the sections below `/eN`; `@AT@` is that path. */
  readonly lines: readonly string[]
  /** Names of fields of the form: user, password, location, method, type, body. */
  readonly fields: readonly string[]
}

/** Users of the site, with the passwords of `USERS_FILE`. */
export const USERS: readonly (readonly [string, string])[] = [
  ['alice', 'alice-password'],
  ['bob', 'b\u00f6b & co=1'],
  ['mary jane', 'mary+jane%20'],
  ['a&b=c', ''],
]

const NAMES = ['httpd_username', 'httpd_password', 'httpd_location', 'httpd_method', 'httpd_mimetype', 'httpd_body'] as const
const DIRECTIVES = ['Username', 'Password', 'Location', 'Method', 'Mimetype', 'Body'] as const
const OTHER_NAMES = ['user', 'Pass-Word', 'go to', 'm', 't', 'b+b']

const ATTRIBUTES = ['path=/', 'path=/;HttpOnly', 'path=/;Secure;SameSite=Lax', 'path=@AT@/;domain=oracle.example', '']
const LOCATIONS = [
  '@AT@/form.html',
  'http://oracle.example/other',
  '@AT@/form.html?from=%{escape:%{REQUEST_URI}}',
  '@AT@/form.html?user=%{REMOTE_USER}',
  '%{HTTP:X-Go}',
  'https://other.example/%{SERVER_NAME}',
]

export function randomSite(random: Random): RandomSite {
  const keeping = random.pick<Keeping>(['cookie', 'cookie', 'encrypted', 'database'])
  const fields: string[] = [...NAMES]
  const form = ['AuthType form', 'AuthName "a realm"', ...formLines(random, fields)]
  const session = sessionLines(random, keeping)
  // Cookies of an application that still has the former passphrase.
  const former = session.map((line) => line.replace('second-passphrase-16 first-passphrase-of-16', 'first-passphrase-of-16'))
  const common = [...form, ...session]
  const requirement = random.pick(['valid-user', 'valid-user', 'user alice "mary jane"', 'group', 'none'])
  const requirements =
    requirement === 'group'
      ? ['<RequireAll>', 'Require valid-user', 'Require not user bob', '</RequireAll>']
      : [requirement === 'none' ? 'Require all granted' : `Require ${requirement}`]
  return {
    keeping,
    fields,
    lines: [
      ...section('members', [...common, ...requirements, ...(random.percent(40) ? ['SetHandler reflector'] : [])]),
      ...section('login', [
        ...common,
        'SetHandler form-login-handler',
        ...(random.percent(70) ? [`AuthFormLoginSuccessLocation "${random.pick(LOCATIONS)}"`] : []),
        random.percent(80) ? 'Require all granted' : 'Require valid-user',
      ]),
      ...section('logout', [
        ...session,
        'SetHandler form-logout-handler',
        ...(random.percent(85) ? ['AuthName "a realm"'] : []),
        ...(random.percent(20) ? ['AuthType form'] : []),
        ...(random.percent(60) ? [`AuthFormLogoutLocation "${random.pick(LOCATIONS)}"`] : []),
        ...(random.percent(30) ? ['SessionMaxAge 1'] : []),
        'Require all granted',
      ]),
      ...section('app', [...(random.percent(50) ? former : session), 'SetHandler send-as-is', 'Require all granted']),
    ],
  }
}

function formLines(random: Random, fields: string[]): string[] {
  const lines = [
    `AuthFormProvider ${random.pick(['file', 'file', 'file anon'])}`,
    'Anonymous anonymous',
    'Anonymous_MustGiveEmail Off',
  ]
  for (const [index, directive] of DIRECTIVES.entries()) {
    if (!random.percent(25)) continue
    fields[index] = OTHER_NAMES[index]
    lines.push(`AuthForm${directive} "${OTHER_NAMES[index]}"`)
  }
  const add = (share: number, line: () => string): void => void (random.percent(share) && lines.push(line()))
  add(40, () => `AuthFormLoginRequiredLocation "${random.pick(LOCATIONS)}"`)
  add(30, () => `AuthFormLoginSuccessLocation "${random.pick(LOCATIONS)}"`)
  add(20, () => `AuthFormSitePassphrase ${random.pick(['secret', '"two words"'])}`)
  add(30, () => `AuthFormFakeBasicAuth ${random.pick(['On', 'Off'])}`)
  add(30, () => `AuthFormDisableNoStore ${random.pick(['On', 'Off'])}`)
  add(15, () => `AuthFormSize ${random.pick(['20', '60', '1000'])}`)
  // A form longer than a size above 0 ends the process of httpd.
  add(15, () => `KeptBodySize ${random.pick(['0', '5000'])}`)
  add(25, () => 'AuthzSendForbiddenOnFailure On')
  return lines
}

function sessionLines(random: Random, keeping: Keeping): string[] {
  const attributes = random.pick(ATTRIBUTES)
  const two = random.percent(10) ? '2' : ''
  const lines = [
    'Session On',
    'SessionEnv On',
    `Session${keeping === 'database' ? 'DBD' : ''}CookieName${two} sid ${attributes}`.trimEnd(),
  ]
  if (keeping === 'encrypted') {
    lines.push(
      `SessionCryptoPassphrase ${random.pick(['first-passphrase-of-16', 'second-passphrase-16 first-passphrase-of-16'])}`,
    )
    if (random.percent(40)) lines.push(`SessionCryptoCipher ${random.pick(['aes128', 'aes192', 'aes256', '3des192'])}`)
  }
  const add = (share: number, line: () => string): void => void (random.percent(share) && lines.push(line()))
  add(35, () => `SessionMaxAge ${random.pick(['100', '0', '3600'])}`)
  add(30, () => `SessionExpiryUpdateInterval ${random.pick(['50', '0', '5000'])}`)
  add(50, () => 'SessionHeader X-Replace-Session')
  add(10, () => `SessionInclude @AT@/${random.pick(['members', 'm', ''])}`)
  add(10, () => `SessionExclude @AT@/${random.pick(['members/open', 'app', 'login'])}`)
  add(25, () => `Session${keeping === 'database' ? 'DBD' : ''}CookieRemove ${random.pick(['On', 'Off'])}`)
  return lines
}

function section(name: string, lines: readonly string[]): string[] {
  return [`<Location "@AT@/${name}">`, ...lines, '</Location>']
}
