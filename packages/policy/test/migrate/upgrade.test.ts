import t from 'tap'
import { ConfigFiles, unifiedDiff, upgrade } from '../../src/index.ts'

function upgraded(text: string): string | undefined {
  return upgrade(new ConfigFiles(new Map([['/a', text]]))).texts.get('/a')
}

t.test('directives that 2.4 removed go, or become what took their place', async (t) => {
  const old = [
    'AuthzUserAuthoritative Off',
    'NameVirtualHost *:80',
    '  MaxClients 150',
    'AcceptMutex flock',
    'RewriteLogLevel 3',
    'DefaultType none',
    'LoadModule authn_default_module modules/mod_authn_default.so',
    '',
  ].join('\n')
  t.equal(upgraded(old), '  MaxRequestWorkers 150\nLogLevel rewrite:trace3\nDefaultType none\n')
})

t.test('what only older servers read is not touched', async (t) => {
  const guarded =
    '<IfVersion < 2.4>\nNameVirtualHost *\n</IfVersion>\n<IfModule !mod_authz_core.c>\nAuthzOwnerAuthoritative On\n</IfModule>\n'
  t.equal(upgraded(guarded), guarded)
})

t.test('groups of DBM files are required by their own name, unless both kinds exist', async (t) => {
  t.equal(upgraded('AuthDBMGroupFile g\nRequire group a b\n'), 'AuthDBMGroupFile g\nRequire dbm-group a b\n')
  const both = 'AuthDBMGroupFile g\nAuthGroupFile h\nRequire group a\n'
  t.equal(upgraded(both), both)
  t.match(upgrade(new ConfigFiles(new Map([['/a', both]]))).remarks, [{ line: 3, text: /has both/ }])
})

t.test('the modules that 2.4 needs are loaded from where the others are', async (t) => {
  t.equal(
    upgraded('LoadModule authz_host_module libexec/mod_authz_host.so\nLoadModule authn_core_module x.so\n'),
    [
      'LoadModule authz_core_module libexec/mod_authz_core.so',
      'LoadModule access_compat_module libexec/mod_access_compat.so',
      '<IfModule !mod_unixd.c>',
      'LoadModule unixd_module libexec/mod_unixd.so',
      '</IfModule>',
      'LoadModule authz_host_module libexec/mod_authz_host.so',
      'LoadModule authn_core_module x.so',
      '',
    ].join('\n'),
  )
})

t.test('a difference is printed in the format of diff -u', async (t) => {
  t.equal(unifiedDiff({ name: 'a', text: 'x\n' }, { name: 'b', text: 'x\n' }), '')
  t.equal(
    unifiedDiff({ name: 'a', text: '1\n2\n3\n4\n5\n6' }, { name: 'b', text: '1\n2\n3\n4\nfive\n6' }),
    '--- a\n+++ b\n@@ -2,5 +2,5 @@\n 2\n 3\n 4\n-5\n+five\n 6\n\\ No newline at end of file\n',
  )
})
