import { site } from '@gatewright/testing'
import t from 'tap'
import accessCompat from '../../../modules/mod_access_compat/src/index.ts'
import alias from '../../../modules/mod_alias/src/index.ts'
import authBasic from '../../../modules/mod_auth_basic/src/index.ts'
import authzCore from '../../../modules/mod_authz_core/src/index.ts'
import authzHost from '../../../modules/mod_authz_host/src/index.ts'
import headers from '../../../modules/mod_headers/src/index.ts'
import setenvif from '../../../modules/mod_setenvif/src/index.ts'
import { ConfigError } from '../src/index.ts'

/** The hint of the error with which a configuration ends. */
async function hintOf(config: string): Promise<string | undefined> {
  try {
    const server = await site({ modules: [authzCore, authzHost, accessCompat, authBasic, alias, headers, setenvif], config })
    await server.close()
    return 'no error'
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.hint
  }
}

const within = (line: string): string => `<Location "/a">\n${line}\n</Location>`

t.test('a refused line whose message does not help comes with a hint', async (t) => {
  const cases: readonly (readonly [config: string, hint: string])[] = [
    [within('Order allow, deny'), 'write no blank after the comma'],
    [within('Require grantd'), 'did you mean Require all granted?'],
    [within('Require usr bob'), 'did you mean Require user?'],
    [within('Require user bob'), 'user belongs to mod_authz_user: LoadModule authz_user_module modules/mod_authz_user.so'],
    [within('AuthBasicProvider files'), 'did you mean AuthBasicProvider file?'],
    ['<Directory "/a">\nAllowOverride AuthConf\n</Directory>', 'did you mean AuthConfig?'],
    ['LogLevel warning', 'did you mean warn?'],
    ['LogLevel core:debg', 'did you mean debug?'],
    ['Require all granted', 'Require is allowed in <Directory>, <Files> and <Location>, and in .htaccess files'],
    ['<Directory "/x">\n<Directory "/y">\n</Directory>\n</Directory>', 'close the <Directory> of line'],
    ['<Directory "/x">\n</Location>', '<Directory> was opened on line'],
  ]
  for (const [config, hint] of cases) {
    const found = await hintOf(config)
    t.ok(found?.startsWith(hint), `${config}: ${found}`)
  }
})

t.test('a pattern that cannot be compiled is reported with the reason', async (t) => {
  t.match(await hintOf('RedirectMatch "^/(a" "/b"'), /, at character \d+ of \^\/\(a$/)
  for (const config of [
    '<LocationMatch "^/(a">\n</LocationMatch>',
    '<Files ~ "^/(a">\n</Files>',
    'SetEnvIf User-Agent "^/(a" found',
    'Header edit Location "^/(a" "/b"',
  ])
    t.match(await hintOf(config), /, at character \d+ of \^\/\(a$/, config)
})
