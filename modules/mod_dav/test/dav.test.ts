import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { configError, rawExchange, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import davFs from '../../mod_dav_fs/src/index.ts'
import dav from '../src/index.ts'

const modules = [authzCore, dav, davFs]
type Server = Awaited<ReturnType<typeof site>>

async function serve(t: Test, more = ''): Promise<{ readonly server: Server; readonly folder: string }> {
  const config = `DavLockDB locks\n<Location /dav>\nDav On\n${more}</Location>`
  const server = await site({ modules, config, files: { 'docs/dav/f.txt': 'first', 'docs/dav/sub/g.txt': 'g' } })
  t.teardown(() => server.close())
  return { server, folder: join(server.serverRoot, 'docs/dav') }
}

const xml = (body: string): string => `<?xml version="1.0"?>${body}`
const PROPPATCH = (property: string): string =>
  xml(`<D:propertyupdate xmlns:D="DAV:" xmlns:z="urn:z"><D:set><D:prop>${property}</D:prop></D:set></D:propertyupdate>`)
const PROPFIND = (names: string): string =>
  xml(`<D:propfind xmlns:D="DAV:" xmlns:z="urn:z"><D:prop>${names}</D:prop></D:propfind>`)
const LOCKINFO = xml(
  '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>',
)

function ask(server: Server, method: string, target: string, headers: Readonly<Record<string, string>> = {}, body = '') {
  return server.inject({ method, target, headers, body })
}

t.test('a file is written aside: an upload that breaks off, and one that is refused, leave the former content', async (t) => {
  const { server, folder } = await serve(t, 'LimitRequestBody 10\n')
  const port = await server.listen()
  await rawExchange(port, 'PUT /dav/f.txt HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf', { end: true })
  t.equal((await ask(server, 'PUT', '/dav/f.txt', {}, 'too long a body')).status, 413)
  t.equal(readFileSync(join(folder, 'f.txt'), 'utf8'), 'first')
  t.strictSame(readdirSync(folder).sort(), ['f.txt', 'sub'])
  t.equal((await ask(server, 'PUT', '/dav/f.txt', {}, 'second')).status, 204)
  t.equal(readFileSync(join(folder, 'f.txt'), 'utf8'), 'second')
})

t.test('locks are still there after a restart', async (t) => {
  const { server } = await serve(t)
  const locked = await ask(server, 'LOCK', '/dav/f.txt', {}, LOCKINFO)
  t.equal(locked.status, 200)
  const token = locked.header('Lock-Token') ?? ''
  const file = readFileSync(join(server.serverRoot, 'locks.json'))
  const next = await site({
    modules,
    config: 'DavLockDB locks\n<Location /dav>\nDav On\n</Location>',
    files: { 'docs/dav/f.txt': 'first' },
  })
  t.teardown(() => next.close())
  // The same database for the same paths in another root.
  const moved = file.toString('utf8').replaceAll(server.serverRoot, next.serverRoot)
  writeFileSync(join(next.serverRoot, 'locks.json'), moved)
  t.equal((await ask(next, 'PUT', '/dav/f.txt', {}, 'x')).status, 423)
  t.equal((await ask(next, 'PUT', '/dav/f.txt', { If: `(${token})` }, 'x')).status, 204)
  t.equal((await ask(next, 'UNLOCK', '/dav/f.txt', { 'Lock-Token': token })).status, 204)
  t.equal((await ask(next, 'PUT', '/dav/f.txt', {}, 'y')).status, 204)
})

t.test('a lock expires', async (t) => {
  const { server } = await serve(t)
  const locked = await ask(server, 'LOCK', '/dav/f.txt', { Timeout: 'Second-600' }, LOCKINFO)
  t.match(locked.body, /<D:timeout>Second-(600|599)</)
  const path = join(server.serverRoot, 'locks.json')
  const locks: unknown = JSON.parse(readFileSync(path, 'utf8'))
  t.ok(Array.isArray(locks) && locks.length === 1)
  writeFileSync(path, readFileSync(path, 'utf8').replace(/"expires":\d+/, '"expires":1000'))
  t.equal((await ask(server, 'PUT', '/dav/f.txt', {}, 'x')).status, 204)
})

t.test('only one of many clients gets an exclusive lock', async (t) => {
  const { server } = await serve(t)
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(server, 'LOCK', '/dav/f.txt', {}, LOCKINFO)))
  t.equal(answers.filter(({ status }) => status === 200).length, 1)
  t.equal(answers.filter(({ status }) => status === 423).length, 19)
})

t.test('a failed change of properties changes none of them', async (t) => {
  const { server } = await serve(t)
  t.equal((await ask(server, 'PROPPATCH', '/dav/f.txt', {}, PROPPATCH('<z:a>1</z:a>'))).status, 207)
  const mixed = await ask(server, 'PROPPATCH', '/dav/f.txt', {}, PROPPATCH('<z:a>2</z:a><D:getetag>x</D:getetag>'))
  t.match(mixed.body, /409/)
  t.match(mixed.body, /424/)
  const found = await ask(server, 'PROPFIND', '/dav/f.txt', { Depth: '0' }, PROPFIND('<z:a/>'))
  t.match(found.body, />1</)
})

