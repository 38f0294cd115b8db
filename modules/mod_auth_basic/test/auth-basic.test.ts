import { createHash } from 'node:crypto'
import { type AnyModule, type AuthnProvider, type AuthnStatus, defineModule, type Request } from '@gatewright/api'
import {
  basicAuth,
  configErrorAt,
  headerLogin,
  type InjectedResponse,
  type InjectOptions,
  moduleLog,
  requestRecorder,
  type SiteOptions,
  site,
} from '@gatewright/testing'
import t, { type Test } from 'tap'
import authnCore from '../../mod_authn_core/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import authBasic from '../src/index.ts'

/** A provider that knows bob with password bobpw, and returns `status` for any other user. */
function knowsBob(status: AuthnStatus = 'not-found'): AuthnProvider {
  return { checkPassword: (_request, user, password) => (user !== 'bob' ? status : password === 'bobpw' ? 'granted' : 'denied') }
}

interface Answer {
  readonly status: number
  readonly user: string | null
  readonly challenge: string | undefined
  /** Log lines of the module. */
  readonly log: string[]
  /** Log lines of mod_authn_core, which reports that no module has authenticated the user. */
  readonly core: string[]
  readonly response: InjectedResponse
  /** The request after it has ended. */
  readonly request: Request
}

type Providers = Readonly<Record<string, AuthnProvider>>

/** A module with these providers, and one that grants access to every user. */
function providing(providers: Providers): AnyModule {
  return defineModule({
    name: 'providing_module',
    source: 'mod_providing.c',
    register({ providers: { authn, authz } }) {
      for (const [name, provider] of Object.entries(providers)) authn.add(name, provider)
      authz.add('any-user', {
        parse:
          () =>
          ({ user }) =>
            user === null ? 'denied-no-user' : 'granted',
      })
    },
  })
}

const FILE: Providers = { file: knowsBob() }

function siteOptions(lines: string, providers: Providers): SiteOptions {
  return {
    modules: [providing(providers), authnCore, authzCore, authBasic],
    config: `<Location />\n${lines}\n</Location>`,
    files: { 'docs/f.txt': 'x', 'docs/d/e': 'x' },
  }
}

/** The response to a request with these fields. */
async function ask(t: Test, lines: string, headers: InjectOptions['headers'], providers: Providers = FILE): Promise<Answer> {
  const recorder = requestRecorder()
  const options = siteOptions(lines, providers)
  const server = await site({ ...options, modules: [...(options.modules ?? []), recorder.module] })
  t.teardown(() => server.close())
  const response = await server.inject({ target: '/f.txt', headers })
  return {
    status: response.status,
    user: recorder.last.user,
    challenge: response.header('WWW-Authenticate'),
    log: moduleLog(server, 'auth_basic').filter((line) => !line.includes('Evaluation of expression')),
    core: moduleLog(server, 'authn_core'),
    response,
    request: recorder.last,
  }
}

/** The response of a location that requires a login. */
function answer(t: Test, lines: string, credentials: string | undefined, providers?: Providers): Promise<Answer> {
  const [user = '', ...password] = credentials?.split(':') ?? []
  const headers = credentials === undefined ? {} : basicAuth(user, password.join(':'))
  return ask(t, `${lines}\nRequire any-user`, headers, providers)
}

const AUTH = 'AuthType Basic\nAuthName R\n'
const CHALLENGE = 'Basic realm="R"'

t.test('the directive table has the names, contexts and override classes of httpd', async (t) => {
  const table = Object.entries(authBasic.directives ?? {}).map(([name, { kind, context, override }]) => [
    name,
    kind,
    context,
    override,
  ])
  const inSections = ['directory', 'htaccess']
  t.same(table, [
    ['AuthBasicProvider', 'iterate', inSections, 'AuthConfig'],
    ['AuthBasicAuthoritative', 'flag', inSections, 'AuthConfig'],
    ['AuthBasicFake', 'take12', inSections, 'AuthConfig'],
    ['AuthBasicUseDigestAlgorithm', 'take1', inSections, 'AuthConfig'],
  ])
})

