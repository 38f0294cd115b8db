import {
  type AuthorizerAnswer,
  basicAuth,
  configError,
  type FakeAuthorizer,
  fakeAuthorizer,
  recordOf,
  site,
  type TestServer,
} from '@gatewright/testing'
import t, { type Test } from 'tap'
import authBasic from '../../mod_auth_basic/src/index.ts'
import authnCore from '../../mod_authn_core/src/index.ts'
import authnFile from '../../mod_authn_file/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzUser from '../../mod_authz_user/src/index.ts'
import headers from '../../mod_headers/src/index.ts'
import authnzFcgi from '../src/index.ts'

const MODULES = [authnCore, authnFile, authzCore, authzUser, authBasic, headers, authnzFcgi]
const BASIC = 'AuthType Basic\nAuthName x'
const PROVIDERS = `AuthnzFcgiDefineProvider authn Passwords fcgi://127.0.0.1:@PORT@/
AuthnzFcgiDefineProvider authz Members fcgi://127.0.0.1:@PORT@/
AuthnzFcgiDefineProvider authnz Both fcgi://127.0.0.1:@PORT@/
Header always set X-User "expr=%{REMOTE_USER}"
Header always set X-Env "%{FOUND}e"`
// secret, as {SHA}
const FILE = 'alice:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n'

interface Asked {
  readonly server: TestServer
  readonly authorizer: FakeAuthorizer
}

/** A site whose authorizer answers with what the query of the target contains. */
async function asked(t: Test, config: string, answerTo?: (query: string) => AuthorizerAnswer | undefined): Promise<Asked> {
  const authorizer = await fakeAuthorizer(({ QUERY_STRING = '' }) => {
    const query = decodeURIComponent(QUERY_STRING)
    return answerTo?.(query) ?? { output: query === '' ? 'Status: 200\r\n\r\n' : query }
  })
  const text = `${PROVIDERS}\n<Location /f>\n${config}\n</Location>`.replaceAll('@PORT@', String(authorizer.port))
  const server = await site({ modules: MODULES, config: text, files: { 'docs/f': 'in\n', users: FILE } })
  t.teardown(async () => {
    await server.close()
    await authorizer.close()
  })
  return { server, authorizer }
}

const target = (output: string): string => `/f?${encodeURIComponent(output)}`
const alice = { headers: basicAuth('alice', 'secret') }

t.test('an authorizer checks passwords, and gets neither a body nor what FastCGI forbids', async (t) => {
  const { server, authorizer } = await asked(t, `${BASIC}\nAuthBasicProvider Passwords\nRequire valid-user`)
  t.match(await server.inject('/f'), { status: 401 })
  t.equal(authorizer.questions.length, 0, 'there is no password')
  const posted = await server.inject({ target: '/f', method: 'POST', body: 'a=b', ...alice })
  t.equal(posted.status, 200)
  const [question] = authorizer.questions
  t.match(question, { FCGI_ROLE: 'AUTHORIZER', FCGI_APACHE_ROLE: 'AUTHENTICATOR', REMOTE_USER: 'alice', REMOTE_PASSWD: 'secret' })
  t.match(question, { REQUEST_METHOD: 'POST', AUTH_TYPE: 'Basic', HTTP_CONNECTION: 'close' })
  for (const name of ['CONTENT_LENGTH', 'PATH_INFO', 'SCRIPT_NAME', 'HTTP_AUTHORIZATION']) t.notOk(question?.[name], name)
  t.same(authorizer.recordTypes, [1, 4, 4], 'no record of the input')
})

t.test('only the status 200 grants, and only then variables are set', async (t) => {
  const { server } = await asked(t, `${BASIC}\nAuthBasicProvider Passwords\nRequire valid-user`)
  const ask = (output: string) => server.inject({ target: target(output), ...alice })
  t.match(await ask('Status: 200 Fine\r\nVariable-FOUND: yes\r\n\r\n'), { status: 200, statusLine: 'HTTP/1.1 200 Fine' })
  t.equal((await ask('Variable-FOUND: yes\r\n\r\n')).header('x-env'), 'yes')
  for (const status of ['401', '403', '302', '204', '199', '0', 'abc', '2000', '-200', '20']) {
    const denied = await ask(`Status: ${status}\r\nVariable-FOUND: yes\r\n\r\n`)
    t.equal(denied.status, 401, status)
    t.equal(denied.header('variable-found'), undefined)
    t.not(denied.header('x-env'), 'yes')
  }
  t.match(await ask('Status: 500\r\n\r\n'), { status: 500 })
})

t.test('what is no answer is a 500', async (t) => {
  const unfinished: readonly (readonly [string, AuthorizerAnswer])[] = [
    ['nothing', { bytes: Buffer.alloc(0) }],
    ['half a header', { bytes: Buffer.from([1, 6, 0]) }],
    ['HTTP', { bytes: Buffer.from('HTTP/1.1 200 OK\r\n\r\nStatus: 200\r\n\r\n') }],
    ['no end', { bytes: recordOf(6, 'Status: 200\r\n\r\n') }],
    ['another version', { bytes: Buffer.concat([Buffer.from([2]), recordOf(6, 'Status: 200\r\n\r\n').subarray(1)]) }],
    ['no empty line', { output: 'Status: 200\r\n' }],
    ['no field', { output: 'Status 200\r\n\r\n' }],
    ['no output', { output: '' }],
    ['an endless line', { output: `X: ${'x'.repeat(60_000)}\r\n\r\n` }],
  ]
  const { server } = await asked(
    t,
    `${BASIC}\nAuthBasicProvider Passwords\nRequire valid-user`,
    (query) => unfinished.find(([name]) => name === query)?.[1] ?? { output: 'Status: 200\r\n\r\n' },
  )
  for (const [name] of unfinished) t.match(await server.inject({ target: target(name), ...alice }), { status: 500 }, name)
  const log = server.errors().join('\n')
  for (const code of ['AH02497', 'AH02501', 'AH02502', 'AH02506', 'AH02510', 'AH02514']) t.match(log, code)
  t.notMatch(log, 'secret', 'no password is logged')
  t.match(await server.inject({ target: '/f', ...alice }), { status: 200 }, 'the next question is answered')
})

