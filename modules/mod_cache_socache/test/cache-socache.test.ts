import { DECLINED, defineModule } from '@gatewright/api'
import { configError, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import cache from '../../mod_cache/src/index.ts'
import socacheShmcb from '../../mod_socache_shmcb/src/index.ts'
import { decodeEntry, encodeEntry } from '../src/entry.ts'
import cacheSocache from '../src/index.ts'

async function cachedSite(t: Test, lines = '') {
  const origin = {
    asked: 0,
    fields: { 'Cache-Control': 'max-age=600' } as Record<string, string>,
    streams: false,
    body: 'answer',
  }
  const originModule = defineModule({
    name: 'origin_module',
    source: 'mod_origin.c',
    register({ hooks }) {
      hooks.handler.add((request) => {
        if (request.handler !== 'origin') return DECLINED
        origin.asked++
        request.contentType = 'text/plain'
        for (const [name, value] of Object.entries(origin.fields)) request.headersOut.set(name, value)
        const body = `${origin.body} ${origin.asked}`
        return request.respond(origin.streams ? pieces(body) : body)
      })
    },
  })
  const config = [
    'CacheSocache shmcb:(200000)',
    'CacheEnable socache /',
    'CacheHeader on',
    '<Location />\nSetHandler origin\n</Location>',
    lines,
  ].join('\n')
  const server = await site({ modules: [authzCore, socacheShmcb, cache, cacheSocache, originModule], config })
  t.teardown(() => server.close())
  const seen = async (target: string, headers: Record<string, string> = {}, method = 'GET') => {
    const answer = await server.inject({ target, headers, method })
    return `${/^(\w+)/.exec(answer.header('X-Cache') ?? '')?.[1] ?? answer.status} ${answer.body}`
  }
  return { origin, seen, server }
}

async function* pieces(text: string): AsyncGenerator<string> {
  yield text.slice(0, 3)
  yield text.slice(3)
}

t.test('a response is asked for once', async (t) => {
  const { seen } = await cachedSite(t)
  t.equal(await seen('/a'), 'MISS answer 1')
  t.equal(await seen('/a'), 'HIT answer 1')
  t.equal(await seen('/b'), 'MISS answer 2')
})

t.test('a variant is sent only to requests with the same fields', async (t) => {
  const { seen, origin } = await cachedSite(t)
  origin.fields['Vary'] = 'Accept-Language'
  t.equal(await seen('/a', { 'Accept-Language': 'de' }), 'MISS answer 1')
  t.equal(await seen('/a', { 'Accept-Language': 'fr' }), 'MISS answer 2')
  t.equal(await seen('/a', { 'Accept-Language': 'de' }), 'HIT answer 1')
  t.equal(await seen('/a', { 'Accept-Language': 'fr' }), 'HIT answer 2')
})

t.test('a POST makes the response and its variants out of date', async (t) => {
  const { seen, origin } = await cachedSite(t)
  origin.fields['Vary'] = 'Accept-Language'
  t.equal(await seen('/a'), 'MISS answer 1')
  await seen('/a', {}, 'POST')
  t.match(await seen('/a'), / answer 3$/)
})

t.test('a response without a length, or longer than CacheSocacheMaxSize, is not stored', async (t) => {
  const { seen, origin } = await cachedSite(t, 'CacheSocacheMaxSize 1024')
  origin.body = 'x'.repeat(1100)
  t.match(await seen('/long'), /^MISS .* 1$/)
  t.match(await seen('/long'), /^MISS .* 2$/)
  origin.body = 'short'
  origin.streams = true
  t.equal(await seen('/stream'), 'MISS short 3')
  t.equal(await seen('/stream'), 'MISS short 4')
})

t.test('damaged entries are no entries', async (t) => {
  const entry = { record: { kind: 'vary', key: 'k', names: ['a'], generation: 'g' }, body: Buffer.from('body') } as const
  const bytes = encodeEntry(entry)
  t.same(decodeEntry(bytes), entry)
  for (let length = 0; length < bytes.length; length++) t.equal(decodeEntry(bytes.subarray(0, length)), null)
  for (let at = 0; at < bytes.length - entry.body.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] ^= 1
    t.equal(decodeEntry(changed), null, `byte ${at}`)
  }
})

t.test('wrong lines are refused with the messages of httpd', async (t) => {
  const refusal = (line: string) => configError({ modules: [socacheShmcb, cache, cacheSocache], config: line })
  t.match(
    await refusal('CacheSocache nosuch'),
    "Unknown socache provider 'nosuch'. Maybe you need to load the appropriate socache module (mod_socache_nosuch?)",
  )
  t.match(await refusal('CacheSocacheMaxSize 10'), /at least 1024 and at most \(4294967295U\)/)
  t.match(await refusal('CacheSocacheReadSize -1'), /must be a non-negative integer representing the max amount of data to cache/)
})

t.test('a server whose CacheSocache has a wrong argument does not start', async (t) => {
  const modules = [authzCore, socacheShmcb, cache, cacheSocache]
  await t.rejects(site({ modules, config: 'CacheSocache shmcb:(' }), /no closing parenthesis or cache size missing/)
})