t.test('properties go with their files, and into copies of folders', async (t) => {
  const { server } = await serve(t)
  await ask(server, 'PROPPATCH', '/dav/sub/g.txt', {}, PROPPATCH('<z:a>1</z:a>'))
  const to = (target: string) => ({ Destination: `http://localhost${target}` })
  t.equal((await ask(server, 'COPY', '/dav/sub/', to('/dav/copy/'))).status, 201)
  t.equal((await ask(server, 'MOVE', '/dav/sub/', to('/dav/moved/'))).status, 201)
  for (const target of ['/dav/copy/g.txt', '/dav/moved/g.txt']) {
    t.match((await ask(server, 'PROPFIND', target, { Depth: '0' }, PROPFIND('<z:a/>'))).body, />1</, target)
  }
  t.equal((await ask(server, 'DELETE', '/dav/copy/')).status, 204)
  t.equal((await ask(server, 'PROPFIND', '/dav/sub/', { Depth: '0' })).status, 404)
})

t.test('hostile documents are refused with little work', async (t) => {
  const { server } = await serve(t)
  const laughs =
    '<!DOCTYPE D [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><D:propfind xmlns:D="DAV:"><D:prop><x>&b;</x></D:prop></D:propfind>'
  t.equal((await ask(server, 'PROPFIND', '/dav/f.txt', { Depth: '0' }, laughs)).status, 400)
  const many = PROPFIND(Array.from({ length: 10_000 }, (_, index) => `<z:p${index}/>`).join(''))
  const answer = await ask(server, 'PROPFIND', '/dav/f.txt', { Depth: '0' }, many)
  t.equal(answer.status, 207)
  t.equal(answer.body.split('<n:p').length - 1, 10_000)
  const deep = xml(`<D:propfind xmlns:D="DAV:">${'<a>'.repeat(5000)}${'</a>'.repeat(5000)}</D:propfind>`)
  t.equal((await ask(server, 'PROPFIND', '/dav/f.txt', { Depth: '0' }, deep)).status, 400)
  t.equal((await ask(server, 'PROPFIND', '/dav/f.txt', { Depth: '0' }, 'x'.repeat(1_000_001))).status, 413)
})

t.test('what belongs to the repository itself is never a resource', async (t) => {
  const { server, folder } = await serve(t)
  await ask(server, 'PROPPATCH', '/dav/f.txt', {}, PROPPATCH('<z:a>1</z:a>'))
  t.ok(readdirSync(folder).includes('.DAV'))
  for (const target of ['/dav/.DAV/f.txt.json', '/dav/.DAV/', '/dav/.davfs.tmp1', '/dav/x/.DAV/y']) {
    for (const method of ['GET', 'PUT', 'DELETE', 'PROPFIND', 'MKCOL']) {
      t.equal((await ask(server, method, target)).status, 403, `${method} ${target}`)
    }
  }
  const to = { Destination: 'http://localhost/dav/.DAV/x' }
  t.equal((await ask(server, 'COPY', '/dav/f.txt', to)).status, 403)
  t.notMatch((await ask(server, 'PROPFIND', '/dav/', { Depth: '1' })).body, /\.DAV/)
})

t.test('paths lead nowhere else', async (t) => {
  const { server, folder } = await serve(t)
  const outside = join(server.serverRoot, 'outside')
  mkdirSync(outside)
  writeFileSync(join(outside, 'secret'), 'secret')
  symlinkSync(outside, join(folder, 'sub/link'))
  const to = (target: string) => ({ Destination: `http://localhost${target}` })
  for (const target of ['/dav/%2e%2e/x', '/dav/..%2fx', '/dav/%00x', '/../x']) {
    const { status } = await ask(server, 'COPY', '/dav/f.txt', to(target))
    t.ok(status >= 400, `${target} ${status}`)
  }
  t.equal((await ask(server, 'COPY', '/dav/sub/', to('/dav/copy/'))).status, 201)
  t.strictSame(readdirSync(join(folder, 'copy')), ['g.txt'])
  t.equal((await ask(server, 'DELETE', '/dav/sub/')).status, 204)
  t.equal(readFileSync(join(outside, 'secret'), 'utf8'), 'secret')
})

t.test('without a lock database there are no locks', async (t) => {
  const config = '<Location /dav>\nDav On\n</Location>'
  const server = await site({ modules, config, files: { 'docs/dav/f.txt': 'first' } })
  t.teardown(() => server.close())
  t.equal((await ask(server, 'OPTIONS', '/dav/f.txt')).header('DAV'), '1')
  t.equal((await ask(server, 'LOCK', '/dav/f.txt', {}, LOCKINFO)).status, 500)
  t.equal((await ask(server, 'PUT', '/dav/f.txt', {}, 'x')).status, 204)
})

t.test('an unknown provider is refused', async (t) => {
  const config = '<Location />\nDav nosuch\n</Location>'
  t.equal(await configError({ modules, config }), 'Unknown DAV provider: nosuch')
  t.equal(await configError({ modules: [dav], config: config.replace('nosuch', 'On') }), 'Unknown DAV provider: filesystem')
})
