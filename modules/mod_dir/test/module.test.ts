import { DECLINED, M_POST, OK, type Request } from '@gatewright/api'
import t from 'tap'
import { Bench } from '../../mod_env/test/fakes/bench.ts'
import { type FakeRequest, fakeFile, fakeRequest, tableOf } from '../../mod_env/test/fakes/request.ts'
import type { DirConfig } from '../src/config.ts'
import dir from '../src/index.ts'

const folder = fakeFile('directory')

/** Results of lookups: status by path, or `dir` for a folder. */
type Site = Readonly<Record<string, number>>

function lookup(site: Site): (uri: string) => Request {
  return (uri) => {
    const path = uri.replace(/\?.*/, '')
    const status = site[path]
    const known = status !== undefined
    const headersOut = tableOf(status !== undefined && status >= 300 && status < 400 ? { Location: 'http://elsewhere/' } : {})
    return fakeRequest({ uri: decodeURI(path), status: status ?? 404, fileInfo: known ? fakeFile() : null, headersOut })
  }
}

function bench(...lines: string[]): Bench<DirConfig, undefined> {
  const made = new Bench(dir)
  made.main(...lines)
  return made
}

async function served(
  made: Bench<DirConfig, undefined>,
  site: Site,
  changes: Partial<FakeRequest>,
): Promise<FakeRequest & { outcome: number }> {
  const request = fakeRequest({ fileInfo: folder, found: lookup(site), ...changes })
  const outcome = await made.hook('fixups')(request)
  return Object.assign(request, { outcome })
}

t.test('the directive table has the contexts of each directive', async (t) => {
  const kinds = Object.entries(dir.directives ?? {}).map(([name, { kind }]) => [name, kind])
  t.same(kinds, [
    ['DirectoryIndex', 'raw'],
    ['DirectoryIndexRedirect', 'take1'],
    ['DirectorySlash', 'flag'],
    ['DirectoryCheckHandler', 'flag'],
    ['FallbackResource', 'take1'],
  ])
  for (const { context, override } of Object.values(dir.directives ?? {})) {
    t.same(context, ['server', 'virtualhost', 'directory', 'htaccess'])
    t.equal(override, 'Indexes')
  }
})

t.test('the module runs with the last functions of the fixup phase', async (t) => {
  t.same(new Bench(dir).hooks.fixups.orders, [{ rank: 'last' }])
})

const ONLY = 'DirectoryIndexRedirect only accepts values between 300 and 399'
const WORDS = 'DirectoryIndexRedirect ON|OFF|permanent|temp|seeother|3xx'
const STATUSES: readonly (readonly [word: string, result: number | string])[] = [
  ['On', 302],
  ['off', 0],
  ['permanent', 301],
  ['TEMP', 302],
  ['seeother', 303],
  ['300', 300],
  ['399', 399],
  ['200', ONLY],
  ['400', ONLY],
  ['30x', ONLY],
  ['foo', WORDS],
]

for (const [word, expected] of STATUSES) {
  t.test(`DirectoryIndexRedirect ${word} means ${expected}`, async (t) => {
    const made = new Bench(dir)
    const error = made.main(`DirectoryIndexRedirect ${word}`)
    if (typeof expected === 'string') t.equal(error, expected)
    else t.equal(made.in('Directory', '/', `DirectoryIndexRedirect ${word}`).indexRedirect, expected)
  })
}

const NAMES: readonly (readonly [lines: readonly string[], names: readonly string[]])[] = [
  [['DirectoryIndex a b'], ['a', 'b']],
  [
    ['DirectoryIndex a', 'DirectoryIndex "b c"'],
    ['a', 'b c'],
  ],
  [['DirectoryIndex a', 'DirectoryIndex Disabled'], []],
  [['DirectoryIndex a', 'DirectoryIndex disabled', 'DirectoryIndex c'], ['c']],
  [['DirectoryIndex disabled x.txt'], ['disabled', 'x.txt']],
  [['DirectoryIndex'], []],
]

for (const [lines, expected] of NAMES) {
  t.test(`${lines.join('; ')} looks for ${JSON.stringify(expected)}`, async (t) => {
    t.same(new Bench(dir).in('Directory', '/', ...lines).indexNames, expected)
  })
}

