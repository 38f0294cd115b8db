import { type AnyModule, type AuthzProvider, type AuthzStatus, defineModule, OK } from '@gatewright/api'
import { configErrorAt, headerVariables, moduleLog, requestRecorder, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../src/index.ts'

/** A module with a provider of authorization. */
function providing(name: string, provider: AuthzProvider): AnyModule {
  return defineModule({
    name: 'providing_module',
    source: 'mod_providing.c',
    register: ({ providers }) => providers.authz.add(name, provider),
  })
}

const words = providing('word', {
  parse: (argument) =>
    argument === '' ? "'require word' requires an argument" : ({ env }) => (env.has(argument) ? 'granted' : 'denied'),
})

const modules = [headerVariables, words, authzCore]

async function serving(t: Test, config: string): Promise<TestServer> {
  const server = await site({ modules, config, files: { 'docs/d': 'x', 'docs/e': 'x' } })
  t.teardown(() => server.close())
  return server
}

t.test('an alias has the arguments of its definition, whatever follows it in a Require line', async (t) => {
  const server = await serving(
    t,
    `
      LogLevel authz_core:debug
      <AuthzProviderAlias word flagged "A">
      </AuthzProviderAlias>
      <Location /d>
        Require flagged ignored words
      </Location>
      <Location /e>
        <RequireAll>
          Require all granted
          Require not flagged
        </RequireAll>
      </Location>`,
  )
  const headers = { 'X-Env': 'A=' }
  t.equal((await server.inject({ target: '/d', headers })).status, 200)
  t.match(moduleLog(server, 'authz_core')[0], /Require flagged ignored words: granted/)
  t.equal((await server.inject('/d')).status, 403)
  t.equal((await server.inject({ target: '/e', headers })).status, 403)
})

t.test('the directives of an alias apply while its check runs, and only then', async (t) => {
  const seen: unknown[] = []
  const look = providing('look', {
    parse:
      () =>
      async (request): Promise<AuthzStatus> => {
        seen.push(request.config)
        return 'granted'
      },
  })
  const before = defineModule({
    name: 'before_module',
    source: 'mod_before.c',
    register: ({ hooks }) =>
      hooks.accessChecker.add((request) => {
        seen.push(request.config)
        return OK
      }),
  })
  const recorder = requestRecorder()
  const server = await site({
    modules: [look, before, recorder.module, authzCore],
    config: `
    <AuthzProviderAlias look over>
      AuthzSendForbiddenOnFailure On
    </AuthzProviderAlias>
    <Location />
      Require over
    </Location>`,
    files: { 'docs/d': 'x' },
  })
  t.teardown(() => server.close())
  t.equal((await server.inject('/d')).status, 200)
  t.not(seen[1], seen[0])
  t.equal(recorder.last.config, seen[0])
})

t.test('a definition may replace a provider for the lines after it', async (t) => {
  const server = await serving(
    t,
    `
    <Location /d>
      Require word A
    </Location>
    <AuthzProviderAlias all word denied>
    </AuthzProviderAlias>
    <Location /e>
      Require word A
    </Location>`,
  )
  const headers = { 'X-Env': 'A=' }
  t.equal((await server.inject({ target: '/d', headers })).status, 200)
  t.equal((await server.inject({ target: '/e', headers })).status, 403)
})

t.test('mistakes in a definition are rejected', async (t) => {
  const rows: [string, string][] = [
    ['<AuthzProviderAlias word>', '1: <AuthzProviderAlias> directive requires additional arguments'],
    ['<AuthzProviderAlias nosuch x "y">', '1: Unknown Authz provider: nosuch'],
    ['<AuthzProviderAlias word x>', "1: Can't parse 'Require word ': 'require word' requires an argument"],
    ['<AuthzProviderAlias word x "y"', "1: <AuthzProviderAlias> directive missing closing '>'"],
    ['<AuthzProviderAlias nosuch x "y">\nDocumentRoot /x', '2: DocumentRoot not allowed in <AuthzProviderAlias> context'],
  ]
  for (const [lines, message] of rows)
    t.equal(await configErrorAt({ modules, config: `${lines}\n</AuthzProviderAlias>` }), message, lines)
  const early = '<Directory /d>\nRequire late\n</Directory>\n<AuthzProviderAlias word late x>\n</AuthzProviderAlias>'
  t.equal(await configErrorAt({ modules, config: early }), '2: Unknown Authz provider: late')
})

t.test('several unquoted arguments cause a warning, and the first one counts', async (t) => {
  const server = await serving(t, '<AuthzProviderAlias word x A B C>\n</AuthzProviderAlias>')
  t.same(moduleLog(server, 'authz_core'), [
    'warn AH10142: When several arguments (A B...) are passed to a <AuthzProviderAlias directive, they must be enclosed in quotation marks.  Otherwise, only the first one is taken into account',
  ])
})
