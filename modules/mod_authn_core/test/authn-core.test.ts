import { type AnyModule, type AuthnProvider, defineModule, type ModuleHost, type Request } from '@gatewright/api'
import { authNameOf, authTypeOf } from '@gatewright/api/peers'
import { configErrorAt, moduleLog, observedModule, requestRecorder, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authnCore from '../src/index.ts'

interface AuthnSite {
  readonly functions: ModuleHost<never, never>['functions']
  readonly providers: ModuleHost<never, never>['providers']
  /** A request to which the lines apply. */
  readonly request: Request
  readonly status: number
  /** All lines of the error log caused by the request. */
  readonly errors: readonly string[]
  /** Lines of the module since then. */
  log(): string[]
  /** Number of functions in the hook. */
  readonly checkers: number
}

async function authnSite(t: Test, config: string, more: readonly AnyModule[] = []): Promise<AuthnSite> {
  const observed = observedModule(authnCore)
  const recorder = requestRecorder()
  const files = { 'docs/e/f.txt': 'x' }
  const server = await site({ modules: [...more, observed.module, recorder.module], config, files })
  t.teardown(() => server.close())
  const { status } = await server.inject({ target: '/e/f.txt', headers: { 'X-Type': 'Digest', 'X-None': 'nOnE' } })
  const errors = [...server.errors()]
  const known = moduleLog(server, 'authn_core').length
  return {
    functions: observed.host.functions,
    providers: observed.host.providers,
    request: recorder.last,
    status,
    errors,
    log: () => moduleLog(server, 'authn_core').slice(known),
    checkers: server.configuration.hooksInOrder().find(({ name }) => name === 'checkUserId')?.functions.length ?? 0,
  }
}

const inDirectory = (lines: string): string => `<Directory "@ROOT@/docs">\n${lines}\n</Directory>`

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

t.test('AuthType and AuthName are evaluated for each request, and None counts as no type', async (t) => {
  const rows: [string, string | null, string | null][] = [
    ['AuthName x', null, 'x'],
    ['AuthType Basic\nAuthName "two words"', 'Basic', 'two words'],
    ['AuthType NONE', null, null],
    ['AuthType %{HTTP:X-Type}\nAuthName %{REQUEST_URI}', 'Digest', '/e/f.txt'],
    ['AuthType %{HTTP:X-None}', null, null],
    ['AuthType %{HTTP:X-Nothing}', '', null],
  ]
  for (const [lines, type, name] of rows) {
    const { functions, request } = await authnSite(t, inDirectory(lines))
    t.equal(functions.get(authTypeOf)?.(request), type, lines)
    t.equal(functions.get(authNameOf)?.(request), name, lines)
  }
})

t.test('an expression that fails counts as not set and is logged', async (t) => {
  const lines = 'AuthType %{file:/nonexistent}\nAuthName %{file:/nonexistent}'
  const { functions, request, log } = await authnSite(t, inDirectory(lines))
  t.equal(functions.get(authTypeOf)?.(request), null)
  t.equal(functions.get(authNameOf)?.(request), null)
  t.same(
    log().filter((line) => !line.startsWith('error Evaluation of expression ')),
    [
      'error AH02834: AuthType expression could not be evaluated: Cannot open file /nonexistent',
      'error AH02835: AuthName expression could not be evaluated: Cannot open file /nonexistent',
    ],
  )
})

t.test('AuthType and AuthName are inherited separately', async (t) => {
  const inner = '<Directory "@ROOT@/docs/e">\nAuthName inner\n</Directory>'
  const { functions, request } = await authnSite(t, `${inDirectory('AuthType Basic\nAuthName outer')}\n${inner}`)
  t.equal(functions.get(authTypeOf)?.(request), 'Basic')
  t.equal(functions.get(authNameOf)?.(request), 'inner')
})

t.test('a type that no module handles is 500, and without a type no user is authenticated', async (t) => {
  const unknown = await authnSite(t, inDirectory('AuthType Foo'))
  t.equal(unknown.status, 500)
  t.same(moduleLog({ errors: () => unknown.errors }, 'authn_core'), [
    'error AH01796: AuthType Foo configured without corresponding module',
  ])
  const none = await authnSite(t, inDirectory('AuthType None'))
  t.match(none.errors.join('\n'), 'AH00027', 'the module has accepted the request, which has no user')
  t.equal(unknown.checkers, 1)
  t.notMatch(unknown.errors.join('\n'), 'AH00025', 'the module has not declined')
})

t.test('mistakes are rejected', async (t) => {
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
    const config = lines.startsWith('<Directory') ? lines : `${lines}\n</AuthnProviderAlias>`
    t.equal(await configErrorAt({ modules: [providing({ file: {}, taken: {} }), authnCore], config }), message, lines)
  }
})

t.test('an alias uses its base with its own directives, and supports the same methods', async (t) => {
  const realms: unknown[] = []
  const base: AuthnProvider = {
    checkPassword: (request, user, password) => {
      realms.push(functions.get(authNameOf)?.(request))
      return user === password ? 'granted' : 'denied'
    },
  }
  const config = `<AuthnProviderAlias base other>\nAuthName inside\n</AuthnProviderAlias>\n${inDirectory('AuthName outside')}`
  const { functions, providers, request } = await authnSite(t, config, [providing({ base })])
  const alias = providers.authn.get('other')
  t.equal(alias?.checkPassword?.(request, 'a', 'a'), 'granted')
  t.equal(alias?.checkPassword?.(request, 'a', 'b'), 'denied')
  t.same(realms, ['inside', 'inside'])
  t.equal(functions.get(authNameOf)?.(request), 'outside')
  t.equal(alias?.realmHash, undefined)
})

/** A module with these providers. */
function providing(providers: Readonly<Record<string, AuthnProvider>>): AnyModule {
  return defineModule({
    name: 'providing_module',
    source: 'mod_providing.c',
    register({ providers: { authn } }) {
      for (const [name, provider] of Object.entries(providers)) authn.add(name, provider)
    },
  })
}
