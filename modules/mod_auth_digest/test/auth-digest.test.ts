import { type AuthnProvider, defineModule } from '@gatewright/api'
import { configError, moduleLog, site } from '@gatewright/testing'
import t from 'tap'
import authnCore from '../../mod_authn_core/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzUser from '../../mod_authz_user/src/index.ts'
import authDigest from '../src/index.ts'
import { authorization, challengeOf, md5 } from './support/client.ts'
import { type Answer, Trial, user } from './support/trial.ts'

const NONCE = /[A-Za-z0-9+/]{11}=[0-9a-f]{40}/g
const CHALLENGE = 'Digest realm="R", nonce="NONCE", algorithm=MD5, qop="auth"'
const STALE = 'Digest realm="R", nonce="NONCE", algorithm=MD5, stale=true, qop="auth"'
const bare = (text: string | undefined): string | undefined => text?.replace(NONCE, 'NONCE')
const NO_QOP = "invalid or missing qop value '%s', RFC 2069 is no longer supported"
const INCOMPLETE = 'missing user, realm, nonce, uri, digest, cnonce, or nonce_count in authorization header'

t.test('the directive table has the names, contexts and override classes of httpd', async (t) => {
  const inSections = ['directory', 'htaccess']
  t.same(
    Object.entries(authDigest.directives ?? {}).map(([name, { kind, context, override }]) => [name, kind, context, override]),
    [
      ['AuthDigestProvider', 'iterate', inSections, 'AuthConfig'],
      ['AuthDigestQop', 'iterate', inSections, 'AuthConfig'],
      ['AuthDigestNonceLifetime', 'take1', inSections, 'AuthConfig'],
      ['AuthDigestNcCheck', 'flag', inSections, 'AuthConfig'],
      ['AuthDigestAlgorithm', 'take1', inSections, 'AuthConfig'],
      ['AuthDigestDomain', 'iterate', inSections, 'AuthConfig'],
      ['AuthDigestShmemSize', 'take1', ['server', 'virtualhost'], undefined],
    ],
  )
})

t.test("an invalid argument of a directive is an error with httpd's text", async (t) => {
  const sources = defineModule({
    name: 'sources_module',
    source: 'mod_sources.c',
    register({ providers }) {
      providers.authn.add('plain', { checkPassword: () => 'denied' })
      providers.authn.add('file', { checkPassword: () => 'denied', realmHash: () => 'not-found' })
    },
  })
  const refusalOf = (line: string): Promise<string | undefined> => configError({ modules: [sources, authDigest], config: line })
  const inside = (line: string): Promise<string | undefined> => refusalOf(`<Directory /d>\n${line}\n</Directory>`)
  t.equal(await inside('AuthDigestProvider none'), 'Unknown Authn provider: none')
  t.equal(await inside('AuthDigestProvider plain'), "The 'plain' Authn provider doesn't support Digest Authentication")
  t.equal(await inside('AuthDigestProvider file file'), undefined)
  for (const word of ['none', 'auth-int', 'auth auth-int']) {
    t.equal(await inside(`AuthDigestQop ${word}`), "AuthDigestQop is deprecated: only 'auth' is supported", word)
  }
  t.equal(await inside('AuthDigestQop auth AUTH'), undefined)
  for (const word of ['abc', '12x', '0x10']) {
    t.equal(await inside(`AuthDigestNonceLifetime ${word}`), `Invalid time in AuthDigestNonceLifetime: ${word}`)
  }
  for (const word of ['0', '-5', '+5', '" 12"', '99999999999999999999']) {
    t.equal(await inside(`AuthDigestNonceLifetime ${word}`), undefined, word)
  }
  for (const word of ['MD5-sess', 'SHA-256']) {
    t.equal(await inside(`AuthDigestAlgorithm ${word}`), `Unsupported algorithm in AuthDigestAlgorithm: ${word}`)
  }
  t.equal(await inside('AuthDigestAlgorithm md5'), undefined)
  for (const word of ['abc', '10G', 'K']) {
    t.equal(await refusalOf(`AuthDigestShmemSize ${word}`), `Invalid size in AuthDigestShmemSize: ${word}`)
  }
  for (const word of ['0', '-1', '87']) {
    t.equal(await refusalOf(`AuthDigestShmemSize ${word}`), `size in AuthDigestShmemSize too small: ${word} < 88`)
  }
  for (const word of ['88', '1k', '10KB', '10M']) t.equal(await refusalOf(`AuthDigestShmemSize ${word}`), undefined, word)
})

