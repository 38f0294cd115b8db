import type { Random } from '../fixtures/random.ts'

/** A policy: lines of the server's files, and .htaccess files by their folders. */
export interface Policy {
  readonly lines: readonly string[]
  readonly htaccess: Readonly<Record<string, string>>
}

/** A request of a client. */
export interface Visit {
  /** Whether the client speaks TLS. */
  readonly secured: boolean
  readonly method: string
  readonly host: string
  /** As sent. */
  readonly target: string
  /** The client's address, on loopback. */
  readonly client: string
  readonly headers: Readonly<Record<string, string>>
  /** Whether servers read the path differently, so that it is refused for other servers. */
  readonly isAmbiguous: boolean
}

/** With the passwords of the users. */
export const USERS: readonly string[] = ['alice', 'bob', 'carol']
export const GROUPS = 'staff: alice bob\nadmins: alice\n'
export const CLIENTS: readonly string[] = ['127.0.0.2', '127.0.0.3', '127.0.7.4', '127.1.0.5']
export const HOSTS: readonly string[] = ['one.test', 'two.test', 'three.test']
/** A host without a virtual host. */
export const OTHER_HOST = 'other.test'
const PATHS = [
  '/',
  '/a',
  '/a/',
  '/a/b',
  '/a/b/c.html',
  '/a/secret.txt',
  '/d/e',
  '/d/e/f',
  '/d/x%20y',
  '/A',
  '/a/b%2ehtml',
  '/d/e?x=1&y=/a',
]
const AMBIGUOUS = [
  '/d/../a',
  '/a/./b',
  '/d/%2e%2e/a',
  '/d%2fe',
  '//a',
  '/d//e',
  '/d/e;x',
  '/d%5ce',
  '/d/%252e%252e/a',
  '/a/..',
  '/d%2Fe',
  '/a%00b',
]
const FORGED: Readonly<Record<string, string>> = {
  'X-Original-URL': 'http://one.test/',
  'X-Original-Method': 'OPTIONS',
  'X-Forwarded-Method': 'OPTIONS',
  'X-Forwarded-Uri': '/',
  'X-Forwarded-For': '127.0.0.2',
  'X-Forwarded-Host': 'one.test',
  'X-Real-IP': '127.0.0.2',
  Forwarded: 'for=127.0.0.2',
  'X-User': 'alice',
}

/** Folders that have .htaccess files in some policies; those below the document root. */
export const FOLDERS: readonly string[] = ['a', 'a/b', 'd', 'd/e']

export function randomPolicy(random: Random): Policy {
  const lines: string[] = []
  const count = 1 + random.below(4)
  for (let index = 0; index < count; index++) lines.push(...section(random))
  for (const host of HOSTS.slice(0, random.below(3))) {
    lines.push('<VirtualHost *:*>', `ServerName ${host}`, 'DocumentRoot "@ROOT@/docs"', ...section(random), '</VirtualHost>')
  }
  const htaccess: Record<string, string> = {}
  for (const folder of FOLDERS) if (random.below(3) === 0) htaccess[folder] = `${rules(random).join('\n')}\n`
  return { lines, htaccess }
}

function section(random: Random): readonly string[] {
  const path = random.pick(['/', '/a', '/a/b', '/d', '/d/e'])
  const [open, close] = random.pick([
    [`<Location "${path}">`, '</Location>'],
    [`<LocationMatch "^${path}(/|$)">`, '</LocationMatch>'],
    [`<Directory "@ROOT@/docs${path === '/' ? '' : path}">`, '</Directory>'],
    ['<Files "*.txt">', '</Files>'],
    // Not for questions, whose URI begins with /-decide.
    [`<If "%{REQUEST_URI} =~ m#^${path}(?!-)#">`, '</If>'],
  ] as const)
  return [open, ...rules(random, path === '/'), close]
}

/** @param forQuestions whether the rules hold for the endpoints, too, whose own section takes most of them back */
function rules(random: Random, forQuestions = false): readonly string[] {
  switch (random.below(8)) {
    case 0:
      return ['Require all denied']
    case 1:
      return [
        'RewriteEngine On',
        random.pick([
          'RewriteRule secret - [F]',
          'RewriteRule ^ https://login.test/ [R=302,L]',
          'RewriteCond %{REMOTE_ADDR} ^127\\.1\\.\nRewriteRule . - [F]',
          'RewriteCond %{HTTPS} off\nRewriteRule ^ https://secured.test/ [R=302,L]',
        ]),
      ]
    case 2:
      return [
        'Order allow,deny',
        `Allow from ${network(random)}`,
        ...(random.below(2) === 0 ? [`Deny from ${network(random)}`] : []),
      ]
    case 3:
      // No section can take it back, and questions are asked without TLS.
      if (random.below(3) === 0 && !forQuestions) return ['SSLRequireSSL']
      return ['SetEnvIf X-Flag ^yes$ flag', 'Require env flag']
    case 4:
      return [
        '<Limit POST DELETE>',
        requirement(random),
        '</Limit>',
        ...(random.below(2) === 0 ? ['<LimitExcept POST>', requirement(random), '</LimitExcept>'] : []),
      ]
    case 5: {
      const container = random.pick(['RequireAny', 'RequireAll'])
      return [
        ...login(),
        `<${container}>`,
        requirement(random),
        ...(random.below(2) === 0 ? ['Require user alice'] : []),
        requirement(random),
        `</${container}>`,
      ]
    }
    default:
      return [...login(), requirement(random)]
  }
}

function login(): readonly string[] {
  return ['AuthType Basic', 'AuthName zone', 'AuthBasicProvider file', 'AuthUserFile users', 'AuthGroupFile groups']
}

function requirement(random: Random): string {
  return random.pick([
    'Require valid-user',
    'Require user bob carol',
    'Require group staff',
    'Require group admins',
    `Require ip ${network(random)}`,
    'Require all granted',
    'Require method GET HEAD',
    'Require ssl',
    'Require expr "%{HTTPS} == \'on\'"',
    'Require expr "%{REQUEST_SCHEME} == \'https\'"',
    'Require expr "%{HTTP_HOST} == \'one.test\' || %{QUERY_STRING} =~ /x=1/"',
    'Require expr "%{REQUEST_METHOD} != \'DELETE\'"',
  ])
}

function network(random: Random): string {
  return random.pick(['127.0.0.2', '127.0.0.0/24', '127.0.0.0/16', '127.1', '10.0.0.0/8'])
}

export function randomVisit(random: Random): Visit {
  const isAmbiguous = random.below(6) === 0
  const headers: Record<string, string> = {}
  if (random.below(2) === 0) {
    const user = random.pick([...USERS, 'nobody'])
    const password = random.below(5) === 0 ? 'wrong' : `${user}-password`
    headers.Authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  }
  if (random.below(3) === 0) headers['X-Flag'] = random.pick(['yes', 'no'])
  for (const [name, value] of Object.entries(FORGED)) if (random.below(6) === 0) headers[name] = value
  return {
    secured: random.below(2) === 0,
    method: random.pick(['GET', 'GET', 'GET', 'HEAD', 'POST', 'DELETE']),
    host: random.pick([...HOSTS, OTHER_HOST]),
    target: random.pick(isAmbiguous ? AMBIGUOUS : PATHS),
    client: random.pick(CLIENTS),
    headers,
    isAmbiguous,
  }
}
