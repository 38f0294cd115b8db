import t from 'tap'
import type { DigestCredentials } from '../src/authorization.ts'
import { type Client, newClient } from '../src/clients.ts'
import { useNonce } from '../src/nonce-use.ts'
import { authorization, challengeOf } from './support/client.ts'
import { Trial } from './support/trial.ts'

const NOW = 1_795_270_000_000_000
const SECOND = 1e6

const credentials = (count: string): DigestCredentials => ({
  username: 'bob',
  realm: 'R',
  nonce: 'N',
  uri: '/',
  response: '',
  algorithm: null,
  opaque: '1f',
  qop: 'auth',
  cnonce: 'c',
  count,
})

t.test('AuthDigestNonceLifetime limits the use of a nonce', async (t) => {
  const code = (nonceLifetime: number | undefined, age: number): string | undefined =>
    useNonce(credentials('1'), { nonceLifetime }, NOW - age * SECOND, NOW, undefined)?.code
  t.equal(code(undefined, 300), undefined)
  t.equal(code(undefined, 300.001), 'AH01778')
  t.equal(code(10, 10), undefined)
  t.equal(code(10, 10.5), 'AH01778')
  t.equal(code(10, -0.5), undefined, 'clocks may differ a little')
  t.equal(code(10, -2), 'AH01777')
  t.equal(code(-1, 1e6), undefined, 'for ever')
  t.match(useNonce(credentials('1'), { nonceLifetime: 10 }, NOW - 12.9 * SECOND, NOW, undefined), {
    level: 'info',
    text: 'user bob: nonce expired (12.00 seconds old - max lifetime 10.00) - sending new nonce',
    stale: true,
  })
  t.match(useNonce(credentials('1'), {}, NOW + 2 * SECOND, NOW, undefined), { level: 'error', stale: true })
})

t.test('with AuthDigestNcCheck each count of a nonce is accepted once, in ascending order', async (t) => {
  const client: Client = newClient()
  const use = (moment: number, count: string): string | null =>
    useNonce(credentials(count), { checkCount: true }, NOW + moment, NOW, client)?.code ?? null
  t.equal(use(1, '00000001'), null)
  t.equal(use(1, '00000005'), null, 'counts may be left out')
  t.equal(use(1, '00000005'), 'AH01774')
  t.equal(use(1, '00000002'), 'AH01774')
  t.equal(use(2, '0'), 'AH01774')
  t.equal(use(2, '00000001'), null, 'a newer nonce begins again')
  t.equal(use(1, '00000009'), 'AH01774', 'and ends the older one')
  t.equal(use(2, 'A'), null)
  t.equal(use(2, '0000000b'), null)
  for (const count of ['zz', '1 ', '-1', '0x1', '1'.repeat(14)]) t.equal(use(3, count), 'AH01773', count)
  t.equal(
    useNonce(credentials('c'), { checkCount: true }, NOW, NOW, undefined)?.code,
    'AH10618',
    'who is unknown gets a new nonce',
  )
})

t.test('with a lifetime of 0 each nonce is accepted once', async (t) => {
  const client: Client = newClient()
  const use = (number: number): string | null =>
    useNonce(credentials('1'), { nonceLifetime: 0 }, number, NOW, client)?.code ?? null
  t.equal(use(1), null)
  t.equal(use(1), 'AH01779')
  t.equal(use(3), null)
  t.equal(use(2), 'AH01779', 'those that were made before it are void')
  t.equal(use(NOW), 'AH01779', 'a nonce of another kind is refused')
  t.equal(use(4), null, 'and does no harm')
})

t.test('a replayed request is refused, and its client is not affected', async (t) => {
  const trial = await Trial.start(t, { '/a': 'AuthDigestNcCheck On' })
  const { nonce, opaque } = await trial.challenge('/a/f')
  const captured = authorization({ uri: '/a/f', nonce, opaque })
  t.equal((await trial.ask('/a/f', captured)).status, 200)
  const replayed = await trial.ask('/a/f', captured)
  t.equal(replayed.status, 401)
  t.match(replayed.log[0], 'AH01774: Warning, possible replay attack: nonce-count check failed: 1 is not above 1 for nonce')
  t.notMatch(replayed.challenge, 'stale')
  t.equal((await trial.ask('/a/f', authorization({ uri: '/a/f', nonce, opaque, nc: '00000002' }))).status, 200)
  const withoutName = await trial.ask('/a/f', authorization({ uri: '/a/f', nonce, nc: '00000003' }))
  t.match(withoutName.challenge, 'stale=true', 'a nonce belongs to its client')
})

t.test('the response contains the next one-time nonce', async (t) => {
  const trial = await Trial.start(t, { '/a': 'AuthDigestNonceLifetime 0' })
  const { nonce, opaque } = await trial.challenge('/a/f')
  const first = authorization({ uri: '/a/f', nonce, opaque })
  const { status, info } = await trial.ask('/a/f', first)
  const next = /nextnonce="([^"]+)"/.exec(info ?? '')?.[1] ?? ''
  t.equal(status, 200)
  t.equal((await trial.ask('/a/f', authorization({ uri: '/a/f', nonce: next, opaque }))).status, 200)
  const again = await trial.ask('/a/f', first)
  t.equal(again.status, 401)
  t.match(again.log[0], /^\[auth_digest:info\] AH01779: user bob: one-time-nonce \S{52} already used - sending new nonce$/)
  const fresh = challengeOf(again.challenge)
  t.equal(fresh.stale, 'true')
  t.equal((await trial.ask('/a/f', authorization({ uri: '/a/f', nonce: fresh.nonce, opaque: fresh.opaque }))).status, 200)
})

t.test('the response contains the next nonce if the current one expires soon', async (t) => {
  const trial = await Trial.start(
    t,
    { '/a': 'AuthDigestNonceLifetime 20', '/b': 'AuthDigestNonceLifetime 31' },
    { 'docs/b/f': 'f' },
  )
  t.match((await trial.claim('/a/f')).info, /nextnonce="\S{52}"/)
  t.notMatch((await trial.claim('/b/f')).info, 'nextnonce')
})

t.test('an opaque value that no server sent is refused', async (t) => {
  const trial = await Trial.start(t, { '/a': '' })
  for (const opaque of ['x', '', '0', '1z']) {
    const answer = await trial.claim('/a/f', { opaque })
    t.equal(answer.status, 401)
    t.same(answer.log, [`[auth_digest:error] AH01787: received invalid opaque - got \`${opaque}'`])
    t.match(answer.challenge, /opaque="\w{16}", stale=true/)
  }
})
