import { type AnyModule, type AuthzProvider, defineModule, OK, type Request } from '@gatewright/api'
import { authTypeOf, hostRulesStandAlone } from '@gatewright/api/peers'
import { configErrorAt, headerLogin, moduleLog, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../src/index.ts'

interface Setting {
  readonly lines: string
  readonly authType?: string
  readonly user?: string
}

interface Answer {
  readonly status: number
  readonly log: string[]
}

/** A module with authorization providers, and functions that other modules call. */
function providing(
  providers: Readonly<Record<string, AuthzProvider>>,
  authType?: string,
  standAlone?: (request: Request) => boolean,
): AnyModule {
  return defineModule({
    name: 'providing_module',
    source: 'mod_providing.c',
    register(host) {
      for (const [name, provider] of Object.entries(providers)) host.providers.authz.add(name, provider)
      if (authType !== undefined) host.functions.offer(authTypeOf, () => authType)
      if (standAlone !== undefined) host.functions.offer(hostRulesStandAlone, standAlone)
    },
  })
}

const user: AuthzProvider = {
  parse: (name) => (request) => (request.user === null ? 'denied-no-user' : request.user === name ? 'granted' : 'denied'),
}

async function serving(t: Test, lines: string, more: readonly AnyModule[]): Promise<TestServer> {
  const server = await site({
    modules: [...more, headerLogin, authzCore],
    config: `LogLevel authz_core:info\n<Location />\n${lines}\n</Location>`,
    files: { 'docs/f.txt': 'x' },
  })
  t.teardown(() => server.close())
  return server
}

/** The answer to a request, which is authenticated if it has a user and if it needs one. */
async function answer(t: Test, { lines, authType, user: name }: Setting): Promise<Answer & { readonly root: string }> {
  const server = await serving(t, lines, [providing({ user }, authType)])
  const { status } = await server.inject({ target: '/f.txt', headers: name === undefined ? {} : { 'X-User': name } })
  return { status, log: moduleLog(server, 'authz_core'), root: server.serverRoot }
}

t.test('a granted request passes without authentication', async (t) => {
  for (const user of [undefined, 'bob'])
    t.match(await answer(t, { lines: 'Require all granted', authType: 'Basic', user }), { status: 200, log: [] })
})

t.test('a denial that no user can change is 403 before authentication, and logged with the file name', async (t) => {
  const { status, log, root } = await answer(t, { lines: 'Require all denied', authType: 'Basic' })
  t.equal(status, 403)
  t.same(log, [`error AH01630: client denied by server configuration: ${root}/docs/f.txt`])
})

t.test('a request without file name is logged with its URI', async (t) => {
  const fileless = defineModule({
    name: 'fileless_module',
    source: 'mod_fileless.c',
    register({ hooks }) {
      hooks.translateName.add(() => OK)
      hooks.mapToStorage.add(() => OK)
    },
  })
  const server = await serving(t, 'Require all denied', [fileless])
  t.equal((await server.inject('/f.txt')).status, 403)
  t.same(moduleLog(server, 'authz_core'), ['error AH01630: client denied by server configuration: uri /f.txt'])
})

t.test('a decision that a user could change requires authentication', async (t) => {
  t.match(await answer(t, { lines: 'Require user bob', authType: 'Basic' }), { status: 401, log: [] })
  t.match(await answer(t, { lines: 'Require user bob', authType: 'Basic', user: 'bob' }), { status: 200, log: [] })
})

t.test('an authenticated user who is refused gets 401, or 403 with AuthzSendForbiddenOnFailure', async (t) => {
  const refused = await answer(t, { lines: 'Require user alice', authType: 'Basic', user: 'bob' })
  t.equal(refused.status, 401)
  t.same(refused.log, ['error AH01631: user bob: authorization failure for "/f.txt":'])
  const lines = 'Require user alice\nAuthzSendForbiddenOnFailure On'
  const forbidden = await answer(t, { lines, authType: 'Basic', user: 'bob' })
  t.equal(forbidden.status, 403)
  t.match(forbidden.log, [/AH01631/])
})

t.test('without AuthType a refusal after authentication is 403', async (t) => {
  const { status, log } = await answer(t, { lines: 'Require user alice', user: 'bob' })
  t.equal(status, 403)
  t.match(log, [/AH01630/])
})

t.test('an expression about the user requires authentication again, and never leads to 403', async (t) => {
  const lines = "Require expr %{REMOTE_USER} == 'alice'\nAuthzSendForbiddenOnFailure On"
  t.match(await answer(t, { lines, authType: 'Basic' }), { status: 401, log: [] }, 'before authentication')
  const { status, log } = await answer(t, { lines, authType: 'Basic', user: 'bob' })
  t.equal(status, 401)
  t.same(log, ['error AH01629: authorization failure (no authenticated user): /f.txt'])
})

const FAILING = `Require expr "file('/nonexistent') == 'x'"`

t.test('an expression that fails is 500 unless an earlier grant hides it', async (t) => {
  const failing = await answer(t, { lines: `${FAILING}\nRequire all granted` })
  t.equal(failing.status, 500)
  t.match(failing.log[1], /AH02320: Error evaluating expression in 'Require expr': Cannot open file \/nonexistent$/)
  t.equal((await answer(t, { lines: `Require all granted\n${FAILING}` })).status, 200)
})

t.test('the trail shows a check that fails as neutral, and omits the containers that it ends', async (t) => {
  const failing = providing({ failing: { parse: () => () => 'general-error' } })
  const lines = 'LogLevel authz_core:debug\n<RequireAll>\nRequire not failing x\nRequire all granted\n</RequireAll>'
  const server = await serving(t, lines, [failing])
  t.equal((await server.inject('/f.txt')).status, 500)
  t.same(moduleLog(server, 'authz_core'), ['debug AH01626: authorization result of Require not failing x: neutral'])
})

t.test('without Require a request passes, but an AuthType without Require is a mistake', async (t) => {
  t.equal((await answer(t, { lines: 'AuthMerging Off' })).status, 200)
  const mistake = await answer(t, { lines: 'AuthMerging Off', authType: 'Basic' })
  t.equal(mistake.status, 500)
  t.match(mistake.log[0], /AH01627: AuthType configured with no corresponding authorization directives$/)
})

t.test('the tree is not evaluated if the host rules of mod_access_compat stand alone', async (t) => {
  let alone = true
  const denied = await serving(t, 'Require all denied', [providing({}, undefined, () => alone)])
  t.equal((await denied.inject('/f.txt')).status, 200)
  alone = false
  t.equal((await denied.inject('/f.txt')).status, 403)
  const afterLogin = await serving(t, 'Require user alice', [providing({ user }, 'Basic', ({ user }) => user !== null)])
  t.equal((await afterLogin.inject('/f.txt')).status, 401)
  t.equal((await afterLogin.inject({ target: '/f.txt', headers: { 'X-User': 'bob' } })).status, 200, 'after authentication')
})

t.test('checks that wait lead to the same outcome', async (t) => {
  const asked: string[] = []
  const slow: AuthzProvider = {
    parse: (name) => async () => {
      asked.push(name)
      return name === 'yes' ? 'granted' : 'denied'
    },
  }
  for (const [name, status] of [
    ['yes', 200],
    ['no', 403],
  ] as const) {
    const server = await serving(t, `Require slow ${name}`, [providing({ slow })])
    t.equal((await server.inject('/f.txt')).status, status)
  }
  t.same(asked, ['yes', 'no'])
})

t.test('hosts that are configured simultaneously do not affect each other', async (t) => {
  const onlyTwo = providing({ 'only-two': { parse: () => () => 'granted' } })
  const config = '<Directory /d>\nRequire only-two\n</Directory>'
  const [one, two] = await Promise.all([
    configErrorAt({ modules: [authzCore], config }),
    configErrorAt({ modules: [authzCore, onlyTwo], config }),
  ])
  t.equal(one, '2: Unknown Authz provider: only-two')
  t.equal(two, undefined)
  const servers = await Promise.all(
    [[authzCore], [authzCore, onlyTwo]].map((modules) =>
      site({
        modules,
        config: '<Directory "@ROOT@/docs">\nAllowOverride All\n</Directory>',
        files: { 'docs/f.txt': 'x', 'docs/.htaccess': 'Require only-two' },
      }),
    ),
  )
  t.teardown(() => Promise.all(servers.map((server) => server.close())))
  t.same(await Promise.all(servers.map(async (server) => (await server.inject('/f.txt')).status)), [500, 200])
  t.match(servers[0].errors().join('\n'), 'Unknown Authz provider: only-two')
})