t.test('a request without credentials is challenged, and one that proves the password is granted', async (t) => {
  const trial = await Trial.start(t, { '/a': '' })
  const asked = await trial.ask('/a/f')
  t.match({ ...asked, challenge: bare(asked.challenge) }, { status: 401, challenge: CHALLENGE, info: undefined, log: [] })
  const { nonce } = challengeOf(asked.challenge)
  const let1 = await trial.ask('/a/f', authorization({ uri: '/a/f', nonce }))
  t.match(let1, { status: 200, challenge: undefined, log: [] })
  t.match(let1.info, /^rspauth="[0-9a-f]{32}", cnonce="c", nc=00000001, qop=auth$/)
  t.equal((await trial.ask('/a/f', authorization({ uri: '/a/f', nonce, nc: '00000002' }))).status, 200)
  t.equal((await trial.ask('/a/f', authorization({ uri: '/a/f', nonce }))).status, 200, 'counts are not checked by default')
})

t.test('the server proves that it knows the password, as in RFC 7616 section 3.5', async (t) => {
  const trial = await Trial.start(t, { '/a': '' })
  const { nonce } = await trial.challenge('/a/f')
  // The server proves its identity with the response for an empty method.
  const proof = /response="(\w+)"/.exec(authorization({ uri: '/a/f', nonce, method: '' }))?.[1]
  const { info } = await trial.ask('/a/f', authorization({ uri: '/a/f', nonce }))
  t.equal(info, `rspauth="${proof}", cnonce="c", nc=00000001, qop=auth`)
})

t.test('wrong credentials are logged, and answered with a new challenge', async (t) => {
  const trial = await Trial.start(t, { '/a': '' })
  const refusals: readonly (readonly [ask: () => Promise<Answer>, code: string, text: string])[] = [
    [() => trial.claim('/a/f', { password: 'x' }), 'AH01794', 'user bob: password mismatch: /a/f'],
    [() => trial.claim('/a/f', { user: 'eve' }), 'AH01790', "user `eve' in realm `R' not found: /a/f"],
    [() => trial.claim('/a/f', { realm: 'S' }), 'AH01788', "realm mismatch - got `S' but expected `R'"],
    [() => trial.claim('/a/f', {}, { qop: null }), 'AH10560', `${NO_QOP.replace('%s', '(null)')}: /a/f`],
    [() => trial.claim('/a/f', { qop: 'auth-int' }), 'AH10560', `${NO_QOP.replace('%s', 'auth-int')}: /a/f`],
    [() => trial.claim('/a/f', {}, { algorithm: 'MD5-sess' }), 'AH01789', "unknown algorithm `MD5-sess' received: /a/f"],
    [() => trial.ask('/a/f', 'Basic Ym9iOnB3'), 'AH01781', "client used wrong authentication scheme `Basic': /a/f"],
    [() => trial.claim('/a/f', {}, { nonce: null }), 'AH01782', `${INCOMPLETE}: /a/f`],
  ]
  for (const [ask, code, text] of refusals) {
    const { status, challenge, info, log } = await ask()
    t.same([status, bare(challenge), info], [401, CHALLENGE, undefined], code)
    t.same(log, [`[auth_digest:error] ${code}: ${text}`])
  }
})

t.test('a nonce that the server did not create, or for another realm, is stale: the user need not be asked', async (t) => {
  const trial = await Trial.start(t, { '/a': '', '/s': 'AuthName S' })
  const { nonce } = await trial.challenge('/a/f')
  const forged = nonce.slice(0, -1) + (nonce.endsWith('0') ? '1' : '0')
  const answer = await trial.ask('/a/f', authorization({ uri: '/a/f', nonce: forged }))
  t.same([answer.status, bare(answer.challenge)], [401, STALE])
  t.match(answer.log[0], /^\[auth_digest:error\] AH01776: invalid nonce \S{52} received - hash is not [0-9a-f]{40}$/)
  const elsewhere = await trial.ask('/a/f', authorization({ uri: '/a/f', nonce: (await trial.challenge('/s/f')).nonce }))
  t.equal(bare(elsewhere.challenge), STALE)
  const guess = await trial.ask('/a/f', authorization({ uri: '/a/f', nonce: forged, password: 'x' }))
  t.equal(bare(guess.challenge), CHALLENGE, 'without the password the response reveals nothing about the nonce')
})