t.test('a line in an inner scope replaces the list, and disabled removes an outer fallback', async (t) => {
  const made = bench('DirectoryIndex a', 'FallbackResource /front', 'DirectorySlash Off')
  made.use(made.in('Directory', '/srv', 'DirectoryIndex b', 'FallbackResource DISABLED'))
  const request = await served(made, { '/d/a': 200, '/front': 200 }, { uri: '/d/' })
  t.equal(request.outcome, DECLINED)
  t.same(request.lookedUp, ['/d/b'])
})

t.test('a folder with an empty list of names has no fallback', async (t) => {
  const request = await served(bench('FallbackResource /front', 'DirectoryIndex disabled'), { '/front': 200 }, { uri: '/d/' })
  t.equal(request.outcome, DECLINED)
  t.same(request.lookedUp, [])
})

t.test('a folder without a slash is redirected, whatever the method, with its path escaped and its query', async (t) => {
  const made = bench()
  const plain = await served(made, {}, { uri: '/sp ace', args: 'x=1', method: 'POST', methodNumber: M_POST })
  t.equal(plain.outcome, 301)
  t.equal(plain.headersOut.get('Location'), 'http://host.test/sp%20ace/?x=1')
  t.equal(plain.handler, 'httpd/unix-directory')
  const careful = await served(made, {}, { uri: '/d', methodNumber: M_POST, env: tableOf({ 'redirect-carefully': '1' }) })
  t.equal(careful.outcome, DECLINED)
  const careless = await served(made, {}, { uri: '/d', env: tableOf({ 'redirect-carefully': '1' }) })
  t.equal(careless.outcome, 301)
})

t.test('with DirectorySlash Off there is no search for index files without the slash', async (t) => {
  const request = await served(bench('DirectorySlash Off'), { '/index.html': 200 }, { uri: '/d' })
  t.equal(request.outcome, DECLINED)
  t.same(request.lookedUp, [])
})

t.test('a folder with path info is declined', async (t) => {
  const request = await served(bench(), { '/d/index.html': 200 }, { uri: '/d/', pathInfo: '/x' })
  t.equal(request.outcome, DECLINED)
  t.same(request.lookedUp, [])
})

t.test('the index names are noted for the handler of the folder', async (t) => {
  const missed = await served(bench('DirectoryIndex one.html /two.html'), {}, { uri: '/d/' })
  t.equal(missed.notes.get('dir-index-names'), 'one.html,/two.html')
  t.equal((await served(bench(), {}, { uri: '/d/' })).notes.get('dir-index-names'), 'index.html')
  t.equal((await served(bench('DirectoryIndex disabled'), {}, { uri: '/d/' })).notes.get('dir-index-names'), '')
})

t.test('the first index file that exists is served, with the query of the request', async (t) => {
  const request = await served(
    bench('DirectoryIndex a b c'),
    { '/sp%20ace/b': 200, '/sp%20ace/c': 200 },
    { uri: '/sp ace/', args: 'q=1' },
  )
  t.equal(request.outcome, OK)
  t.equal(request.redirectedTo?.uri, '/sp ace/b')
  t.same(request.lookedUp, ['/sp%20ace/a?q=1', '/sp%20ace/b?q=1'])
})

t.test('an index file may be given as an absolute path, and a folder does not count', async (t) => {
  const made = bench('DirectoryIndex sub /other.txt')
  const request = await served(
    made,
    {},
    {
      uri: '/d/',
      found: (uri) => fakeRequest({ uri, status: 200, fileInfo: fakeFile(uri === '/other.txt' ? 'file' : 'directory') }),
    },
  )
  t.equal(request.redirectedTo?.uri, '/other.txt')
})

t.test('asynchronous lookups are awaited, at any position of the list', async (t) => {
  const made = bench('DirectoryIndex a b c d')
  const site = { '/d/b': 403, '/d/d': 200 }
  const request = await served(made, site, { uri: '/d/', found: async (uri) => lookup(site)(uri) })
  t.equal(request.outcome, OK)
  t.equal(request.redirectedTo?.uri, '/d/d')
  const mixed = await served(
    made,
    { '/d/b': 403 },
    {
      uri: '/d/',
      found: (uri) => (uri === '/d/c' ? Promise.resolve(lookup({ '/d/b': 403 })(uri)) : lookup({ '/d/b': 403 })(uri)),
    },
  )
  t.equal(mixed.outcome, 403)
})

t.test('synchronous lookups have a synchronous result', async (t) => {
  const request = fakeRequest({ uri: '/d/', fileInfo: folder, found: lookup({ '/d/index.html': 200 }) })
  t.equal(bench().hook('fixups')(request), OK)
})