t.test('valid credentials authenticate the user', async (t) => {
  t.match(await answer(t, AUTH, 'bob:bobpw'), { status: 200, user: 'bob', challenge: undefined, log: [] })
  t.equal((await answer(t, 'AuthType bAsIc\nAuthName R', 'bob:bobpw')).status, 200)
})

t.test('missing and wrong credentials get a challenge', async (t) => {
  t.match(await answer(t, AUTH, undefined), { status: 401, user: null, challenge: CHALLENGE, log: [] })
  t.match(await answer(t, AUTH, 'bob:no'), {
    status: 401,
    user: 'bob',
    challenge: CHALLENGE,
    log: ['error AH01617: user bob: authentication failure for "/f.txt": Password Mismatch'],
  })
  t.match(await answer(t, AUTH, 'zoe:x'), {
    status: 401,
    user: 'zoe',
    challenge: CHALLENGE,
    log: ['error AH01618: user zoe not found: /f.txt'],
  })
  t.same((await answer(t, AUTH, ':x')).log, ['error AH01618: user  not found: /f.txt'])
})

t.test('another scheme gets a challenge and is logged', async (t) => {
  t.match(await ask(t, `${AUTH}Require any-user`, { Authorization: 'Bearer abc' }), {
    status: 401,
    user: null,
    challenge: CHALLENGE,
    log: ['error AH01614: client used wrong authentication scheme: /f.txt'],
  })
})

t.test('other types are declined, and a realm is required', async (t) => {
  t.match((await answer(t, 'AuthType Digest\nAuthName R', 'bob:bobpw')).core, [/error AH01796: AuthType Digest/])
  const none = await answer(t, 'AuthType Basic', 'bob:bobpw')
  t.equal(none.status, 500)
  t.same(none.log, ['error AH01615: need AuthName: /f.txt'])
})

t.test('providers are asked in order until one knows the user', async (t) => {
  const providers = {
    first: knowsBob(),
    second: { checkPassword: async (): Promise<AuthnStatus> => 'granted' },
    third: knowsBob('denied'),
  }
  t.equal((await answer(t, `${AUTH}AuthBasicProvider first second`, 'zoe:x', providers)).status, 200)
  t.equal((await answer(t, `${AUTH}AuthBasicProvider first second`, 'bob:no', providers)).status, 401, 'a wrong password ends it')
  t.equal(
    (await answer(t, `${AUTH}AuthBasicProvider first\nAuthBasicProvider third`, 'zoe:x', providers)).status,
    401,
    'lines append',
  )
  const slow = { first: { checkPassword: async (): Promise<AuthnStatus> => 'not-found' }, second: knowsBob() }
  t.equal((await answer(t, `${AUTH}AuthBasicProvider first second`, 'bob:bobpw', slow)).status, 200)
  t.match((await answer(t, `${AUTH}AuthBasicProvider first second`, 'zoe:x', slow)).log, [/AH01618/])
})

t.test('without a list and without the provider file no user can be authenticated', async (t) => {
  const { status, log } = await answer(t, AUTH, 'bob:bobpw', {})
  t.equal(status, 500)
  t.same(log, ['error AH01616: No Authn provider configured'])
})

t.test('AuthBasicAuthoritative Off passes unknown users and errors to other modules', async (t) => {
  const off = `${AUTH}AuthBasicAuthoritative Off`
  t.match((await answer(t, off, 'zoe:x')).core, [/error AH01796/], 'declined')
  t.match((await answer(t, off, 'zoe:x', { file: knowsBob('general-error') })).core, [/error AH01796/], 'declined')
  t.match((await answer(t, off, 'bob:no')).log, [/AH01617/], 'a wrong password is an answer')
  t.equal((await answer(t, AUTH, 'zoe:x', { file: knowsBob('general-error') })).status, 500)
})

