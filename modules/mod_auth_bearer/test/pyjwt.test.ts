import { spawnSync } from 'node:child_process'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { site } from '@gatewright/testing'
import { exportJWK } from 'jose'
import t from 'tap'
import authnCore from '../../mod_authn_core/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzUser from '../../mod_authz_user/src/index.ts'
import authBearer from '../src/index.ts'

/** Debian's, which has the packages of python3-jwt and python3-cryptography. */
const PYTHON = '/usr/bin/python3'
const ISSUER = 'https://issuer.example'
const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 })
const PAIRS: Readonly<Record<string, { readonly publicKey: KeyObject; readonly privateKey: KeyObject }>> = {
  RS256: RSA,
  RS512: RSA,
  PS256: RSA,
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  EdDSA: generateKeyPairSync('ed25519'),
  stranger: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
}
const NAMES = ['RS256', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA']

interface Asked {
  readonly alg: string
  /** The name of another key than that of the algorithm. */
  readonly key?: string
  readonly by?: 'hand'
  /** The key of HMAC for tokens by hand; '' for no signature. */
  readonly secret?: string
  readonly claims?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, unknown>>
}

function tokens(all: readonly Asked[]): readonly string[] {
  const now = Math.floor(Date.now() / 1_000)
  const usual = { iss: ISSUER, aud: 'api', sub: 'alice', iat: now, exp: now + 600 }
  const keys = Object.fromEntries(
    Object.entries(PAIRS).map(([name, { privateKey }]) => [name, privateKey.export({ type: 'pkcs8', format: 'pem' })]),
  )
  const input = JSON.stringify({
    keys,
    tokens: all.map((asked) => ({
      ...asked,
      claims: { ...usual, ...asked.claims },
      headers: { kid: kidOf(asked.alg), ...asked.headers },
    })),
  })
  const { stdout, stderr, status } = spawnSync(PYTHON, [join(import.meta.dirname, 'pyjwt-tokens.py')], {
    input,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  const made: readonly string[] = JSON.parse(stdout)
  return made
}

/** RSA keys are used with several algorithms. */
function kidOf(alg: string): string {
  return /^(?:RS|PS)/.test(alg) ? 'rsa' : alg
}

const hasPyJwt = spawnSync(PYTHON, ['-c', 'import jwt, cryptography']).status === 0

t.test('tokens of PyJWT', { skip: !hasPyJwt && 'python3-jwt is not installed' }, async (t) => {
  const kept = new Map(NAMES.map((alg) => [kidOf(alg), PAIRS[alg].publicKey]))
  const keys = await Promise.all([...kept].map(async ([kid, key]) => ({ ...(await exportJWK(key)), kid })))
  const issuer = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ keys }))
  })
  await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    issuer.closeAllConnections()
    issuer.close()
  })
  const address = issuer.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const server = await site({
    modules: [authnCore, authzCore, authzUser, authBearer],
    config: `<Location />
AuthType Bearer
AuthName api
AuthBearerKeys http://127.0.0.1:${port}/keys
AuthBearerAlgorithms ${NAMES.join(' ')}
AuthBearerIssuer ${ISSUER}
AuthBearerAudience api
Require valid-user
</Location>`,
    files: { 'docs/f.txt': 'text' },
  })
  t.teardown(() => server.close())
  const statusOf = async (token: string): Promise<number> =>
    (await server.inject({ target: '/f.txt', headers: { Authorization: `Bearer ${token}` } })).status

  t.test('admit their users, whatever the algorithm', async (t) => {
    const made = tokens(NAMES.map((alg) => ({ alg })))
    for (const [index, alg] of NAMES.entries()) t.equal(await statusOf(made[index]), 200, alg)
  })

  t.test('are refused if they are attacks', async (t) => {
    const now = Math.floor(Date.now() / 1_000)
    const publicPem = String(RSA.publicKey.export({ type: 'spki', format: 'pem' }))
    const attacks: Readonly<Record<string, Asked>> = {
      'no signature': { alg: 'none' },
      'no signature, in other letters': { alg: 'nOnE', by: 'hand', secret: '' },
      'an algorithm without its signature': { alg: 'RS256', by: 'hand', secret: '' },
      'the public key as a secret': { alg: 'HS256', by: 'hand', secret: publicPem, headers: { kid: 'rsa' } },
      'an algorithm that is not allowed': { alg: 'RS384', key: 'RS256' },
      'the key of a stranger': { alg: 'ES256', key: 'stranger' },
      'the key of a stranger in the token': {
        alg: 'ES256',
        key: 'stranger',
        headers: { jwk: PAIRS.stranger.publicKey.export({ format: 'jwk' }) },
      },
      'an address of keys in the token': { alg: 'ES256', key: 'stranger', headers: { jku: 'http://127.0.0.1:9/keys' } },
      'an extension that nobody knows': { alg: 'ES256', headers: { crit: ['x'], x: 1 } },
      'a key of another kind': { alg: 'ES256', headers: { kid: 'rsa' } },
      'a key name that is a path': { alg: 'ES256', key: 'stranger', headers: { kid: '../../dev/null' } },
      'another issuer': { alg: 'ES256', claims: { iss: `${ISSUER}.evil.example` } },
      'another audience': { alg: 'ES256', claims: { aud: 'other' } },
      'no audience': { alg: 'ES256', claims: { aud: null } },
      'an expired one': { alg: 'ES256', claims: { exp: now - 3_600 } },
      'one without an end': { alg: 'ES256', claims: { exp: null } },
      'an end that is a text': { alg: 'ES256', by: 'hand', secret: 'x', claims: { exp: '9999999999' } },
      'one for later': { alg: 'ES256', claims: { nbf: now + 3_600 } },
      'no user': { alg: 'ES256', claims: { sub: null } },
    }
    const made = tokens(Object.values(attacks))
    for (const [index, name] of Object.keys(attacks).entries()) t.equal(await statusOf(made[index]), 401, name)
    const [good] = tokens([{ alg: 'ES256' }])
    const [head, claims, signature] = good.split('.')
    t.equal(await statusOf(`${head}.${claims}.${signature.slice(0, -4)}AAAA`), 401, 'a changed signature')
    t.equal(await statusOf(`${head}.${Buffer.from('{"sub":"root"}').toString('base64url')}.${signature}`), 401, 'changed claims')
    t.equal(await statusOf(`${head}.${claims}.`), 401, 'a signature that is cut off')
    t.equal(await statusOf(good), 200)
  })
})