t.test('method, user and realm are compared byte by byte', async (t) => {
  const trial = await Trial.start(t, { '/a': '' })
  t.equal((await trial.claim('/a/f', { method: 'HEAD' })).status, 200)
  const { nonce } = await trial.challenge('/a/f')
  const forGet = authorization({ uri: '/a/f', nonce })
  t.equal((await trial.ask('/a/f', forGet, { method: 'HEAD' })).status, 401)
  t.equal((await trial.ask('/a/f', authorization({ uri: '/a/f', nonce, method: 'get' }))).status, 401)
  t.equal(
    (await trial.ask('/a/f', authorization({ uri: '/a/f', nonce, method: 'POST' }), { method: 'POST', body: 'x' })).status,
    200,
  )
  for (const name of ['b\xe9', 'q"u', '']) t.equal((await trial.claim('/a/f', { user: name })).status, 200, JSON.stringify(name))
  t.equal((await trial.claim('/a/f', { user: 'bo:b' })).status, 401)
  t.equal((await trial.claim('/a/f', { user: 'BOB' })).status, 401)
})

t.test('the response to a challenge is accepted in lower case only', async (t) => {
  const trial = await Trial.start(t, { '/a': '' })
  const { nonce } = await trial.challenge('/a/f')
  const header = authorization({ uri: '/a/f', nonce })
  t.equal(
    (
      await trial.ask(
        '/a/f',
        header.replace(/response="\w+"/, (field) => field.toUpperCase()),
      )
    ).status,
    401,
  )
  t.equal((await trial.ask('/a/f', header)).status, 200)
})

t.test('a cnonce is returned with its quotes escaped', async (t) => {
  const trial = await Trial.start(t, { '/a': '' })
  t.match((await trial.claim('/a/f', { cnonce: 'a"b' })).info, 'cnonce="a\\"b"')
  t.match((await trial.claim('/a/f', { cnonce: 'a\\b' })).info, 'cnonce="a\\b"')
})

t.test('the realm that counts is the one in the challenge, with its escapes', async (t) => {
  const trial = await Trial.start(t, { '/a': 'AuthName "a\\"b"' }, { 'conf/users': user('bob', 'a\\"b') })
  t.match((await trial.ask('/a/f')).challenge, 'Digest realm="a\\"b", nonce=')
  t.equal((await trial.claim('/a/f', { realm: 'a\\"b' })).status, 200)
  t.equal((await trial.claim('/a/f', { realm: 'a"b' })).status, 401)
})

t.test('realm and type may be expressions', async (t) => {
  const trial = await Trial.start(
    t,
    { '/a': 'AuthType "%{tolower:DIGEST}"\nAuthName "%{REQUEST_URI}"' },
    { 'conf/users': user('bob', '/a/f') },
  )
  t.equal((await trial.claim('/a/f', { realm: '/a/f' })).status, 200)
})

t.test('a domain is announced as written', async (t) => {
  const trial = await Trial.start(t, { '/a': 'AuthDigestDomain /a http://x.example/\nAuthDigestDomain /b' })
  t.equal(
    bare((await trial.ask('/a/f')).challenge),
    'Digest realm="R", nonce="NONCE", algorithm=MD5, domain="/a http://x.example/ /b", qop="auth"',
  )
})

t.test('a section with one of these directives does not inherit any of them', async (t) => {
  const outer = 'AuthDigestDomain /a\nAuthDigestNcCheck On'
  const trial = await Trial.start(t, { '/a': outer, '/a/f': 'AuthDigestQop auth' })
  t.match((await trial.ask('/a/g')).challenge, /opaque="\w+", domain="\/a"/)
  t.equal(bare((await trial.ask('/a/f')).challenge), CHALLENGE)
})

t.test('without a realm, a provider or a password file the answer is 500', async (t) => {
  const nameless = await site({
    modules: [authnCore, authzCore, authzUser, authDigest],
    config: '<Location />\nAuthType Digest\nRequire valid-user\n</Location>',
  })
  t.teardown(() => nameless.close())
  t.equal((await nameless.inject('/f.txt')).status, 500)
  t.same(moduleLog(nameless, 'auth_digest'), ['error AH01780: need AuthName: /f.txt'])

  const without = await Trial.start(t, { '/a': '' }, {}, '', [authnCore, authzCore, authzUser, authDigest])
  t.match(await without.claim('/a/f'), { status: 500, log: ['[auth_digest:error] AH01770: No Authn provider configured'] })

  const missing = await Trial.start(t, { '/a': 'AuthUserFile conf/none' })
  t.match(await missing.claim('/a/f'), { status: 500, log: [/AH01622: Could not open password file/] })
})

