import { site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import headers from '../../mod_headers/src/index.ts'
import uniqueId from '../src/index.ts'
import { UniqueIds } from '../src/unique-ids.ts'

t.test('an identifier consists of time, random bytes, counter and the rounds of the counter', (t) => {
  const ids = new UniqueIds((size) => Buffer.alloc(size, 0xff))
  const second = 0x6ac30381
  const first = Buffer.from(ids.next(second * 1000 + 999), 'base64url')
  t.equal(first.length, 20)
  t.equal(first.readUInt32BE(0), second)
  t.same(first.subarray(4, 14), Buffer.alloc(10, 0xff))
  t.equal(first.readUInt16BE(14), 0xffff)
  t.equal(first.readUInt32BE(16), 0)
  const next = Buffer.from(ids.next(second * 1000), 'base64url')
  t.equal(next.readUInt16BE(14), 0, 'the counter begins again')
  t.equal(next.readUInt32BE(16), 1, 'and its rounds are counted')
  t.end()
})

t.test('200,000 identifiers of one second differ', (t) => {
  const ids = new UniqueIds()
  const made = new Set<string>()
  for (let count = 0; count < 200_000; count++) made.add(ids.next(1000))
  t.equal(made.size, 200_000)
  for (const id of made) if (!/^[\w-]{27}$/.test(id)) t.fail(id)
  t.end()
})

t.test('each request has its identifier, and keeps it when it is redirected internally', async (t) => {
  const server = await site({
    modules: [authzCore, headers, uniqueId],
    config: `ErrorDocument 404 /page.txt
Header always set X-Id "%{UNIQUE_ID}e"
Header always set X-First "%{REDIRECT_UNIQUE_ID}e"`,
    files: { 'docs/page.txt': 'p\n' },
  })
  t.teardown(() => server.close())
  const one = await server.inject('/page.txt')
  const two = await server.inject({ target: '/page.txt', headers: { 'X-Request-Id': 'given' } })
  t.match(one.header('x-id'), /^[\w-]{27}$/)
  t.not(one.header('x-id'), two.header('x-id'))
  const redirected = await server.inject('/missing')
  t.equal(redirected.status, 404)
  t.equal(redirected.header('x-id'), redirected.header('x-first'))
})
