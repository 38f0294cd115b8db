import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { type AnyModule, DECLINED, defineModule } from '@gatewright/api'
import { configError, moduleLog, site, type TestServer } from '@gatewright/testing'
import { exportJWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import t, { type Test } from 'tap'
import authnCore from '../../mod_authn_core/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzUser from '../../mod_authz_user/src/index.ts'
import authBearer from '../src/index.ts'

const MODULES = [authnCore, authzCore, authzUser, authBearer]
const ISSUER = 'https://issuer.example'
const EC = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 })
const STRANGER = generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** An issuer: its document of keys, and answers about opaque tokens. */
class Issuer {
  readonly #server: Server
  keys: object[] = []
  isAway = false
  asked = 0
  introspected: (token: string, authorization: string) => object = () => ({ active: false })

  constructor() {
    this.#server = createServer((request, response) => {
      this.asked++
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => void chunks.push(chunk))
      request.on('end', () => {
        if (this.isAway) return void response.writeHead(503).end()
        const form = new URLSearchParams(Buffer.concat(chunks).toString())
        const body =
          request.method === 'POST'
            ? this.introspected(form.get('token') ?? '', request.headers.authorization ?? '')
            : { keys: this.keys }
        response.writeHead(200, { 'Content-Type': 'application/json', Connection: 'close' }).end(JSON.stringify(body))
      })
    })
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.keys = [await publicKey(EC.publicKey, 'ec'), await publicKey(RSA.publicKey, 'rsa')]
  }

  get url(): string {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('the issuer does not listen')
    return `http://127.0.0.1:${address.port}/`
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => void this.#server.close(() => resolve()))
  }
}

async function publicKey(key: KeyObject, kid: string): Promise<object> {
  return { ...(await exportJWK(key)), kid, use: 'sig' }
}

async function start(t: Test, more = '', others: readonly AnyModule[] = []): Promise<{ server: TestServer; issuer: Issuer }> {
  const issuer = new Issuer()
  await issuer.start()
  const server = await site({
    modules: [...MODULES, ...others],
    config: `<Location />
AuthType Bearer
AuthName api
AuthBearerKeys ${issuer.url}keys
AuthBearerAlgorithms ES256 RS256
AuthBearerIssuer ${ISSUER}
AuthBearerAudience api other
Require valid-user
</Location>
${more}`,
    files: { 'docs/f.txt': 'text', secret: 'the secret\n' },
  })
  t.teardown(async () => {
    await server.close()
    await issuer.stop()
  })
  return { server, issuer }
}

const seconds = (): number => Math.floor(Date.now() / 1000)

interface Made {
  readonly claims?: JWTPayload
  readonly header?: Record<string, unknown>
  readonly key?: KeyObject
  readonly alg?: string
}

function token({ claims = {}, header = {}, key = EC.privateKey, alg = 'ES256' }: Made = {}): Promise<string> {
  const all: JWTPayload = { iss: ISSUER, aud: 'api', sub: 'alice', exp: seconds() + 600, ...claims }
  for (const [name, value] of Object.entries(all)) if (value === undefined) delete all[name]
  return new SignJWT(all).setProtectedHeader({ alg, kid: 'ec', ...header }).sign(key)
}

const bearer = (text: string) => ({ target: '/f.txt', headers: { Authorization: `Bearer ${text}` } })

t.test('a good token admits its user, with keys of both kinds', async (t) => {
  const { server } = await start(t)
  t.match(await server.inject(bearer(await token())), { status: 200, body: 'text' })
  t.match(await server.inject(bearer(await token({ alg: 'RS256', key: RSA.privateKey, header: { kid: 'rsa' } }))), {
    status: 200,
  })
  t.match(
    await server.inject({
      target: '/f.txt',
      headers: { Authorization: `bearer   ${await token({ claims: { aud: ['x', 'other'] } })}` },
    }),
    { status: 200 },
  )
})

