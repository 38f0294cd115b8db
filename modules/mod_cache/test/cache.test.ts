import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { configError } from '@gatewright/testing'
import t from 'tap'
import cache from '../src/index.ts'
import { cachedSite } from './support/cached-site.ts'

/** The files of stored heads and bodies. */
function stored(store: string, extension: string): string[] {
  return readdirSync(store, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(extension))
    .map((name) => join(store, name))
}

const VARIED = { 'Cache-Control': 'max-age=600', Vary: 'Accept-Language' }

t.test('a response is asked for once, and each host and query has its own', async (t) => {
  const { seen } = await cachedSite(t, 'CacheEnable disk /')
  t.equal(await seen('/origin'), 'MISS answer 1')
  t.equal(await seen('/origin'), 'HIT answer 1')
  t.equal(await seen('/origin', { Host: 'other.example' }), 'MISS answer 2')
  t.equal(await seen('/origin', { Host: 'LOCALHOST' }), 'HIT answer 1')
  t.equal(await seen('/origin?a'), 'MISS answer 3')
  t.equal(await seen('/origin?a&b'), 'MISS answer 4')
})

t.test('hosts that clients name alike share nothing if other addresses lead to them', async (t) => {
  const host = (port: number) =>
    `<VirtualHost 127.0.0.1:${port}>\nServerName of${port}\nUseCanonicalPhysicalPort off\n</VirtualHost>`
  const { server } = await cachedSite(t, `CacheEnable disk /\n${host(80)}\n${host(81)}`)
  const ask = async (localPort: number) =>
    (await server.inject({ target: '/origin', localAddress: '127.0.0.1', localPort, headers: { Host: 'same' } })).body
  t.equal(await ask(80), 'answer 1')
  t.equal(await ask(81), 'answer 2')
  t.equal(await ask(80), 'answer 1')
  t.equal(await ask(81), 'answer 2')
})

t.test('a variant is sent only to requests with the same fields', async (t) => {
  const { seen, origin } = await cachedSite(t, 'CacheEnable disk /')
  origin.fields = VARIED
  t.equal(await seen('/origin', { 'Accept-Language': 'de' }), 'MISS answer 1')
  t.equal(await seen('/origin', { 'Accept-Language': 'fr' }), 'MISS answer 2')
  t.equal(await seen('/origin'), 'MISS answer 3')
  t.equal(await seen('/origin', { 'Accept-Language': 'de' }), 'HIT answer 1')
  t.equal(await seen('/origin', { 'Accept-Language': 'fr' }), 'HIT answer 2')
  t.equal(await seen('/origin', { 'Accept-Language': 'DE' }), 'MISS answer 4')
  t.equal(await seen('/origin'), 'HIT answer 3')
})

t.test('the fields of the request count as they were sent, before lines change them', async (t) => {
  const { seen, origin } = await cachedSite(t, 'CacheEnable disk /\nRequestHeader set Accept-Language xx')
  origin.fields = VARIED
  t.equal(await seen('/origin', { 'Accept-Language': 'de' }), 'MISS answer 1')
  t.equal(await seen('/origin', { 'Accept-Language': 'xx' }), 'MISS answer 2')
  t.equal(await seen('/origin', { 'Accept-Language': 'de' }), 'HIT answer 1')
})

t.test('a POST makes all variants out of date, unless it fails', async (t) => {
  const { seen, origin, get } = await cachedSite(t, 'CacheEnable disk /')
  origin.fields = VARIED
  for (const language of ['de', 'fr']) await get('/origin', { 'Accept-Language': language })
  origin.status = 400
  await get('/origin', {}, { method: 'POST' })
  t.equal(await seen('/origin', { 'Accept-Language': 'de' }), 'HIT answer 1')
  origin.status = 200
  await get('/origin', {}, { method: 'POST' })
  t.match(await seen('/origin', { 'Accept-Language': 'de' }), /^MISS/)
  t.match(await seen('/origin', { 'Accept-Language': 'fr' }), /^MISS/)
})

