import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import t, { type Test } from 'tap'
import {
  AcmeFailure,
  AcmeSession,
  chainFrom,
  HttpsClient,
  obtainCertificate,
  type ProxyOptions,
  readDirectory,
  renewalWindow,
} from '../src/index.ts'
import { type FakeAuthority, fakeAuthority } from './fake-authority.ts'

type Answers = Readonly<Record<string, { status?: number; headers?: Record<string, string>; body?: unknown }>>

/** A CA with these answers by path; URLs in them are relative to it. */
function authorityOf(t: Test, answers: Answers): Promise<FakeAuthority> {
  return fakeAuthority(t, (request, response, url) => {
    const { status = 200, headers = {}, body = {} } = answers[request.url ?? ''] ?? { status: 404 }
    response.writeHead(status, { 'Replay-Nonce': 'n0nce', ...headers })
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    response.end(text.replaceAll('@', url))
  })
}

const DIRECTORY = {
  newNonce: '@/nonce',
  newAccount: '@/account',
  newOrder: '@/order',
  renewalInfo: '@/ari',
  meta: { profiles: { short: 'x' } },
}

function client(t: Test, { authority }: FakeAuthority, proxy?: ProxyOptions): HttpsClient {
  const made = new HttpsClient({ product: 'Test', authorities: authority, ...(proxy !== undefined && { proxy }) })
  t.teardown(() => made.close())
  return made
}

async function failure(act: Promise<unknown>): Promise<AcmeFailure> {
  try {
    await act
  } catch (error) {
    if (error instanceof AcmeFailure) return error
    throw error
  }
  throw new Error('nothing failed')
}

t.test('an answer that is too long, no JSON, or no directory is refused', async (t) => {
  const ca = await authorityOf(t, {
    '/long': { body: 'x'.repeat(600 * 1024) },
    '/text': { body: 'hello' },
    '/list': { body: '[]' },
    '/empty': { body: {} },
  })
  for (const path of ['/long', '/text', '/list', '/empty', '/none']) {
    t.type(await failure(readDirectory(client(t, ca), ca.url + path)), AcmeFailure, path)
  }
  t.match((await failure(readDirectory(client(t, ca), `${ca.url}/long`))).message, /longer than 524288 bytes/)
})

t.test('what a CA says cannot forge log lines, and its wait is kept', async (t) => {
  const detail = `slow down\n[Mon Jan 01] [md:emerg] forged ${'x'.repeat(2_000)}`
  const headers = { 'Content-Type': 'application/problem+json', 'Retry-After': '120' }
  const ca = await authorityOf(t, {
    '/dir': { status: 429, headers, body: { type: 'urn:ietf:params:acme:error:rateLimited', detail } },
    '/date': { status: 503, headers: { 'Retry-After': new Date(Date.now() + 60_000).toUTCString() } },
    '/far': { status: 503, headers: { 'Retry-After': '999999999' } },
  })
  const limited = await failure(readDirectory(client(t, ca), `${ca.url}/dir`))
  t.equal(limited.kind, 'rateLimited')
  t.equal(limited.retryAfter, 120_000)
  t.notMatch(limited.message, /\n/)
  t.ok(limited.message.length < 1_200)
  const dated = await failure(readDirectory(client(t, ca), `${ca.url}/date`))
  t.ok(dated.retryAfter > 30_000 && dated.retryAfter <= 60_000)
  t.equal((await failure(readDirectory(client(t, ca), `${ca.url}/far`))).retryAfter, 86_400_000, 'a day at most')
})

t.test('redirects are not followed', async (t) => {
  const ca = await authorityOf(t, { '/dir': { status: 302, headers: { Location: 'https://localhost:1/' } } })
  t.match((await failure(readDirectory(client(t, ca), `${ca.url}/dir`))).message, /responded with HTTP status 302/)
})

t.test('an authorization for a name that was not ordered is refused', async (t) => {
  const authorization = {
    status: 'pending',
    identifier: { type: 'dns', value: '../../etc' },
    challenges: [{ type: 'http-01', token: 'token', url: '@/challenge' }],
  }
  const ca = await authorityOf(t, {
    '/dir': { body: DIRECTORY },
    '/nonce': {},
    '/order': { status: 201, headers: { Location: 'https://localhost/o' }, body: { authorizations: ['@/authz'] } },
    '/authz': { body: authorization },
  })
  const https = client(t, ca)
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const session = new AcmeSession(https, await readDirectory(https, `${ca.url}/dir`), key)
  const setUp: string[] = []
  const plan = { domains: ['a.example.org'], csr: Buffer.alloc(1), challengesFor: () => ['http-01'] as const }
  const refused = await failure(
    obtainCertificate(session, plan, {
      setUp: async ({ domain }) => void setUp.push(domain),
      tearDown: async () => undefined,
      progress: () => undefined,
    }),
  )
  t.match(refused.message, /is about a name that was not ordered: \.\.\/\.\.\/etc/)
  t.same(setUp, [])
})