t.test('challenges are those of RFC 6750', async (t) => {
  const { server } = await start(t, '<Location /f.txt>\nRequire claim scope write\n</Location>')
  const none = await server.inject('/f.txt')
  t.equal(none.status, 401)
  t.equal(none.header('WWW-Authenticate'), 'Bearer realm="api"')
  t.equal((await server.inject(bearer('x.y.z'))).header('WWW-Authenticate'), 'Bearer realm="api", error="invalid_token"')
  const weak = await server.inject(bearer(await token({ claims: { scope: 'read' } })))
  t.equal(weak.status, 401)
  t.equal(weak.header('WWW-Authenticate'), 'Bearer realm="api", error="insufficient_scope"')
  t.equal((await server.inject(bearer(await token({ claims: { scope: 'read write' } })))).status, 200)
})

t.test('the attacks of RFC 8725 and their like are refused', async (t) => {
  const { server } = await start(t, '<Location /typed>\nAuthBearerTokenType at+jwt\n</Location>')
  const good = await token()
  const [head, body, signature] = good.split('.')
  const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const hmac = (alg: string, key: string | Buffer): string => {
    const input = `${encoded({ alg, kid: 'ec' })}.${body}`
    return `${input}.${createHmac('sha256', key).update(input).digest('base64url')}`
  }
  const pem = EC.publicKey.export({ type: 'spki', format: 'pem' })
  const unsecured = new UnsecuredJWT({ iss: ISSUER, aud: 'api', sub: 'alice', exp: seconds() + 600 }).encode()
  const own = await exportJWK(STRANGER.publicKey)
  const attacks: Readonly<Record<string, string>> = {
    'alg none': unsecured,
    'alg None': `${encoded({ alg: 'None' })}.${body}.`,
    'alg none with a signature': `${encoded({ alg: 'none' })}.${body}.${signature}`,
    'no signature': `${head}.${body}.`,
    'the public key as a secret (2.1)': hmac('HS256', pem),
    'the public key in DER as a secret': hmac('HS256', EC.publicKey.export({ type: 'spki', format: 'der' })),
    'an empty secret': hmac('HS256', ''),
    'an algorithm that is not named': await token({ alg: 'PS256', key: RSA.privateKey, header: { kid: 'rsa' } }),
    'the key of another algorithm': await token({ alg: 'RS256', key: RSA.privateKey, header: { kid: 'ec' } }),
    'a key of its own in jwk': await token({ key: STRANGER.privateKey, header: { jwk: own } }),
    'a key of its own at jku': await token({ key: STRANGER.privateKey, header: { jku: 'http://127.0.0.1:1/keys' } }),
    'a key of its own at x5u': await token({ key: STRANGER.privateKey, header: { x5u: 'http://127.0.0.1:1/cert' } }),
    'a key id that is a path': await token({ key: STRANGER.privateKey, header: { kid: '../../dev/null' } }),
    'a key id that is a query': await token({ key: STRANGER.privateKey, header: { kid: "x' UNION SELECT 'a" } }),
    'a key of somebody else': await token({ key: STRANGER.privateKey }),
    'a zero signature (CVE-2022-21449)': `${head}.${body}.${Buffer.alloc(64).toString('base64url')}`,
    'a signature in DER': `${head}.${body}.${Buffer.from([0x30, 6, 2, 1, 1, 2, 1, 1]).toString('base64url')}`,
    'a changed claim': `${head}.${encoded({ iss: ISSUER, aud: 'api', sub: 'admin', exp: seconds() + 600 })}.${signature}`,
    'an extension that is critical': `${encoded({ alg: 'ES256', kid: 'ec', crit: ['x'], x: 1 })}.${body}.${signature}`,
    'another issuer (3.8)': await token({ claims: { iss: 'https://other.example' } }),
    'an issuer with a slash': await token({ claims: { iss: `${ISSUER}/` } }),
    'no issuer': await token({ claims: { iss: undefined } }),
    'another audience (3.9)': await token({ claims: { aud: 'web' } }),
    'no audience': await token({ claims: { aud: undefined } }),
    'a part of the audience': await token({ claims: { aud: 'ap' } }),
    expired: await token({ claims: { exp: seconds() - 60 } }),
    'without an end': await token({ claims: { exp: undefined } }),
    'not valid yet': await token({ claims: { nbf: seconds() + 60 } }),
    'no user': await token({ claims: { sub: undefined } }),
    'an empty user': await token({ claims: { sub: '' } }),
    'a user with a line end': await token({ claims: { sub: 'a\nb' } }),
    'five parts (JWE)': `${good}.a.b`,
    'two tokens': `${good}, ${good}`,
    'a blank in it': `${head}. ${body}.${signature}`,
    'a line of 7,000 letters': 'a'.repeat(7_000),
    'not base64': '!!.!!.!!',
    'no JSON': `${Buffer.from('x').toString('base64url')}.${body}.${signature}`,
    nothing: '',
  }
  for (const [name, text] of Object.entries(attacks)) {
    const answer = await server.inject(bearer(text))
    t.equal(answer.status, 401, name)
    t.notMatch(answer.body, 'text')
  }
  for (const scheme of ['Basic', 'DPoP', 'BearerX', 'Token']) {
    t.equal((await server.inject({ target: '/f.txt', headers: { Authorization: `${scheme} ${good}` } })).status, 401, scheme)
  }
  t.equal((await server.inject(`/f.txt?access_token=${good}`)).status, 401, 'a token in the query')
  t.equal((await server.inject({ ...bearer(good), target: '/typed' })).status, 401, 'another type (3.11)')
  t.equal((await server.inject({ ...bearer(await token({ header: { typ: 'at+jwt' } })), target: '/typed' })).status, 404)
  t.equal((await server.inject(bearer(good))).status, 200)
  t.notMatch(moduleLog(server, 'auth_bearer').join('\n'), body, 'no token is logged')
})