t.test('providers are asked in order, and may be asynchronous', async (t) => {
  const asked: string[] = []
  const provider = (name: string, slow: string): AuthnProvider => ({
    realmHash(_request, user, realm) {
      asked.push(`${name} ${user} ${realm}`)
      const found = user === name ? md5(`${user}:${realm}:pw`) : name === 'last' ? 'general-error' : 'not-found'
      return slow === 'slow' ? Promise.resolve(found) : found
    },
  })
  const sources = defineModule({
    name: 'sources_module',
    source: 'mod_sources.c',
    register({ providers }) {
      providers.authn.add('one', provider('one', 'slow'))
      providers.authn.add('two', provider('two', 'quick'))
      providers.authn.add('last', provider('last', 'slow'))
    },
  })
  const modules = [authnCore, authzCore, authzUser, sources, authDigest]
  const places = { '/a': 'AuthDigestProvider one two\nAuthDigestProvider last' }
  const trial = await Trial.start(t, places, {}, '', modules)
  t.equal((await trial.claim('/a/f', { user: 'one' })).status, 200)
  t.equal((await trial.claim('/a/f', { user: 'two' })).status, 200)
  t.same(asked.splice(0), ['one one R', 'one two R', 'two two R'])
  t.equal((await trial.claim('/a/f', { user: 'nobody' })).status, 500, 'the last one failed')
  t.same(asked, ['one nobody R', 'two nobody R', 'last nobody R'])
})

t.test('a known user who is not authorized is challenged again, and gets no proof', async (t) => {
  const trial = await Trial.start(t, { '/a': 'Require user alice' })
  t.equal((await trial.claim('/a/f', { user: 'alice', password: 'pw2' })).status, 200)
  const refused = await trial.claim('/a/f')
  t.same([refused.status, bare(refused.challenge), refused.info], [401, CHALLENGE, undefined])
})

t.test('the credentials for a folder grant its index file too, which may require another user', async (t) => {
  const files = { 'docs/a/index.html': 'index', 'docs/b/index.html': 'index' }
  const narrow = '<Directory @ROOT@/docs/b>\n<Files index.html>\nAuthMerging And\nRequire user alice\n</Files>\n</Directory>'
  const login = '<Directory @ROOT@/docs>\nAuthType Digest\nAuthName R\nAuthUserFile conf/users\nRequire valid-user\n</Directory>'
  const trial = await Trial.start(t, {}, files, `${login}\n${narrow}`)
  t.match(await trial.claim('/a/'), { status: 200, info: /^rspauth=/ })
  const refused = await trial.claim('/b/')
  t.same([refused.status, bare(refused.challenge)], [401, CHALLENGE])
  t.equal((await trial.claim('/b/', { user: 'alice', password: 'pw2' })).status, 200)
})

t.test('an error document keeps the challenge, and a protected one adds its own', async (t) => {
  const trial = await Trial.start(
    t,
    { '/a': 'ErrorDocument 401 /open', '/b': 'ErrorDocument 401 /a/f' },
    { 'docs/open': 'sorry' },
    '',
  )
  t.equal(bare((await trial.ask('/a/f')).challenge), CHALLENGE)
  t.equal(bare((await trial.ask('/b/f')).challenge), `${CHALLENGE}, ${CHALLENGE}`)
  const posted = await trial.claim('/b/f', { method: 'POST', password: 'x' })
  t.equal(posted.status, 401)
  t.match(posted.log, [/AH01794: user bob: password mismatch: \/b\/f$/, /AH01794: user bob: password mismatch: \/a\/f$/])
})

t.test('an error page has no proof from the server', async (t) => {
  const trial = await Trial.start(t, { '/a': '' })
  t.match(await trial.claim('/a/none'), { status: 404, info: undefined })
})

t.test('two Authorization fields are parsed as one', async (t) => {
  const trial = await Trial.start(t, { '/a': '' })
  const { nonce } = await trial.challenge('/a/f')
  const good = authorization({ uri: '/a/f', nonce })
  const bad = authorization({ uri: '/a/f', nonce, password: 'x' })
  const rows: [string, number][] = [
    [`${good}, Basic x`, 200],
    [`${bad}, ${good}`, 200],
    [`${good}, ${bad}`, 401],
    [`Basic x, ${good}`, 401],
  ]
  for (const [header, status] of rows) t.equal((await trial.ask('/a/f', header)).status, status, header)
})
