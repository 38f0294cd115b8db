import { type AuthnProvider, DECLINED, OK } from '@gatewright/api'
import { authNameOf, authTypeOf } from '@gatewright/api/peers'
import t from 'tap'
import { FakeHost } from '../../mod_authz_core/test/fakes/fake-host.ts'
import authnCore from '../src/index.ts'

function hostWith(lines: string): FakeHost {
  const host = new FakeHost([authnCore])
  const error = host.configure(lines)
  if (error !== undefined) throw new Error(error)
  return host
}

const inDirectory = (lines: string): string => `<Directory /d>\n${lines}\n</Directory>`

t.test('the directive table has the names, contexts and override classes of httpd', async (t) => {
  const table = Object.entries(authnCore.directives ?? {}).map(([name, { kind, context, override }]) => [
    name,
    kind,
    context,
    override,
  ])
  t.same(table, [
    ['AuthType', 'take1', ['directory', 'htaccess'], 'AuthConfig'],
    ['AuthName', 'take1', ['directory', 'htaccess'], 'AuthConfig'],
    ['<AuthnProviderAlias', 'section', ['server'], undefined],
  ])
})

t.test('AuthType and AuthName are evaluated for each request, and None is no type', async (t) => {
  const rows: [string, string | null, string | null][] = [
    ['AuthName x', null, 'x'],
    ['AuthType Basic\nAuthName "two words"', 'Basic', 'two words'],
    ['AuthType NONE', null, null],
    ['AuthType %{HTTP:X-Type}\nAuthName %{REQUEST_URI}', 'Digest', '/f.txt'],
    ['AuthType %{HTTP:X-None}', null, null],
    ['AuthType %{HTTP:X-Nothing}', '', null],
  ]
  for (const [lines, type, name] of rows) {
    const host = hostWith(inDirectory(lines))
    const request = host.request({ headers: { 'X-Type': 'Digest', 'X-None': 'nOnE' } })
    t.equal(host.functions.get(authTypeOf)?.(request), type, lines)
    t.equal(host.functions.get(authNameOf)?.(request), name, lines)
  }
})

t.test('an expression that fails counts as unset and is logged', async (t) => {
  const host = hostWith(inDirectory('AuthType %{FAIL}\nAuthName %{FAIL}'))
  t.equal(host.functions.get(authTypeOf)?.(host.request()), null)
  t.equal(host.functions.get(authNameOf)?.(host.request()), null)
  t.same(host.logs.take(), [
    'authn_core:error AH02834: AuthType expression could not be evaluated: Cannot open file /nonexistent',
    'authn_core:error AH02835: AuthName expression could not be evaluated: Cannot open file /nonexistent',
  ])
})

t.test('AuthType and AuthName are inherited one by one', async (t) => {
  const host = hostWith(
    '<Directory /d>\nAuthType Basic\nAuthName outer\n</Directory>\n<Directory /d/e>\nAuthName inner\n</Directory>',
  )
  t.equal(host.functions.get(authTypeOf)?.(host.request()), 'Basic')
  t.equal(host.functions.get(authNameOf)?.(host.request()), 'inner')
})

t.test('a type that no module takes is 500, no type is nobody to authenticate', async (t) => {
  const host = hostWith(inDirectory('AuthType Foo'))
  t.equal(await host.runFirst('checkUserId', host.request()), 500)
  t.same(host.logs.take(), ['authn_core:error AH01796: AuthType Foo configured without corresponding module'])
  const none = hostWith(inDirectory('AuthType None'))
  t.equal(await none.runFirst('checkUserId', none.request()), OK)
  const first = hostWith(inDirectory('AuthType Foo'))
  t.equal(first.functionsOf('checkUserId').length, 1)
  t.not(await first.runFirst('checkUserId', first.request()), DECLINED)
})

t.test('mistakes are refused', async (t) => {
  const rows: [string, string][] = [
    [inDirectory('AuthName %{NOSUCH}'), "2: Cannot parse expression '%{NOSUCH}' in AuthName: Variable 'NOSUCH' does not exist"],
    [inDirectory('AuthType %{NOSUCH}'), "2: Cannot parse expression '%{NOSUCH}' in AuthType: Variable 'NOSUCH' does not exist"],
    ['<AuthnProviderAlias file>', '1: <AuthnProviderAlias> directive requires additional arguments'],
    ['<AuthnProviderAlias file "">', '1: <AuthnProviderAlias> directive requires additional arguments'],
    ['<AuthnProviderAlias file file>', '1: The alias provider name must be different from the base provider name.'],
    [
      '<AuthnProviderAlias file taken>',
      '1: The alias provider taken has already be registered previously as either a base provider or an alias provider.',
    ],
    ['<AuthnProviderAlias nosuch a>', '1: Unknown Authn provider: nosuch'],
    ['<AuthnProviderAlias nosuch a>\nDocumentRoot /x', '2: DocumentRoot not allowed in <AuthnProviderAlias> context'],
  ]
  for (const [lines, message] of rows) {
    const host = new FakeHost([authnCore])
    host.authn.add('file', {})
    host.authn.add('taken', {})
    t.equal(host.configure(lines.startsWith('<Directory') ? lines : `${lines}\n</AuthnProviderAlias>`), message, lines)
  }
})

t.test('an alias asks its base with its own directives, and supports what its base supports', async (t) => {
  const host = new FakeHost([authnCore])
  const realms: unknown[] = []
  const base: AuthnProvider = {
    checkPassword: (request, user, password) => {
      realms.push(host.functions.get(authNameOf)?.(request))
      return user === password ? 'granted' : 'denied'
    },
  }
  host.authn.add('base', base)
  host.configure(
    '<AuthnProviderAlias base other>\nAuthName inside\n</AuthnProviderAlias>\n<Directory /d>\nAuthName outside\n</Directory>',
  )
  const alias = host.authn.get('other')
  const request = host.request()
  t.equal(alias?.checkPassword?.(request, 'a', 'a'), 'granted')
  t.equal(alias?.checkPassword?.(request, 'a', 'b'), 'denied')
  t.same(realms, ['inside', 'inside'])
  t.equal(host.functions.get(authNameOf)?.(request), 'outside')
  t.equal(alias?.realmHash, undefined)
})
