import { site } from '@gatewright/testing'
import t from 'tap'
import { openModule, wordsModule } from './support/modules.ts'
import { refusal } from './support/refusal.ts'

const CONTAINERS = '<RequireAny>, <RequireAll> and <RequireNone>'

/** The directives that 2.4 removed, because of the order of authorization modules, and their replacements. */
const GONE_AUTHORITATIVE: Readonly<Record<string, string>> = {
  AuthzLDAPAuthoritative: `combine Require lines with ${CONTAINERS}`,
  AuthzDBDAuthoritative: `combine Require lines with ${CONTAINERS}`,
  AuthzDBMAuthoritative: `combine Require dbm-group and others with ${CONTAINERS}`,
  AuthzGroupFileAuthoritative: `combine Require group and others with ${CONTAINERS}`,
  AuthzUserAuthoritative: `combine Require user and others with ${CONTAINERS}`,
  AuthzOwnerAuthoritative: `combine Require file-owner and others with ${CONTAINERS}`,
  AuthzDefaultAuthoritative: 'remove the line; access is denied unless a Require line grants it',
}

/** A line that no loaded module knows, and the advice that follows the message. */
const HINTS: readonly (readonly [string, string | RegExp | undefined])[] = [
  ...Object.entries(GONE_AUTHORITATIVE).map(([name, hint]) => [`${name} Off`, `removed in 2.4: ${hint}`] as const),
  ['authzuserauthoritative on', /^removed in 2\.4: /],
  ['LockFile x', /use Mutex/],
  ['AcceptMutex flock', /use Mutex/],
  ['Require all granted', 'Require belongs to mod_authz_core: LoadModule authz_core_module modules/mod_authz_core.so'],
  ['require all granted', 'require belongs to mod_authz_core: LoadModule authz_core_module modules/mod_authz_core.so'],
  ['<RequireAll>\n</RequireAll>', 'RequireAll belongs to mod_authz_core: LoadModule authz_core_module modules/mod_authz_core.so'],
  ['Redirect / /x', 'Redirect belongs to mod_alias: LoadModule alias_module modules/mod_alias.so'],
  ['Timeut 3', 'did you mean Timeout?'],
  ['DocumntRoot x', 'did you mean DocumentRoot?'],
  ['<Directry />\n</Directry>', 'did you mean <Directory>?'],
  ['Wor x', 'did you mean Word?'],
  ['Requir x', 'did you mean Require? It belongs to mod_authz_core: LoadModule authz_core_module modules/mod_authz_core.so'],
  ['Zzzzzz', undefined],
  ['RewriteLogLevel 3', 'removed in 2.4: use LogLevel, as in LogLevel warn rewrite:trace3'],
  ['SSLEngin on', 'did you mean SSLEngine? It belongs to mod_ssl: LoadModule ssl_module modules/mod_ssl.so'],
  ['RewriteEngine On', 'RewriteEngine belongs to mod_rewrite: LoadModule rewrite_module modules/mod_rewrite.so'],
]

for (const [config, hint] of HINTS) {
  t.test(`${JSON.stringify(config)} is refused with ${hint === undefined ? 'no advice' : 'advice'}`, async (t) => {
    const refused = await refusal(config, { modules: [wordsModule] })
    t.match(refused.message, /^Invalid command '/)
    if (hint === undefined) {
      t.equal(refused.hint, undefined)
      t.equal(refused.console.length, 2)
      return
    }
    if (typeof hint === 'string') t.equal(refused.hint, hint)
    else t.match(refused.hint, hint)
    t.strictSame(refused.console.slice(2), [`hint: ${refused.hint}`], 'on a line of its own')
  })
}

t.test('the hint about a missing module file contains the name that was searched for', async (t) => {
  const refused = await refusal('LoadModule foo_module modules/mod_foo.so')
  t.equal(refused.hint, 'looked for ROOT/modules/mod_foo.mjs')
})

t.test(
  'the error of an .htaccess file is the line of httpd without advice, after a line with its place and the advice',
  async (t) => {
    const server = await site({
      modules: [openModule],
      files: { 'docs/.htaccess': 'Require all granted', 'docs/f': '' },
      config: '<Directory @ROOT@/docs>\nAllowOverride All\n</Directory>',
    })
    t.teardown(() => server.close())
    t.equal((await server.inject('/f')).status, 500)
    t.match(server.errors(), [
      /\[core:warn\] .*\/docs\/\.htaccess:1: Invalid command 'Require'/,
      /^\[[^\]]+\] \[core:alert\] \[pid \d+:tid \d+\] \[client 127\.0\.0\.1:50000\] \S+\/docs\/\.htaccess: Invalid command 'Require', perhaps misspelled or defined by a module not included in the server configuration$/,
    ])
  },
)

t.test('a removed directive in an .htaccess file causes a 500 and an alert with its spelling', async (t) => {
  for (const name of [...Object.keys(GONE_AUTHORITATIVE), 'AUTHZUSERauthoritative']) {
    const server = await site({
      modules: [openModule],
      files: { 'docs/.htaccess': `${name} Off`, 'docs/f': '' },
      config: '<Directory @ROOT@/docs>\nAllowOverride All\n</Directory>',
    })
    t.equal((await server.inject('/f')).status, 500, name)
    const [advice, line, ...more] = server.errors()
    t.match(advice, '/docs/.htaccess:1: ')
    t.same(more, [], name)
    t.match(line, '[core:alert]')
    t.match(
      line,
      `/docs/.htaccess: Invalid command '${name}', perhaps misspelled or defined by a module not included in the server configuration`,
    )
    await server.close()
  }
})
