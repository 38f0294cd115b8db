import t from 'tap'
import { uriParts } from '../src/uri-parts.ts'
import { authorization } from './support/client.ts'
import { Trial } from './support/trial.ts'

t.test('the URI of the credentials is compared with that of the request by meaning', async (t) => {
  const trial = await Trial.start(t, { '/a': '' })
  const { nonce } = await trial.challenge('/a/f')
  const statusOf = async (target: string, uri: string): Promise<number> =>
    (await trial.ask(target, authorization({ uri, nonce }))).status
  const same: [string, string][] = [
    ['/a/f?q=1', '/a/f?q=1'],
    ['/a/f?', '/a/f?'],
    ['/a/f', '/%61/f'],
    ['/%61/f', '/a/f'],
    ['/%61/f', '/a/%66'],
    ['/a/x/../f', '/a/f'],
    ['//a/f', '/a/f'],
    ['/a/f', '/a/f#part'],
    ['/a/f', '/a/f%00more'],
    ['/a/f?a=%20b', '/a/f?a= b'],
    ['/a/f?a=%zz', '/a/f?a=%zz'],
    ['/a/f', 'http://localhost/a/f'],
    ['/a/f', 'http://LOCALHOST:80/a/f'],
    ['/a/f', 'ftp://user:pw@%6cocalhost/a/f'],
    ['/a/f', '//localhost:80/a/f'],
    ['/a/f', 'http://:80/a/f'],
    ['/a/f', 'http://localhost:/a/f'],
    ['/a/f', 'http:/a/f'],
    ['http://localhost/a/f', '/a/f'],
    ['http://other.example:81/a/f', 'http://other.example:81/a/f#'],
  ]
  for (const [target, uri] of same) t.equal(await statusOf(target, uri), 200, `${target} and ${uri}`)
  const different: [string, string][] = [
    ['/a/f?q=1', '/a/f'],
    ['/a/f?q=1', '/a/f?q=2'],
    ['/a/f', '/a/f?'],
    ['/a/f?', '/a/f'],
    ['/a/f', '/A/f'],
    ['/a/f', 'a/f'],
    ['/a/f', ''],
    ['/a/f', '*'],
    ['/a/f', '/a//f'],
    ['/a/f', '/a/x/../f'],
    ['/a/f', '//a/f'],
    ['/a/f?a=%zz', '/a/f?a=%ZZ'],
    ['/a/f?a=b+c', '/a/f?a=b c'],
    ['/a/f', 'http://localhost:81/a/f'],
    ['/a/f', 'http://other/a/f'],
    ['/a/f', 'http://localhost'],
    ['/a/f', 'http://:81/a/f'],
    ['/a/f', 'http:a/f'],
    ['/a/f', 'mailto:x@y'],
    ['http://localhost/a/f', 'http://other/a/f'],
    ['http://other.example/a/f', 'http://localhost/a/f'],
  ]
  for (const [target, uri] of different) t.equal(await statusOf(target, uri), 400, `${target} and ${uri}`)
})

t.test('a mismatch is logged with both URIs as they were sent', async (t) => {
  const trial = await Trial.start(t, { '/a': '' })
  t.same((await trial.claim('/a/f?x', { uri: '/a/f' })).log, [
    '[auth_digest:error] AH01786: uri mismatch - </a/f> does not match request-uri </a/f?x>',
  ])
  t.same((await trial.claim('/a/f', { uri: 'http://[::1/a/f' })).log, [
    '[auth_digest:error] AH01783: invalid uri <http://[::1/a/f> in Authorization header',
  ])
})

t.test('AuthDigestEnableQueryStringHack permits credentials without the query', async (t) => {
  const trial = await Trial.start(t, { '/a': '' }, {}, 'SetEnvIf User-Agent old AuthDigestEnableQueryStringHack')
  const { nonce } = await trial.challenge('/a/f')
  const ask = (target: string, uri: string, agent: string): ReturnType<Trial['ask']> =>
    trial.ask(target, authorization({ uri, nonce }), { headers: { 'User-Agent': agent } })
  t.match(await ask('/a/f?x', '/a/f', 'old'), {
    status: 200,
    log: ['[auth_digest:info] AH01784: applying AuthDigestEnableQueryStringHack to uri </a/f?x>'],
  })
  t.equal((await ask('/a/f?x', '/a/f', 'new')).status, 400)
  t.equal((await ask('/a/f?x', '/a/f?y', 'old')).status, 400)
  t.equal((await ask('/a/f', '/a/f?y', 'old')).status, 400)
})

t.test('a URI is split into its parts, or is invalid', async (t) => {
  t.same(uriParts('http://u@h:8/p%2f?q%20#f'), { host: 'h', port: 8, path: '/p/', query: 'q ' })
  t.same(uriParts('https://h:'), { host: 'h', port: 443, path: null, query: null })
  t.same(uriParts('x://h:'), { host: 'h', port: 0, path: null, query: null })
  t.same(uriParts('http://[::1]:8/'), { host: '::1', port: 8, path: '/', query: null })
  t.same(uriParts('?'), { host: null, port: null, path: null, query: '' })
  for (const wrong of ['http://[::1/', 'http://a:b/', 'http://a:b:c/', 'http://a:8x/', '//a:-1/'])
    t.equal(uriParts(wrong), undefined, wrong)
})