t.test('clocks may differ by the skew', async (t) => {
  const { server } = await start(t, '<Location /exact>\nAuthBearerSkew 0\n</Location>')
  const late = await token({ claims: { exp: seconds() - 10 } })
  t.equal((await server.inject(bearer(late))).status, 200)
  t.equal((await server.inject({ ...bearer(late), target: '/exact' })).status, 401)
})

t.test('claims may be nested, lists, numbers and words of a text', async (t) => {
  const { server } = await start(
    t,
    [
      '<Location /role>\nRequire claim realm_access.roles admin root\n</Location>',
      '<Location /dotted>\nRequire claim "https://a.example/role" boss\n</Location>',
      '<Location /level>\nRequire claim level 3\n</Location>',
      '<Location /scope>\nRequire claim scope read\n</Location>',
      '<Location /proto>\nRequire claim __proto__.x y\n</Location>',
    ].join('\n'),
  )
  const claims = { realm_access: { roles: ['user', 'admin'] }, 'https://a.example/role': 'boss', level: 3, scope: 'openid read' }
  const all = await token({ claims })
  for (const target of ['/role', '/dotted', '/level', '/scope']) {
    t.equal((await server.inject({ ...bearer(all), target })).status, 404, target)
    t.equal((await server.inject({ ...bearer(await token()), target })).status, 401, target)
  }
  t.equal((await server.inject({ ...bearer(all), target: '/proto' })).status, 401)
})

t.test('keys that are new are fetched, and an outage of the issuer is not noticed', async (t) => {
  const { server, issuer } = await start(t)
  t.equal((await server.inject(bearer(await token()))).status, 200)
  t.equal(issuer.asked, 1)
  issuer.isAway = true
  t.equal((await server.inject(bearer(await token()))).status, 200)
  const unknown = await token({ key: STRANGER.privateKey, header: { kid: 'new' } })
  for (let index = 0; index < 5; index++) t.equal((await server.inject(bearer(unknown))).status, 401)
  t.ok(issuer.asked <= 2, 'invented key ids do not become questions')
})

t.test('an issuer that never answered is 503, and nobody is admitted', async (t) => {
  const { server, issuer } = await start(t)
  issuer.isAway = true
  t.equal((await server.inject(bearer(await token()))).status, 503)
  t.match(moduleLog(server, 'auth_bearer'), [/could not be verified: .*answered 503/])
})