t.test('with the quick handler, requests with Authorization are neither answered nor stored', async (t) => {
  const { seen, origin } = await cachedSite(t, 'CacheEnable disk /')
  origin.fields = { 'Cache-Control': 'public, max-age=600' }
  t.equal(await seen('/origin', { Authorization: 'Basic eDp5' }), '200 answer 1')
  t.equal(await seen('/origin'), 'MISS answer 2')
  t.equal(await seen('/origin', { Authorization: 'Basic eDp5' }), '200 answer 3')
})

t.test('without it, an answer to Authorization is stored only if its origin allows that', async (t) => {
  const { seen, origin } = await cachedSite(t, 'CacheQuickHandler off\nCacheEnable disk /')
  t.equal(await seen('/origin', { Authorization: 'Basic eDp5' }), 'MISS answer 1')
  t.equal(await seen('/origin'), 'MISS answer 2')
  origin.fields = { 'Cache-Control': 's-maxage=600' }
  t.equal(await seen('/origin?s', { Authorization: 'Basic eDp5' }), 'MISS answer 3')
  t.equal(await seen('/origin?s'), 'HIT answer 3')
})

t.test('access control comes after the quick handler and before the normal one', async (t) => {
  const guarded = '<Location /origin/guarded>\nRequire ip 127.0.0.1\n</Location>'
  for (const [config, second] of [
    ['', 'HIT answer 1'],
    ['CacheQuickHandler off\n', '403'],
    ['CacheDisable /origin/guarded\n', '403'],
  ]) {
    const { get, server } = await cachedSite(t, `${config}CacheEnable disk /\n${guarded}`)
    await server.inject('/origin/guarded')
    const { status, body, ...answer } = await get('/origin/guarded', {}, { remoteAddress: '127.0.0.2' })
    t.equal(status === 403 ? '403' : `${answer.header('X-Cache')?.split(' ')[0]} ${body}`, second, config)
  }
})

t.test('escapes do not lead around CacheDisable', async (t) => {
  const { seen } = await cachedSite(t, 'CacheEnable disk /\nCacheDisable /origin/private')
  for (const path of ['/origin/private', '/origin/%70rivate', '//origin/private']) {
    t.match(await seen(path), /^200 /)
  }
})

t.test('an explanation of a decision is not answered by the cache', async (t) => {
  const { server } = await cachedSite(t, 'CacheEnable disk /\n<Location /origin>\nRequire ip 127.0.0.1\n</Location>')
  await server.inject('/origin')
  const tracer = { step() {}, evaluated() {}, limited() {} }
  const explained = await server.inject({ target: '/origin', remoteAddress: '127.0.0.2', tracer })
  t.equal(explained.status, 403)
})

t.test('a stale response is asked about, and its client gets what it asked for', async (t) => {
  const { get, seen, origin } = await cachedSite(t, 'CacheEnable disk /')
  origin.fields = { 'Cache-Control': 'max-age=0', ETag: '"a"' }
  t.equal(await seen('/origin'), 'MISS answer 1')
  t.equal(await seen('/origin'), 'REVALIDATE answer 1')
  t.equal((await get('/origin', { 'If-None-Match': '"a"' })).status, 304)
  const part = await get('/origin', { Range: 'bytes=0-2' })
  t.equal(part.status, 206)
  t.equal(part.body, 'ans')
  t.equal(origin.asked, 4)
  origin.fields = { 'Cache-Control': 'max-age=600', ETag: '"b"' }
  t.equal(await seen('/origin'), 'MISS answer 5')
  t.equal(await seen('/origin'), 'HIT answer 5')
})

