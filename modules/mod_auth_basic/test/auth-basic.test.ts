import { createHash } from 'node:crypto'
import { type AuthnProvider, type AuthnStatus, DECLINED, OK } from '@gatewright/api'
import t from 'tap'
import authnCore from '../../mod_authn_core/src/index.ts'
import { FakeHost } from '../../mod_authz_core/test/fakes/fake-host.ts'
import authBasic from '../src/index.ts'

/** A provider that knows bob with password bobpw, and returns `status` for any other user. */
function knowsBob(status: AuthnStatus = 'not-found'): AuthnProvider {
  return { checkPassword: (_request, user, password) => (user !== 'bob' ? status : password === 'bobpw' ? 'granted' : 'denied') }
}

interface Answer {
  readonly status: number
  readonly user: string | null
  readonly challenge: string | undefined
  readonly log: string[]
}

async function answer(
  lines: string,
  credentials: string | undefined,
  providers: Readonly<Record<string, AuthnProvider>> = { file: knowsBob() },
): Promise<Answer> {
  const host = new FakeHost([authnCore, authBasic])
  for (const [name, provider] of Object.entries(providers)) host.authn.add(name, provider)
  const error = host.configure(`<Directory /d>\n${lines}\n</Directory>`)
  if (error !== undefined) throw new Error(error)
  const headers: Record<string, string> =
    credentials === undefined ? {} : { Authorization: `Basic ${Buffer.from(credentials, 'latin1').toString('base64')}` }
  const request = host.request({ headers })
  const status = await host.runFirst('checkUserId', request)
  return { status, user: request.user, challenge: request.errHeadersOut.get('WWW-Authenticate'), log: host.logs.take() }
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
  t.same(await answer(AUTH, 'bob:bobpw'), { status: OK, user: 'bob', challenge: undefined, log: [] })
  t.equal((await answer('AuthType bAsIc\nAuthName R', 'bob:bobpw')).status, OK)
})

t.test('missing and wrong credentials get a challenge', async (t) => {
  t.same(await answer(AUTH, undefined), { status: 401, user: null, challenge: CHALLENGE, log: [] })
  t.same(await answer(AUTH, 'bob:no'), {
    status: 401,
    user: 'bob',
    challenge: CHALLENGE,
    log: ['auth_basic:error AH01617: user bob: authentication failure for "/f.txt": Password Mismatch'],
  })
  t.same(await answer(AUTH, 'zoe:x'), {
    status: 401,
    user: 'zoe',
    challenge: CHALLENGE,
    log: ['auth_basic:error AH01618: user zoe not found: /f.txt'],
  })
  t.same((await answer(AUTH, ':x')).log, ['auth_basic:error AH01618: user  not found: /f.txt'])
})

t.test('another scheme gets a challenge and is logged', async (t) => {
  const host = new FakeHost([authnCore, authBasic])
  host.configure(`<Directory /d>\n${AUTH}</Directory>`)
  const request = host.request({ headers: { Authorization: 'Bearer abc' } })
  t.equal(await host.runFirst('checkUserId', request), 401)
  t.equal(request.user, null)
  t.equal(request.errHeadersOut.get('WWW-Authenticate'), CHALLENGE)
  t.same(host.logs.take(), ['auth_basic:error AH01614: client used wrong authentication scheme: /f.txt'])
})

t.test('other types are declined, and a realm is required', async (t) => {
  t.match((await answer('AuthType Digest\nAuthName R', 'bob:bobpw')).log, [/authn_core:error AH01796: AuthType Digest/])
  const none = await answer('AuthType Basic', 'bob:bobpw')
  t.equal(none.status, 500)
  t.same(none.log, ['auth_basic:error AH01615: need AuthName: /f.txt'])
})