t.test('silence is a 500 after Timeout', async (t) => {
  const { server } = await asked(
    t,
    `${BASIC}\nAuthBasicProvider Passwords\nRequire valid-user\n</Location>\nTimeout 1\n<Location /g>`,
    () => 'silence',
  )
  t.match(await server.inject({ target: target('silence'), ...alice }), { status: 500 })
  t.notMatch(server.errors().join('\n'), 'secret', 'no password is logged')
})

t.test('an authorizer decides about users whom another provider knows', async (t) => {
  const { server, authorizer } = await asked(t, `${BASIC}\nAuthBasicProvider file\nAuthUserFile "@ROOT@/users"\nRequire Members`)
  t.equal((await server.inject({ target: '/f', ...alice })).status, 200)
  t.match(authorizer.questions[0], { FCGI_APACHE_ROLE: 'AUTHORIZER', REMOTE_USER: 'alice' })
  t.equal(authorizer.questions[0]?.['REMOTE_PASSWD'], undefined)
  t.equal((await server.inject({ target: target('Status: 403\r\n\r\n'), ...alice })).status, 401)
  t.equal((await server.inject({ target: target('Status: 500\r\n\r\n'), ...alice })).status, 500)
  t.equal((await server.inject({ target: '/f', headers: basicAuth('alice', 'wrong') })).status, 401)
  t.equal(authorizer.questions.length, 3)
})

t.test('a provider of both kinds is asked once, and grants only logins of its own', async (t) => {
  const both = await asked(t, `${BASIC}\nAuthBasicProvider Both\nRequire Both`)
  t.equal((await both.server.inject({ target: '/f', ...alice })).status, 200)
  t.equal(both.authorizer.questions.length, 1)
  t.equal(both.authorizer.questions[0]?.['FCGI_APACHE_ROLE'], undefined)
  const other = await asked(t, `${BASIC}\nAuthBasicProvider file\nAuthUserFile "@ROOT@/users"\nRequire Both`)
  t.equal((await other.server.inject({ target: '/f', ...alice })).status, 401)
  t.equal(other.authorizer.questions.length, 0)
})

t.test('an authorizer finds the user itself, and what it shows to others is the page', async (t) => {
  const check = 'AuthnzFcgiCheckAuthnProvider Passwords UserExpr "%{reqenv:FOUND}"'
  const { server } = await asked(t, `AuthType gate\nAuthName x\n${check}\nRequire valid-user`, (query) =>
    query === 'long' ? { output: `Status: 403\r\n\r\n${'n'.repeat(20_000)}` } : undefined,
  )
  const found = await server.inject(target('Status: 200\r\nVariable-FOUND: bob\r\n\r\n'))
  t.equal(found.header('x-user'), 'bob')
  t.equal((await server.inject('/f')).status, 500, 'nobody is found')
  t.match(server.errors().join('\n'), 'AH02520: fcgi_check_authn: Failure extracting user after calling authorizer')
  const login = await server.inject(target('Status: 302\r\nLocation: /login\r\n\r\n<p>go to /login'))
  t.match(login, { status: 302, body: '<p>go to /login' })
  t.equal(login.header('location'), '/login')
  t.match(await server.inject(target('Status: 403\r\n\r\nno')), { status: 403, body: 'no' })
  t.equal((await server.inject(target('long'))).body.length, 8192)
  t.match(await server.inject(target('Status: 100\r\n\r\n')), { status: 500 })
})

t.test('where the authorizer is not authoritative, others decide, and its denial leaves no trace', async (t) => {
  const check = 'AuthnzFcgiCheckAuthnProvider Passwords Authoritative Off RequireBasicAuth On'
  const { server, authorizer } = await asked(t, `${BASIC}\n${check}\nAuthUserFile "@ROOT@/users"\nRequire valid-user`)
  const denied = target('Status: 401\r\n\r\nno')
  t.match(await server.inject({ target: denied, ...alice }), { statusLine: 'HTTP/1.1 200 OK', body: 'in\n' })
  t.equal((await server.inject({ target: denied, headers: basicAuth('alice', 'wrong') })).status, 401)
  t.match(await server.inject('/f'), { status: 401 })
  t.equal(authorizer.questions.length, 2, 'it is not asked without a password')
})

t.test('mistakes are refused', async (t) => {
  const error = (config: string) => configError({ modules: MODULES, config })
  t.equal(
    await error('AuthnzFcgiDefineProvider authn file fcgi://127.0.0.1:1/'),
    'AuthnzFcgiDefineProvider: another module provides file',
  )
  t.equal(
    await error('AuthnzFcgiDefineProvider authn a fcgi://127.0.0.1:70000/'),
    "AuthnzFcgiDefineProvider: backend-address 'fcgi://127.0.0.1:70000/' has invalid port",
  )
  t.match(
    await error(`AuthnzFcgiDefineProvider authz a fcgi://127.0.0.1:1/\n<Location /x>\nRequire a b\n</Location>`),
    "doesn't support restrictions on providers",
  )
})