t.test('a stale response takes the place of an error of its origin, unless it must be asked about', async (t) => {
  for (const failure of [500, 599]) {
    const { get, origin } = await cachedSite(t, 'CacheEnable disk /')
    origin.fields = { 'Cache-Control': 'max-age=0', ETag: '"a"' }
    await get('/origin')
    origin.status = failure
    const answer = await get('/origin')
    t.match(answer, { status: 200, body: 'answer 1' })
    t.equal(answer.header('Warning'), '111 Revalidation failed')
    t.equal(answer.header('Content-Type'), 'text/plain')
    t.equal((await get('/origin', { 'Cache-Control': 'no-cache' })).status, 500)
  }
  const { get, origin } = await cachedSite(t, 'CacheEnable disk /')
  origin.fields = { 'Cache-Control': 'max-age=0, must-revalidate', ETag: '"a"' }
  await get('/origin')
  origin.status = 500
  t.equal((await get('/origin')).status, 500)
})

t.test('a request that accepts stale responses gets one with a warning', async (t) => {
  const { get, origin } = await cachedSite(t, 'CacheEnable disk /')
  origin.fields = { 'Cache-Control': 'max-age=0', ETag: '"a"' }
  await get('/origin')
  const answer = await get('/origin', { 'Cache-Control': 'max-stale' })
  t.equal(answer.header('X-Cache'), 'HIT from localhost')
  t.equal(answer.header('Warning'), '110 Response is stale')
})

t.test('the index of a folder is stored and asked about like a file', async (t) => {
  const { get, seen } = await cachedSite(
    t,
    'DirectoryIndex index.html\nCacheEnable disk /\nCacheDefaultExpire 0\nCacheMaxExpire 0',
    {
      'docs/index.html': 'index\n',
    },
  )
  t.equal(await seen('/'), 'MISS index')
  t.match(await get('/'), { status: 200, body: 'index\n' })
  t.equal(await seen('/'), 'REVALIDATE index')
})

t.test('what Header lines say of a response decides, and is stored with it once', async (t) => {
  const lines = 'Header add X-Added a\nHeader always set X-Always b\n'
  const { get, seen } = await cachedSite(t, `${lines}CacheEnable disk /`)
  await get('/origin')
  const hit = await get('/origin')
  t.strictSame(
    hit.headers.filter(([name]) => /^x-a/i.test(name)),
    [
      ['X-Added', 'a'],
      ['X-Always', 'b'],
    ],
  )
  t.equal(await seen('/origin'), 'HIT answer 1')
  const kept = await cachedSite(t, 'Header set Cache-Control no-store\nCacheEnable disk /')
  t.equal(await kept.seen('/origin'), 'MISS answer 1')
  t.equal(await kept.seen('/origin'), 'MISS answer 2')
})

t.test('a compressed response is sent only to clients that accept it', async (t) => {
  const text = 'text '.repeat(200)
  const { get, origin } = await cachedSite(t, 'CacheEnable disk /\n<Location /origin>\nSetOutputFilter DEFLATE\n</Location>')
  origin.body = () => text
  t.equal((await get('/origin', { 'Accept-Encoding': 'gzip' })).header('Content-Encoding'), 'gzip')
  const hit = await get('/origin', { 'Accept-Encoding': 'gzip' })
  t.equal(hit.header('Content-Encoding'), 'gzip')
  t.equal(hit.header('X-Cache'), 'HIT from localhost')
  t.match(await get('/origin'), { body: text })
})

t.test('the filter CACHE stores what arrives at its place', async (t) => {
  const text = 'text '.repeat(200)
  const config =
    'CacheQuickHandler off\nCacheEnable disk /\n<Location /origin>\nSetOutputFilter CACHE;DEFLATE\nHeader set X-Late yes\n</Location>'
  const { get, origin } = await cachedSite(t, config)
  origin.body = () => text
  t.equal((await get('/origin', { 'Accept-Encoding': 'gzip' })).header('Content-Encoding'), 'gzip')
  const plain = await get('/origin')
  t.match(plain, { body: text })
  t.equal(plain.header('X-Cache'), 'HIT from localhost')
  t.equal(plain.header('X-Late'), 'yes')
  t.equal((await get('/origin', { 'Accept-Encoding': 'gzip' })).header('Content-Encoding'), 'gzip')
  t.equal(origin.asked, 1)
})