t.test('providers are asked in order until one knows the user', async (t) => {
  const providers = {
    first: knowsBob(),
    second: { checkPassword: async (): Promise<AuthnStatus> => 'granted' },
    third: knowsBob('denied'),
  }
  t.equal((await answer(`${AUTH}AuthBasicProvider first second`, 'zoe:x', providers)).status, OK)
  t.equal((await answer(`${AUTH}AuthBasicProvider first second`, 'bob:no', providers)).status, 401, 'a wrong password ends it')
  t.equal(
    (await answer(`${AUTH}AuthBasicProvider first\nAuthBasicProvider third`, 'zoe:x', providers)).status,
    401,
    'lines append',
  )
  const slow = { first: { checkPassword: async (): Promise<AuthnStatus> => 'not-found' }, second: knowsBob() }
  t.equal((await answer(`${AUTH}AuthBasicProvider first second`, 'bob:bobpw', slow)).status, OK)
  t.match((await answer(`${AUTH}AuthBasicProvider first second`, 'zoe:x', slow)).log, [/AH01618/])
})

t.test('without a list and without the provider file no user can be authenticated', async (t) => {
  const { status, log } = await answer(AUTH, 'bob:bobpw', {})
  t.equal(status, 500)
  t.same(log, ['auth_basic:error AH01616: No Authn provider configured'])
})

t.test('AuthBasicAuthoritative Off passes unknown users and errors to other modules', async (t) => {
  const off = `${AUTH}AuthBasicAuthoritative Off`
  t.match((await answer(off, 'zoe:x')).log, [/authn_core:error AH01796/], 'declined')
  t.match((await answer(off, 'zoe:x', { file: knowsBob('general-error') })).log, [/authn_core:error AH01796/], 'declined')
  t.match((await answer(off, 'bob:no')).log, [/AH01617/], 'a wrong password is an answer')
  t.equal((await answer(AUTH, 'zoe:x', { file: knowsBob('general-error') })).status, 500)
})

t.test('503 has a Retry-After field', async (t) => {
  const host = new FakeHost([authnCore, authBasic])
  host.authn.add('file', { checkPassword: () => Promise.reject(Object.assign(new Error('full'), { name: 'PasswordQueueFull' })) })
  host.configure(`<Directory /d>\n${AUTH}</Directory>`)
  const request = host.request({ headers: { Authorization: `Basic ${Buffer.from('bob:bobpw').toString('base64')}` } })
  t.equal(await host.runFirst('checkUserId', request), 503)
  t.equal(request.errHeadersOut.get('Retry-After'), '1')
})

t.test('a full password queue is 503, other failures are passed to the host', async (t) => {
  const failing = (name: string): AuthnProvider => ({
    checkPassword: async () => {
      throw Object.assign(new Error('failed'), { name })
    },
  })
  t.equal((await answer(AUTH, 'bob:bobpw', { file: failing('PasswordQueueFull') })).status, 503)
  await t.rejects(answer(AUTH, 'bob:bobpw', { file: failing('Error') }), { message: 'failed' })
})

t.test('AuthBasicUseDigestAlgorithm MD5 compares with the hash for the realm', async (t) => {
  const md5 = (text: string): string => createHash('md5').update(text).digest('hex')
  const hashing = (hash: string): AuthnProvider => ({
    ...knowsBob(),
    realmHash: (_request, user) => (user === 'bob' ? hash : 'not-found'),
  })
  const lines = `${AUTH}AuthBasicUseDigestAlgorithm md5`
  t.equal((await answer(lines, 'bob:x', { file: hashing(md5('bob:R:x')) })).status, OK)
  t.equal((await answer(lines, 'bob:x', { file: hashing(md5('bob:R:x').toUpperCase()) })).status, 401, 'case counts')
  t.match((await answer(lines, 'bob:y', { file: hashing(md5('bob:R:x')) })).log, [/AH01617/])
  t.match((await answer(lines, 'zoe:y', { file: hashing('') })).log, [/AH01618/])
  t.equal((await answer(lines, 'bob:x', { file: hashing('general-error') })).status, 500)
  const without = await answer(lines, 'bob:bobpw')
  t.equal(without.status, 500)
  t.same(without.log, ['auth_basic:error AH02493: Authn provider does not support AuthBasicUseDigestAlgorithm'])
  t.equal((await answer(`${lines}\nAuthBasicUseDigestAlgorithm Off`, 'bob:bobpw')).status, OK)
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
  t.equal((await answer(lines, 'bob:x', { file: hashing })).status, OK)
  t.equal((await answer(lines, 'bob:y', { file: hashing })).challenge, String.raw`Basic realm="a\"b"`)
  t.same(realms, [String.raw`a\"b`, String.raw`a\"b`])
})