t.test('503 has a Retry-After field', async (t) => {
  const full: AuthnProvider = {
    checkPassword: () => Promise.reject(Object.assign(new Error('full'), { name: 'PasswordQueueFull' })),
  }
  const { status, response } = await answer(t, AUTH, 'bob:bobpw', { file: full })
  t.equal(status, 503)
  t.equal(response.header('Retry-After'), '1')
})

t.test('a full password queue is 503, other failures are passed to the host', async (t) => {
  const failing = (name: string): AuthnProvider => ({
    checkPassword: async () => {
      throw Object.assign(new Error('failed'), { name })
    },
  })
  t.equal((await answer(t, AUTH, 'bob:bobpw', { file: failing('PasswordQueueFull') })).status, 503)
  const { status, core, log } = await answer(t, AUTH, 'bob:bobpw', { file: failing('Error') })
  t.same([status, core, log], [500, [], []], 'the host reports the hook')
})

t.test('AuthBasicUseDigestAlgorithm MD5 compares with the hash for the realm', async (t) => {
  const md5 = (text: string): string => createHash('md5').update(text).digest('hex')
  const hashing = (hash: string): AuthnProvider => ({
    ...knowsBob(),
    realmHash: (_request, user) => (user === 'bob' ? hash : 'not-found'),
  })
  const lines = `${AUTH}AuthBasicUseDigestAlgorithm md5`
  t.equal((await answer(t, lines, 'bob:x', { file: hashing(md5('bob:R:x')) })).status, 200)
  t.equal((await answer(t, lines, 'bob:x', { file: hashing(md5('bob:R:x').toUpperCase()) })).status, 401, 'case counts')
  t.match((await answer(t, lines, 'bob:y', { file: hashing(md5('bob:R:x')) })).log, [/AH01617/])
  t.match((await answer(t, lines, 'zoe:y', { file: hashing('') })).log, [/AH01618/])
  t.equal((await answer(t, lines, 'bob:x', { file: hashing('general-error') })).status, 500)
  const without = await answer(t, lines, 'bob:bobpw')
  t.equal(without.status, 500)
  t.same(without.log, ['error AH02493: Authn provider does not support AuthBasicUseDigestAlgorithm'])
  t.equal((await answer(t, `${lines}\nAuthBasicUseDigestAlgorithm Off`, 'bob:bobpw')).status, 200)
})

t.test('hashes are looked up with the realm of the challenge, with its quotes escaped', async (t) => {
  const md5 = (text: string): string => createHash('md5').update(text).digest('hex')
  const realms: string[] = []
  const hashing: AuthnProvider = {
    ...knowsBob(),
    realmHash: (_request, user, realm) => {
      realms.push(realm)
      return md5(`${user}:${realm}:x`)
    },
  }
  const lines = 'AuthType Basic\nAuthName "a\\"b"\nAuthBasicUseDigestAlgorithm MD5'
  t.equal((await answer(t, lines, 'bob:x', { file: hashing })).status, 200)
  t.equal((await answer(t, lines, 'bob:y', { file: hashing })).challenge, String.raw`Basic realm="a\"b"`)
  t.same(realms, [String.raw`a\"b`, String.raw`a\"b`])
})

t.test('the challenge for a 401 of another module is made here if the type is Basic', async (t) => {
  const refused = async (type: string): Promise<string | undefined> => {
    const server = await site({
      modules: [headerLogin, authnCore, authzCore, authBasic],
      config: `<Location />\nAuthType ${type}\nAuthName R\nRequire expr "%{REMOTE_USER} == 'alice'"\n</Location>`,
    })
    t.teardown(() => server.close())
    const response = await server.inject({ target: '/f.txt', headers: { 'X-User': 'bob' } })
    t.equal(response.status, 401)
    return response.header('WWW-Authenticate')
  }
  t.equal(await refused('Digest'), undefined)
  t.equal(await refused('basic'), CHALLENGE)
})