t.test('an error page keeps its status although its document is stored', async (t) => {
  const { get, seen } = await cachedSite(t, 'CacheEnable disk /\nErrorDocument 404 /f.txt')
  t.match(await seen('/f.txt'), /^MISS/)
  t.match(await get('/none'), { status: 404, body: 'file\n' })
  t.match(await get('/none'), { status: 404, body: 'file\n' })
})

t.test('cookies are stored like other fields, unless CacheIgnoreHeaders or the response excludes them', async (t) => {
  for (const [line, control, cookie] of [
    ['', 'max-age=600', 'a=1'],
    ['CacheIgnoreHeaders Set-Cookie\n', 'max-age=600', undefined],
    ['', 'no-cache="Set-Cookie", max-age=600', undefined],
    ['', 'private="Set-Cookie", max-age=600', undefined],
  ]) {
    const { get, origin } = await cachedSite(t, `${line}CacheEnable disk /`)
    origin.fields = { 'Cache-Control': control ?? '', 'Set-Cookie': 'a=1' }
    t.equal((await get('/origin')).header('Set-Cookie'), 'a=1')
    const hit = await get('/origin')
    t.equal(hit.header('X-Cache'), 'HIT from localhost')
    t.equal(hit.header('Set-Cookie'), cookie)
  }
})

t.test('a damaged file is not found, and the response is stored again', async (t) => {
  const { store, seen } = await cachedSite(t, 'CacheEnable disk /')
  let answers = 1
  t.equal(await seen('/origin'), `MISS answer ${answers}`)
  const damages: readonly (readonly [string, (bytes: Buffer) => Buffer])[] = [
    ['.header', (bytes) => bytes.subarray(0, bytes.length / 2)],
    ['.header', () => Buffer.alloc(0)],
    ['.header', (bytes) => Buffer.from(bytes.toString('latin1').replace('max-age', 'min-age'), 'latin1')],
    ['.data', (bytes) => bytes.subarray(1)],
  ]
  for (const [extension, damage] of damages) {
    for (const file of stored(store, extension)) writeFileSync(file, damage(readFileSync(file)))
    answers++
    t.equal(await seen('/origin'), `MISS answer ${answers}`, extension)
    t.equal(await seen('/origin'), `HIT answer ${answers}`)
  }
})

t.test('where nothing can be written, responses are sent all the same', async (t) => {
  const { server, seen } = await cachedSite(t, 'CacheRoot "@ROOT@/docs/f.txt"\nCacheEnable disk /')
  t.equal(await seen('/origin'), 'MISS answer 1')
  t.equal(await seen('/origin'), 'MISS answer 2')
  t.match(server.errors().join('\n'), /cache_disk:warn.*cannot be written below CacheRoot/)
})

t.test('where nothing can be read either, responses are sent all the same, and a POST succeeds', async (t) => {
  // A name that is too long for any file is an error also for root.
  const { seen } = await cachedSite(t, `CacheRoot "@ROOT@/${'x'.repeat(300)}"\nCacheEnable disk /`)
  t.equal(await seen('/origin'), 'MISS answer 1')
  t.equal(await seen('/origin', {}, { method: 'POST' }), '200 answer 2')
  t.equal(await seen('/origin'), 'MISS answer 3')
})

