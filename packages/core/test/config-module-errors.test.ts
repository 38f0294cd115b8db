import accessCompat from 'mod_access_compat'
import authBasic from 'mod_auth_basic'
import authnCore from 'mod_authn_core'
import authzCore from 'mod_authz_core'
import authzHost from 'mod_authz_host'
import authzUser from 'mod_authz_user'
import version from 'mod_version'
import t from 'tap'
import { refusal } from './support/refusal.ts'

const modules = [authzCore, authzHost, authzUser, authnCore, authBasic, accessCompat, version]
const inside = (line: string): string => `<Directory />\n${line}\n</Directory>`
const INVALID_VERSION =
  'Version appears to be invalid. It must have the format major[.minor[.patch]] where major, minor and patch are numbers.'
const withoutHints = (lines: readonly string[]): string[] => lines.filter((line) => !line.startsWith('hint: '))
const NEGATIVE = 'negative Require directive has no effect in <RequireAny> directive'

/** Errors with the directives of modules: lines, the number of the reported line, the message. */
const REFUSED: readonly (readonly [string, number, string])[] = [
  ['Require all granted', 1, 'Require not allowed here'],
  ['AuthType Basic', 1, 'AuthType not allowed here'],
  ['Order allow,deny', 1, 'order not allowed here'],
  ['<VirtualHost *>\nRequire all granted\n</VirtualHost>', 2, 'Require not allowed in <VirtualHost> context'],
  [inside('Require'), 2, 'Unknown Authz provider: '],
  [inside('Require foo'), 2, 'Unknown Authz provider: foo'],
  [inside('Require ip 1.2.3.999'), 2, "ip address '1.2.3.999' appears to be invalid: The specified IP address is invalid."],
  [inside('Require ip foo'), 2, "ip address 'foo' appears to be invalid"],
  [inside('Require ip'), 2, "'require ip' requires an argument"],
  [inside('Require all foo'), 2, "Argument for 'Require all' must be 'granted' or 'denied'"],
  [inside('Require method FOO'), 2, "Invalid Method 'FOO'"],
  [inside('Require not ip 1.2.3.4'), 2, NEGATIVE],
  [inside('<RequireAny>\nRequire all granted\nRequire not ip 1.2.3.4\n</RequireAny>'), 4, NEGATIVE],
  [
    inside('<RequireNone>\nRequire all granted\n</RequireNone>'),
    2,
    '<RequireNone> directive has no effect in <RequireAny> directive',
  ],
  [inside('<RequireAll>\n</RequireAll>'), 2, '<RequireAll> directive contains no authorization directives'],
  [inside('<RequireAll foo>\nRequire all granted\n</RequireAll>'), 2, "<RequireAll> directive doesn't take additional arguments"],
  [inside('<RequireAll>\nOptions None\n</RequireAll>'), 3, 'Options not allowed in <RequireAll> context'],
  [inside('AuthMerging foo'), 2, 'AuthMerging must be one of: Off | And | Or'],
  [inside('Order foo'), 2, 'unknown order'],
  [inside('Order deny, allow'), 2, 'order takes one argument, '],
  [inside('Order'), 2, 'order takes one argument, '],
  [inside('Allow all'), 2, 'allow requires at least two arguments, '],
  [inside('Allow from'), 2, 'allow requires at least two arguments, '],
  [inside('Allow to all'), 2, "allow and deny must be followed by 'from'"],
  [inside('Allow from 1.2.3.4/99'), 2, 'The specified network mask is invalid.'],
  [inside('Allow from 1.2.3.999'), 2, 'The specified IP address is invalid.'],
  [inside('Satisfy foo'), 2, "Satisfy either 'any' or 'all'."],
  [inside('AuthBasicProvider foo'), 2, 'Unknown Authn provider: foo'],
  ['<IfVersion>\n</IfVersion>', 1, INVALID_VERSION],
  ['<IfVersion >= foo>\n</IfVersion>', 1, INVALID_VERSION],
  ['<IfVersion ?? 2.4>\n</IfVersion>', 1, "unrecognized operator '??'"],
  ['<IfVersion 2.4\n</IfVersion>', 1, "<IfVersion> directive missing closing '>'"],
]

for (const [config, line, message] of REFUSED) {
  t.test(`${JSON.stringify(config)} is refused`, async (t) => {
    const refused = await refusal(config, { modules })
    t.match(refused, { phase: config.startsWith('<IfVersion') ? 'read' : 'walk', file: 'ROOT/conf/httpd.conf', line })
    t.equal(message.endsWith(', ') ? refused.message.slice(0, message.length) : refused.message, message)
  })
}

t.test('an expression in a Require line that does not parse is refused', async (t) => {
  const refused = await refusal(inside('Require expr foo =='), { modules })
  t.match(refused, { line: 2, message: /^Cannot parse expression in require line: \S/ })
})

t.test('a RequireAll of nothing but negations is found after the whole tree was bound, and names no line', async (t) => {
  const refused = await refusal(inside('<RequireAll>\nRequire not ip 1.2.3.4\n</RequireAll>'), { modules })
  t.equal(refused.phase, 'start')
  t.strictSame(withoutHints(refused.console), [
    'AH01624: <RequireAll> directive contains only negative authorization directives',
    'AH00014: Configuration check failed',
  ])
})

t.test('without its module a directive or provider is unknown, and a hint names the module', async (t) => {
  const unknown = (name: string): string =>
    `Invalid command '${name}', perhaps misspelled or defined by a module not included in the server configuration`
  for (const [line, module] of [
    ['Require all granted', 'authz_core'],
    ['Order allow,deny', 'access_compat'],
    ['AuthType Basic', 'authn_core'],
    ['DirectoryIndex x', 'dir'],
  ]) {
    const [name] = line.split(' ')
    t.match(await refusal(inside(line)), {
      line: 2,
      message: unknown(name),
      hint: `${name} belongs to mod_${module}: LoadModule ${module}_module modules/mod_${module}.so`,
    })
  }
  t.match(await refusal(inside('Require ip 1.2.3.4'), { modules: [authzCore] }), {
    line: 2,
    message: 'Unknown Authz provider: ip',
  })
  t.match(await refusal(inside('AuthBasicProvider dbm'), { modules: [authBasic] }), {
    line: 2,
    message: 'Unknown Authn provider: dbm',
  })
})