t.test('renewal information is a window with an explanation, or nothing', async (t) => {
  const window = (start: string, end: string, more = {}): { body: unknown } => ({
    body: { suggestedWindow: { start, end }, ...more },
  })
  const ca = await authorityOf(t, {
    '/dir': { body: DIRECTORY },
    '/ari/good': {
      ...window('2027-01-02T04:00:00Z', '2027-01-03T04:00:00Z', { explanationURL: 'https://ca.test/why' }),
      headers: { 'Retry-After': '21600' },
    },
    '/ari/reversed': window('2027-01-03T04:00:00Z', '2027-01-02T04:00:00Z'),
    '/ari/odd': window('soon', 'later'),
    '/ari/link': window('2027-01-02T04:00:00Z', '2027-01-03T04:00:00Z', { explanationURL: 'javascript:alert(1)' }),
  })
  const https = client(t, ca)
  const directory = await readDirectory(https, `${ca.url}/dir`)
  t.same(directory.profiles, ['short'])
  t.same(await renewalWindow(https, directory, 'good'), {
    start: Date.UTC(2027, 0, 2, 4),
    end: Date.UTC(2027, 0, 3, 4),
    explanation: 'https://ca.test/why',
    retryAfter: 21_600_000,
  })
  t.equal(await renewalWindow(https, directory, 'reversed'), null)
  t.equal(await renewalWindow(https, directory, 'odd'), null)
  t.match(await renewalWindow(https, directory, 'link'), { explanation: '' })
  t.equal(await renewalWindow(https, { ...directory, renewalInfo: '' }, 'good'), null)
  t.match((await failure(renewalWindow(https, directory, 'none'))).message, /HTTP status 404/)
})

t.test('a CA is reached through a proxy, which gets its credentials and sees no request', async (t) => {
  const ca = await authorityOf(t, { '/dir': { body: DIRECTORY } })
  const seen: (string | undefined)[] = []
  const proxy = createServer((_request, response) => response.writeHead(405).end())
  proxy.on('connect', (request, socket) => {
    seen.push(request.url, request.headers['proxy-authorization'])
    if (request.headers['proxy-authorization'] === undefined) return socket.end('HTTP/1.1 407 No\r\n\r\n')
    const onward = connect(Number(request.url?.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.pipe(onward)
      onward.pipe(socket)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  t.teardown(() => proxy.close())
  const address = proxy.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  await readDirectory(client(t, ca, { url: `http://user:pass@127.0.0.1:${port}` }), `${ca.url}/dir`)
  t.same(seen, [ca.url.replace('https://', ''), `Basic ${Buffer.from('user:pass').toString('base64')}`])
  const refused = await failure(readDirectory(client(t, ca, { url: `http://127.0.0.1:${port}` }), `${ca.url}/dir`))
  t.match(refused.message, /the proxy answers 407/)
})

t.test('a proxy of https is spoken to only if its certificate comes from the right authority', async (t) => {
  const ca = await authorityOf(t, { '/dir': { body: DIRECTORY } })
  const proxy = await fakeAuthority(t, (_request, response) => response.writeHead(405).end())
  const seen: (string | undefined)[] = []
  proxy.server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    seen.push(request.url)
    const onward = connect(Number(request.url?.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.pipe(onward)
      onward.pipe(socket)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  const through = (authorities: string): ProxyOptions => ({ url: proxy.url, authorities })
  const { newOrder } = await readDirectory(client(t, ca, through(proxy.authority)), `${ca.url}/dir`)
  t.equal(newOrder, `${ca.url}/order`)
  t.same(seen, [ca.url.replace('https://', '')])
  const foreign = await failure(readDirectory(client(t, ca, through(ca.authority)), `${ca.url}/dir`))
  t.match(foreign.message, /certificate/)
  t.equal(seen.length, 1, 'nothing was asked')
})

t.test('a chain consists of certificates', async (t) => {
  t.throws(() => chainFrom('', 'https://ca'), AcmeFailure)
  t.throws(() => chainFrom('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', 'https://ca'), AcmeFailure)
})