const FAILURES: readonly (readonly [names: string, site: Site, outcome: number])[] = [
  ['a b', { '/d/a': 403 }, 403],
  ['a b', { '/d/a': 403, '/d/b': 200 }, OK],
  ['a b', { '/d/a': 403, '/d/b': 500 }, 500],
  ['a b', { '/d/a': 401, '/d/b': 200 }, OK],
  ['a b', { '/d/b': 401 }, 401],
  ['a b', { '/d/b': 406 }, 406],
  ['a b', { '/d/a': 302, '/d/b': 200 }, 302],
  ['a b', {}, DECLINED],
]

for (const [names, site, expected] of FAILURES) {
  t.test(`names ${names} with ${JSON.stringify(site)} end in ${expected}`, async (t) => {
    const request = await served(bench(`DirectoryIndex ${names}`), site, { uri: '/d/' })
    t.equal(request.outcome, expected)
    if (expected === 302) t.equal(request.headersOut.get('Location'), 'http://elsewhere/')
  })
}

t.test('DirectoryIndexRedirect responds with the status and drops the query', async (t) => {
  const request = await served(bench('DirectoryIndexRedirect permanent'), { '/dr/index.html': 200 }, { uri: '/dr/', args: 'a=b' })
  t.equal(request.outcome, 301)
  t.equal(request.headersOut.get('Location'), 'http://host.test/dr/index.html')
  t.equal(request.redirectedTo, null)
})

t.test('DirectoryCheckHandler declines a folder with a handler', async (t) => {
  const made = bench('DirectoryCheckHandler On')
  const site = { '/d/index.html': 200 }
  const taken = await served(made, site, { uri: '/d/', handler: 'foo', contentType: 'httpd/unix-directory' })
  t.equal(taken.outcome, DECLINED)
  t.equal(taken.contentType, null)
  t.equal((await served(made, site, { uri: '/d/' })).outcome, OK)
  t.equal((await served(bench(), site, { uri: '/d/', handler: 'foo' })).outcome, OK)
})

const FALLBACKS: readonly (readonly [
  what: string,
  line: string,
  site: Site,
  changes: Partial<FakeRequest>,
  outcome: number,
  lookedUp: readonly string[],
])[] = [
  ['a missing file', 'FallbackResource /front', { '/front': 200 }, { uri: '/x', fileInfo: null, args: 'q' }, OK, ['/front?q']],
  [
    'a missing file below a missing folder',
    'FallbackResource front',
    { '/x/front': 200 },
    { uri: '/x/y', fileInfo: null },
    OK,
    ['/x/front'],
  ],
  [
    'a missing file that has a handler',
    'FallbackResource /front',
    { '/front': 200 },
    { fileInfo: null, handler: 'foo' },
    DECLINED,
    [],
  ],
  ['a file', 'FallbackResource /front', { '/front': 200 }, { uri: '/x', fileInfo: fakeFile(), pathInfo: '/y' }, DECLINED, []],
  ['a folder without index', 'FallbackResource /front', { '/front': 200 }, { uri: '/d/' }, DECLINED, ['/d/index.html']],
  [
    'a folder that has a handler',
    'FallbackResource /front',
    { '/front': 200 },
    { uri: '/d/', handler: 'foo' },
    DECLINED,
    ['/d/index.html'],
  ],
  [
    'a folder with a forbidden index',
    'FallbackResource /front',
    { '/front': 200, '/d/index.html': 403 },
    { uri: '/d/' },
    403,
    ['/d/index.html'],
  ],
  ['a fallback that is missing', 'FallbackResource /none', {}, { uri: '/x', fileInfo: null }, DECLINED, ['/none']],
  ['a fallback that is forbidden', 'FallbackResource /front', { '/front': 403 }, { uri: '/x', fileInfo: null }, 403, ['/front']],
  ['a fallback that is redirected', 'FallbackResource /front', { '/front': 302 }, { uri: '/x', fileInfo: null }, 302, ['/front']],
]

for (const [what, line, site, changes, expected, lookedUp] of FALLBACKS) {
  t.test(`${line} for ${what} ends in ${expected}`, async (t) => {
    const request = await served(bench(line), site, changes)
    t.equal(request.outcome, expected)
    t.same(request.lookedUp, lookedUp)
  })
}
