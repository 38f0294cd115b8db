import { join } from 'node:path'
import { hashSync } from 'bcryptjs'
import { MODULES, type StagedServer } from '../fixtures/staged-server.ts'
import { LARGE, type Resource, SMALL } from './resource.ts'

const FIRST = 70_000
const END = 170_000

const REFUSED: Readonly<Record<400 | 401 | 403 | 404, string>> = {
  400: 'This is no request.',
  401: 'Who are you?',
  403: 'You may not.',
  404: 'There is no such thing.',
}

/** Requested with a valid name and password. */
export const MEMBER: Resource = {
  path: '/members/right.txt',
  body: SMALL.body,
  fields: `Authorization: Basic ${btoa('anna:right')}\r\n`,
}
export const STRANGER: Resource = refused(401, '/members/stranger.txt')
/** With a wrong password, which is hashed each time. */
export const FORGETFUL: Resource = refused(401, '/members/wrong.txt', `Authorization: Basic ${btoa('anna:wrong')}\r\n`)
/** By a .htaccess file. */
export const DENIED: Resource = refused(403, '/denied/small.txt')
export const MISSING: Resource = refused(404, '/missing.txt')
export const MALFORMED: Resource = refused(400, '/malformed.txt', 'A field without a colon\r\n')
export const PART: Resource = {
  path: '/part.bin',
  body: LARGE.body.subarray(FIRST, END),
  status: 206,
  fields: `Range: bytes=${FIRST}-${END - 1}\r\n`,
}

/** The configuration that these need. */
export const GUARDED: readonly string[] = [
  ...['authn_core', 'authn_file', 'auth_basic', 'authz_user'].map(
    (name) => `LoadModule ${name}_module ${join(MODULES, `mod_${name}.so`)}`,
  ),
  ...Object.entries(REFUSED).map(([status, text]) => `ErrorDocument ${status} "${text}"`),
  '<Location /members>',
  'AuthType Basic',
  'AuthName "Members"',
  'AuthBasicProvider file',
  'AuthUserFile conf/users',
  'Require valid-user',
  '</Location>',
  // The site's section for everything would replace what .htaccess says.
  '<Location /denied>',
  'AuthMerging And',
  '</Location>',
  '<Directory "@ROOT@/htdocs">',
  'AllowOverride All',
  '</Directory>',
]

/** Writes the files that these need. */
export function prepareGuarded(server: StagedServer): void {
  server.file('conf/users', `anna:${hashSync('right', 4)}\n`)
  server.file(`htdocs${MEMBER.path}`, MEMBER.body)
  server.file(`htdocs${PART.path}`, LARGE.body)
  server.file(`htdocs${DENIED.path}`, SMALL.body)
  server.file('htdocs/denied/.htaccess', 'Require all denied\n')
}

function refused(status: keyof typeof REFUSED, path: string, fields = ''): Resource {
  return { path, status, fields, body: Buffer.from(REFUSED[status]) }
}
