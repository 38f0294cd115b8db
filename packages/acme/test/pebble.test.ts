import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { certificateRequest } from '@gatewright/x509'
import t, { type Test } from 'tap'
import { freePorts, hasPebble, type Pebble, type PebbleOptions, startPebble } from '../../../test/acme/pebble.ts'
import {
  type AccountPlan,
  AcmeSession,
  type ChallengeType,
  dnsRecordOf,
  HttpsClient,
  type OrderEvents,
  obtainCertificate,
  openAccount,
  readDirectory,
} from '../src/index.ts'

const skip = hasPebble() ? false : 'pebble is not installed'
const ACCOUNT: AccountPlan = { url: '', contacts: ['mailto:admin@example.org'], agreed: true }

/** A CA and what answers its questions on port 80. */
async function authority(
  t: Test,
  options: Partial<PebbleOptions> = {},
): Promise<{ pebble: Pebble; answers: Map<string, string> }> {
  const answers = new Map<string, string>()
  const server = createServer((request, response) => {
    const text = answers.get(request.url?.replace('/.well-known/acme-challenge/', '') ?? '')
    response.statusCode = text === undefined ? 404 : 200
    response.end(text)
  })
  const [httpPort, tlsPort] = await freePorts(2)
  await new Promise<void>((resolve) => server.listen(httpPort, '127.0.0.1', resolve))
  const pebble = await startPebble({ folder: t.testdir({}), httpPort, tlsPort, ...options })
  t.teardown(async () => {
    server.close()
    await pebble.stop()
  })
  return { pebble, answers }
}

async function session(t: Test, pebble: Pebble, plan: AccountPlan = ACCOUNT): Promise<AcmeSession> {
  const client = new HttpsClient({ product: 'Gatewright', authorities: readFileSync(pebble.authority, 'utf8') })
  t.teardown(() => client.close())
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const session = new AcmeSession(client, await readDirectory(client, pebble.directory), key)
  await openAccount(session, plan)
  return session
}

function order(domains: readonly string[], types: readonly ChallengeType[]) {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { domains, csr: certificateRequest({ key: privateKey, hosts: domains }), challengesFor: () => types, key: privateKey }
}

function events(answers: Map<string, string>, pebble: Pebble): OrderEvents {
  return {
    setUp: async (challenge) => {
      if (challenge.type === 'dns-01') await pebble.setTxt(`_acme-challenge.${challenge.domain}.`, dnsRecordOf(challenge))
      else answers.set(challenge.token, challenge.keyAuthorization)
    },
    tearDown: async (challenge) => {
      answers.delete(challenge.token)
    },
    progress: () => undefined,
  }
}

t.test('a certificate is obtained by http-01, although every second nonce is refused', { skip }, async (t) => {
  const { pebble, answers } = await authority(t, { badNonces: 50 })
  const plan = order(['a.example.org', 'b.example.org'], ['http-01'])
  const chain = await obtainCertificate(await session(t, pebble), plan, events(answers, pebble))
  const [own] = chain.map((pem) => new X509Certificate(pem))
  t.equal(chain.length, 2)
  t.ok(own.checkPrivateKey(plan.key))
  t.match(own.subjectAltName, /DNS:a\.example\.org, DNS:b\.example\.org/)
  t.equal(answers.size, 0, 'the answers are taken away')
})

t.test('a wildcard is proven by dns-01', { skip }, async (t) => {
  const { pebble, answers } = await authority(t)
  const plan = order(['*.example.org', 'other.example.net'], ['dns-01'])
  const [own] = await obtainCertificate(await session(t, pebble), plan, events(answers, pebble))
  t.match(new X509Certificate(own).subjectAltName, /\*\.example\.org/)
})

t.test('a wrong answer is reported with the words of the CA', { skip }, async (t) => {
  const { pebble } = await authority(t)
  const refused = obtainCertificate(await session(t, pebble), order(['a.example.org'], ['http-01']), {
    setUp: async () => undefined,
    tearDown: async () => undefined,
    progress: () => undefined,
  })
  await t.rejects(refused, {
    name: 'AcmeFailure',
    message: /^domain authorization for a\.example\.org failed, CA considers answer to challenge invalid: /,
  })
})

t.test('an external account is bound to the account, and required where the CA says so', { skip }, async (t) => {
  const { pebble } = await authority(t, {
    externalKeys: { 'kid-1': 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W' },
  })
  const binding = { kid: 'kid-1', hmac: 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W' }
  await t.resolves(session(t, pebble, { ...ACCOUNT, binding }))
  await t.rejects(session(t, pebble), { message: /^acme problem urn:ietf:params:acme:error:externalAccountRequired/ })
  await t.rejects(session(t, pebble, { ...ACCOUNT, binding: { ...binding, hmac: 'AAAA' } }), { name: 'AcmeFailure' })
  await t.rejects(session(t, pebble, { ...ACCOUNT, binding: { ...binding, hmac: '%' } }), {
    message: 'external account binding HMAC value is not valid base64',
  })
})

t.test('terms of service are never agreed to without the operator', { skip }, async (t) => {
  const { pebble } = await authority(t)
  await t.rejects(session(t, pebble, { ...ACCOUNT, agreed: false }), { message: /configure "MDCertificateAgreement accepted"/ })
})

t.test('a known account is used again, and one that the CA has forgotten is registered again', { skip }, async (t) => {
  const { pebble } = await authority(t)
  const first = await session(t, pebble)
  const again = new AcmeSession(first.client, first.directory, first.key)
  t.match(await openAccount(again, { ...ACCOUNT, url: first.account }), { url: first.account, isNew: false })
  const other = new AcmeSession(first.client, first.directory, generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)
  t.match(await openAccount(other, { ...ACCOUNT, url: `${first.account.replace(/\/[^/]*$/, '')}/none` }), { isNew: true })
})

t.test('a CA whose certificate comes from another authority is not spoken to', { skip }, async (t) => {
  const { pebble } = await authority(t)
  const client = new HttpsClient({ product: 'Gatewright' })
  t.teardown(() => client.close())
  await t.rejects(readDirectory(client, pebble.directory), {
    message: /^Unsuccessful in contacting ACME server at <https:.*certificate/,
  })
  await t.rejects(readDirectory(client, pebble.directory.replace('https', 'http')), {
    message: /must be addressed by an https: URL/,
  })
})