t.test('an inner section with its own list of providers replaces the inherited one, and inherits the rest', async (t) => {
  const options = siteOptions('Require any-user', { first: knowsBob('granted'), second: knowsBob() })
  const config = `${options.config}
    <Location /d>
      AuthType Basic
      AuthName R
      AuthBasicProvider first
      AuthBasicAuthoritative Off
    </Location>
    <Location /d/e>
      AuthBasicProvider second
    </Location>`
  const server = await site({ ...options, config })
  t.teardown(() => server.close())
  const headers = basicAuth('zoe', 'x')
  t.equal((await server.inject({ target: '/d/', headers })).status, 404)
  t.same(moduleLog(server, 'authn_core'), [], 'authenticated')
  t.equal((await server.inject({ target: '/d/e', headers })).status, 500)
  t.match(moduleLog(server, 'authn_core'), [/error AH01796/], 'declined')
})

t.test('AuthBasicFake passes other credentials to backends', async (t) => {
  const fake = async (lines: string, headers: Record<string, string> = {}): Promise<[number, string | undefined, string[]]> => {
    const { status, request, log } = await ask(t, `LogLevel auth_basic:info\n${lines}\nRequire all granted`, {
      Authorization: 'Basic own',
      ...headers,
    })
    return [status, request.headersIn.get('Authorization'), log]
  }
  const base64 = (text: string): string => Buffer.from(text).toString('base64')
  t.same(await fake(`AuthBasicFake u p`), [
    200,
    `Basic ${base64('u:p')}`,
    [`info AH02457: AuthBasicFake: "Authorization: Basic ${base64('u:p')}"`],
  ])
  t.same((await fake('AuthBasicFake u'))[1], `Basic ${base64('u:password')}`)
  t.same((await fake('AuthBasicFake %{HTTP:X-U} x', { 'X-U': 'eve' }))[1], `Basic ${base64('eve:x')}`)
  t.same(await fake('AuthBasicFake %{HTTP:X-U}'), [
    200,
    undefined,
    ["info AH02458: AuthBasicFake: empty username expression for URI '/f.txt', ignoring"],
  ])
  t.same(await fake('AuthBasicFake u %{HTTP:X-P}'), [
    200,
    undefined,
    ["info AH02459: AuthBasicFake: empty password expression for URI '/f.txt', ignoring"],
  ])
  t.match(await fake('AuthBasicFake %{file:/nonexistent}'), [
    500,
    'Basic own',
    [/AH02455: AuthBasicFake: could not evaluate user expression for URI/],
  ])
  t.match(await fake('AuthBasicFake u %{file:/nonexistent}'), [
    500,
    'Basic own',
    [/AH02456: AuthBasicFake: could not evaluate password expression/],
  ])
  t.same(await fake('AuthBasicFake u p\nAuthBasicFake OFF'), [200, 'Basic own', []])
  t.same(await fake('AuthBasicAuthoritative On'), [200, 'Basic own', []])
})

t.test('mistakes are rejected', async (t) => {
  const rows: [string, string][] = [
    ['AuthBasicProvider nosuch', 'Unknown Authn provider: nosuch'],
    ['AuthBasicProvider file nosuch', 'Unknown Authn provider: nosuch'],
    ['AuthBasicProvider digestonly', "The 'digestonly' Authn provider doesn't support Basic Authentication"],
    ['AuthBasicAuthoritative maybe', 'AuthBasicAuthoritative must be On or Off'],
    ['AuthBasicUseDigestAlgorithm SHA', 'Invalid algorithm in AuthBasicUseDigestAlgorithm: SHA'],
    ['AuthBasicFake %{NOSUCH}', "Could not parse fake username expression '%{NOSUCH}': Variable 'NOSUCH' does not exist"],
    [
      'AuthBasicFake a %{NOSUCH}',
      "Could not parse fake password expression associated to user 'a': Variable 'NOSUCH' does not exist",
    ],
  ]
  for (const [line, message] of rows) {
    const options = siteOptions(line, { file: knowsBob(), digestonly: {} })
    t.equal(await configErrorAt(options), `2: ${message}`, line)
  }
})