t.test('a stream is stored while it is sent, unless it breaks off or is too long', async (t) => {
  const { seen, origin, get, store } = await cachedSite(t, 'CacheEnable disk /\nCacheMaxFileSize 100')
  origin.body = async function* () {
    yield 'one '
    yield 'two'
  }
  t.equal(await seen('/origin'), 'MISS one two')
  t.equal(await seen('/origin'), 'HIT one two')
  origin.body = async function* () {
    for (let piece = 0; piece < 30; piece++) yield 'text '
  }
  t.match(await seen('/origin?long'), /^MISS/)
  t.match(await seen('/origin?long'), /^MISS/)
  origin.body = async function* () {
    yield 'begun'
    throw new Error('broken')
  }
  await get('/origin?broken')
  origin.body = () => 'whole'
  t.equal(await seen('/origin?broken'), 'MISS whole')
  t.strictSame(
    readdirSync(store).filter((name) => name.startsWith('aptmp')),
    [],
  )
})

t.test('while a response is fetched again, others get the stale one', async (t) => {
  const { get, seen, origin } = await cachedSite(
    t,
    'CacheEnable disk /\nCacheLock on\nCacheLockPath "@ROOT@/locks"\nCacheLockMaxAge 600',
  )
  origin.fields = { 'Cache-Control': 'max-age=0', ETag: '"a"' }
  t.equal(await seen('/origin'), 'MISS answer 1')
  origin.fields = { 'Cache-Control': 'max-age=600', ETag: '"b"' }
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const entered = new Promise<void>((resolve) => {
    origin.body = async function* () {
      resolve()
      await released
      yield 'new'
    }
  })
  const first = get('/origin')
  await entered
  const second = await get('/origin')
  t.match(second, { body: 'answer 1' })
  t.equal(second.header('Warning'), '110 Response is stale')
  release()
  t.match(await first, { body: 'new' })
  t.equal(await seen('/origin'), 'HIT new')
})

t.test('HEAD is answered from a stored GET, and stores nothing that answers one', async (t) => {
  const { get, seen, origin } = await cachedSite(t, 'CacheEnable disk /')
  await get('/origin', {}, { method: 'HEAD' })
  t.equal(await seen('/origin'), 'MISS answer 2')
  t.match(await get('/origin', {}, { method: 'HEAD' }), { status: 200, body: '' })
  t.equal(origin.asked, 2)
})

t.test('what was stored for HEAD has its length, also after the origin has confirmed it', async (t) => {
  const { get, origin } = await cachedSite(t, 'CacheEnable disk /')
  const ask = async (target: string): Promise<string> => {
    const answer = await get(target, {}, { method: 'HEAD' })
    return `${answer.header('X-Cache')} ${answer.header('Content-Length')}`
  }
  t.same([await ask('/origin'), await ask('/origin')], ['MISS from localhost 8', 'HIT from localhost 8'])
  origin.fields = { 'Cache-Control': 'no-cache', ETag: '"a"' }
  t.same([await ask('/origin/b'), await ask('/origin/b')], ['MISS from localhost 8', 'REVALIDATE from localhost 8'])
})

t.test('a wrong line is refused with httpd’s words', async (t) => {
  for (const [line, text] of [
    ['CacheEnable disk', 'CacheEnable provider (disk) is missing an URL.'],
    ['<Directory /a>\nCacheEnable disk /\n</Directory>', 'CacheEnable cannot occur within <Directory> section'],
    [
      '<Location /a>\nCacheEnable disk /b\n</Location>',
      'When in a Location, CacheEnable must specify a path or an URL below that location.',
    ],
    ['CacheDisable on', 'CacheDisable must specify a path or an URL.'],
    ['<Location /a>\nCacheDisable /b\n</Location>', "CacheDisable must be followed by the word 'on' when in a Location."],
    ['CacheLastModifiedFactor abc', 'CacheLastModifiedFactor value must be a float'],
    ['CacheKeyBaseURL foo', "URL 'foo' must contain at least one of a scheme, a hostname or a port."],
    ['CacheLockMaxAge 0', 'CacheLockMaxAge value must be a non-zero positive integer'],
  ]) {
    t.match(await configError({ modules: [cache], config: line }), text)
  }
})