t.test('the challenge for a 401 of another module is made here if the type is Basic', async (t) => {
  const host = new FakeHost([authnCore, authBasic])
  host.configure(`<Directory /d>\n${AUTH}</Directory>`)
  const [note] = host.functionsOf('noteAuthFailure')
  const request = host.request()
  t.equal(note(request, 'Digest'), DECLINED)
  t.notOk(request.errHeadersOut.has('WWW-Authenticate'))
  t.equal(note(request, 'basic'), OK)
  t.equal(request.errHeadersOut.get('WWW-Authenticate'), CHALLENGE)
})

t.test('an inner section with its own list of providers replaces the inherited one, and inherits the rest', async (t) => {
  const host = new FakeHost([authnCore, authBasic])
  host.authn.add('first', knowsBob('granted'))
  host.authn.add('second', knowsBob())
  host.configure(`
    <Directory /d>
      AuthType Basic
      AuthName R
      AuthBasicProvider first
      AuthBasicAuthoritative Off
    </Directory>
    <Directory /d/e>
      AuthBasicProvider second
    </Directory>`)
  const headers = { Authorization: `Basic ${Buffer.from('zoe:x').toString('base64')}` }
  t.equal(await host.runFirst('checkUserId', host.request({ headers }, [host.section('/d')])), OK)
  const [basic] = host.functionsOf('checkUserId')
  t.equal(await basic(host.request({ headers })), DECLINED)
})

t.test('AuthBasicFake passes other credentials to backends', async (t) => {
  const fake = async (lines: string, headers: Record<string, string> = {}): Promise<[number, string | undefined, string[]]> => {
    const host = new FakeHost([authnCore, authBasic])
    const error = host.configure(`<Directory /d>\n${lines}\n</Directory>`)
    if (error !== undefined) throw new Error(error)
    const request = host.request({ headers: { Authorization: 'Basic own', ...headers } })
    return [await host.runFirst('fixups', request), request.headersIn.get('Authorization'), host.logs.take()]
  }
  const base64 = (text: string): string => Buffer.from(text).toString('base64')
  t.same(await fake(`AuthBasicFake u p`), [
    OK,
    `Basic ${base64('u:p')}`,
    [`auth_basic:info AH02457: AuthBasicFake: "Authorization: Basic ${base64('u:p')}"`],
  ])
  t.same((await fake('AuthBasicFake u'))[1], `Basic ${base64('u:password')}`)
  t.same((await fake('AuthBasicFake %{HTTP:X-U} x', { 'X-U': 'eve' }))[1], `Basic ${base64('eve:x')}`)
  t.same(await fake('AuthBasicFake %{HTTP:X-U}'), [
    DECLINED,
    undefined,
    ["auth_basic:info AH02458: AuthBasicFake: empty username expression for URI '/f.txt', ignoring"],
  ])
  t.same(await fake('AuthBasicFake u %{HTTP:X-P}'), [
    DECLINED,
    undefined,
    ["auth_basic:info AH02459: AuthBasicFake: empty password expression for URI '/f.txt', ignoring"],
  ])
  t.match(await fake('AuthBasicFake %{FAIL}'), [
    500,
    'Basic own',
    [/AH02455: AuthBasicFake: could not evaluate user expression for URI/],
  ])
  t.match(await fake('AuthBasicFake u %{FAIL}'), [
    500,
    'Basic own',
    [/AH02456: AuthBasicFake: could not evaluate password expression/],
  ])
  t.same(await fake('AuthBasicFake u p\nAuthBasicFake OFF'), [DECLINED, 'Basic own', []])
  t.same(await fake('AuthBasicAuthoritative On'), [DECLINED, 'Basic own', []])
})

t.test('mistakes are rejected', async (t) => {
  const rows: [string, string | RegExp][] = [
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
    await t.rejects(answer(line, undefined, { file: knowsBob(), digestonly: {} }), { message: `2: ${message}` }, line)
  }
})