t.test('a client that uses the server as a proxy is asked for a token by the fields of proxies', async (t) => {
  const forwarding = defineModule({
    name: 'forwarding_module',
    source: 'mod_forwarding.c',
    register({ hooks }) {
      hooks.postReadRequest.add((request) => {
        request.proxyRequest = 'forward'
        return DECLINED
      })
    },
  })
  const { server } = await start(t, '', [forwarding])
  const refused = await server.inject(bearer(await token()))
  t.equal(refused.status, 407)
  t.match(refused.header('Proxy-Authenticate'), /^Bearer/)
  t.equal(refused.header('WWW-Authenticate'), undefined)
  const admitted = await server.inject({ target: '/f.txt', headers: { 'Proxy-Authorization': `Bearer ${await token()}` } })
  t.not(admitted.status, 407)
})

t.test('opaque tokens are asked about, and what the issuer says counts', async (t) => {
  const { server, issuer } = await start(t, '')
  const other = await site({
    modules: MODULES,
    config: `<Location />
AuthType Bearer
AuthBearerIntrospection ${issuer.url}introspect client @ROOT@/secret
AuthBearerIssuer ${ISSUER}
AuthBearerAudience api
AuthBearerUserClaim username
Require claim scope read
</Location>`,
    files: { 'docs/f.txt': 'text', secret: 'the secret: é\n' },
  })
  t.teardown(() => other.close())
  const good = { active: true, username: 'bob', aud: 'api', scope: 'read', exp: seconds() + 60 }
  let authorized = ''
  issuer.introspected = (text, authorization) => {
    authorized = authorization
    return text === 'opaque' ? good : { active: false }
  }
  t.equal((await other.inject(bearer('opaque'))).status, 200)
  t.equal(Buffer.from(authorized.slice(6), 'base64').toString(), 'client:the%20secret%3A%20%C3%A9')
  t.equal((await other.inject(bearer('unknown'))).status, 401)
  for (const bad of [
    { active: false },
    { ...good, aud: 'web' },
    { ...good, aud: 'other api' },
    { ...good, aud: ['other api', 3] },
    { ...good, aud: undefined },
    { ...good, iss: 'https://other.example' },
    { ...good, exp: 1 },
    { ...good, username: undefined },
    { ...good, nbf: seconds() + 600 },
    { ...good, scope: 'write' },
  ]) {
    issuer.introspected = () => bad
    t.equal((await other.inject(bearer('opaque'))).status, 401, JSON.stringify(bad))
  }
  for (const broken of [{}, { active: 'true' }, []]) {
    issuer.introspected = () => broken
    t.equal((await other.inject(bearer('opaque'))).status, 503, JSON.stringify(broken))
  }
  t.ok(server)
})

t.test('a section without issuer, audience or algorithms is 500, and wrong lines are refused', async (t) => {
  const refused = (line: string) => configError({ modules: MODULES, config: `<Location /x>\n${line}\n</Location>` })
  for (const name of ['none', 'HS256', 'RS1', 'es256', 'RSA1_5'])
    t.match(await refused(`AuthBearerAlgorithms ${name}`), /is not one of RS256/, name)
  for (const url of ['http://issuer.example/keys', 'file:///etc/passwd', 'keys'])
    t.match(await refused(`AuthBearerKeys ${url}`), /must begin with https/, url)
  t.match(await refused('AuthBearerSkew 301'), /from 0 to 300/)
  t.match(await refused('AuthBearerIntrospection https://a.example/ client /no/file'), /cannot read the secret/)
  t.match(await refused('Require claim scope'), /needs a claim and values/)
  const server = await site({
    modules: MODULES,
    config: '<Location />\nAuthType Bearer\nAuthBearerKeys https://a.example/\nRequire valid-user\n</Location>',
  })
  t.teardown(() => server.close())
  t.equal((await server.inject('/')).status, 500)
  t.match(moduleLog(server, 'auth_bearer'), [/needs AuthBearerAlgorithms/])
})
