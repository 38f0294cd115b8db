import { DECLINED, defineModule, httpStatus, type MaybePromise, OK, type Outcome, type Request } from '@gatewright/api'
import {
  anyMethod,
  configError,
  headerVariables,
  type InjectedResponse,
  type InjectOptions,
  observedHook,
  observedModule,
  type SiteOptions,
  servedRequest,
  site,
} from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import type { DirConfig } from '../src/config.ts'
import dir from '../src/index.ts'

/** The configuration of a folder with these lines. */
async function configured(...lines: readonly string[]): Promise<DirConfig> {
  const observed = observedModule(dir)
  const config = ['<Directory />', ...lines, '</Directory>'].join('\n')
  const request = await servedRequest('/f', { modules: [observed.module], config, files: { 'docs/f': 'x' } })
  return observed.host.configOf(request)
}

/** Resources: path -> status of a look-up. */
type Site = Readonly<Record<string, number>>

interface Changes extends Partial<InjectOptions> {
  /** Lines of the location. */
  readonly lines?: string
  /** Whether all look-ups wait, or the one that does. */
  readonly isSlow?: boolean | string
  /** Path info of the request, which no file of a server leaves to a folder. */
  readonly pathInfo?: string
  readonly env?: string
  /** Folders, and files that are not among the resources. */
  readonly files?: SiteOptions['files']
}

interface Served {
  /** What the module's function returned, and its value. */
  readonly result: MaybePromise<Outcome>
  readonly outcome: Outcome
  readonly request: Request
  readonly response: InjectedResponse
  /** The content type of the request right after that. */
  readonly typeAfter: string | null
  /** Targets of look-ups, in order. */
  readonly lookedUp: readonly string[]
}

/** A request to a server with these resources, for a path of which `d` is a folder unless the changes have others. */
async function served(t: Test, config: readonly string[], resources: Site, changes: Changes): Promise<Served> {
  const { lines = '', isSlow = false, pathInfo, env = '', files = {}, ...options } = changes
  const lookedUp: string[] = []
  let typeAfter: string | null = null
  const observed = observedHook(dir, 'fixups')
  const lookups = defineModule({
    name: 'lookups_module',
    source: 'mod_lookups.c',
    register({ hooks }) {
      hooks.translateName.add(
        (request) => {
          if (request.main !== null) lookedUp.push(request.unparsedUri)
          return DECLINED
        },
        { rank: 'really-first' },
      )
      // Access to a look-up with the sections of its request is not checked again.
      hooks.fixups.add(
        (request) => {
          const status = request.main === null ? undefined : resources[encodeURI(request.uri)]
          if (status !== undefined && status >= 300 && status < 400) request.headersOut.set('Location', 'http://elsewhere/')
          const outcome = status === undefined || status === 200 ? DECLINED : httpStatus(status)
          const waits = isSlow === true || isSlow === request.uri
          return waits && request.main !== null ? Promise.resolve(outcome) : outcome
        },
        { rank: 'really-first' },
      )
      hooks.fixups.add((request) => {
        if (pathInfo !== undefined && request.main === null) request.pathInfo = pathInfo
        return DECLINED
      })
      hooks.fixups.add(
        (request) => {
          if (request.main === null) typeAfter = request.contentType
          return DECLINED
        },
        { rank: 'really-last' },
      )
    },
  })
  const content = Object.keys(resources).map((path): [string, string] => [`docs${decodeURI(path)}`, 'x'])
  const server = await site({
    modules: [headerVariables, lookups, authzCore, observed.module, anyMethod],
    config: [
      'UseCanonicalName Off',
      ...config,
      ...(lines === '' ? [] : ['<LocationMatch "^/(?:d(?:/|$)|x$)">', lines, '</LocationMatch>']),
    ].join('\n'),
    files: { 'docs/d/.keep': '', ...Object.fromEntries(content), ...files },
  })
  t.teardown(() => server.close())
  const headers = { Host: 'host.test', 'X-Env': env, ...options.headers }
  const response = await server.inject({ target: '/d/', ...options, headers })
  const call = observed.calls.find(({ args: [request] }) => request.main === null && request.prev === null)
  if (call === undefined) throw new Error('the module was not called')
  const { result } = call
  return { result, outcome: await result, request: call.args[0], typeAfter, response, lookedUp }
}

/** The path that was served as the request; undefined if the request was not replaced. */
function redirectedTo({ outcome, response }: Served): string | undefined {
  return outcome === OK && response.status === 200 ? response.body : undefined
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
  const observed = observedHook(dir, 'fixups')
  const server = await site({ modules: [observed.module] })
  t.teardown(() => server.close())
  t.same(observed.orders, [{ rank: 'last' }])
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
    const line = `DirectoryIndexRedirect ${word}`
    if (typeof expected === 'string') t.equal(await configError({ modules: [dir], config: line }), expected)
    else t.equal((await configured(line)).indexRedirect, expected)
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
    t.same((await configured(...lines)).indexNames, expected)
  })
}

t.test('a line in an inner scope replaces the list, and disabled removes an outer fallback', async (t) => {
  const outer = ['DirectoryIndex a', 'FallbackResource /front', 'DirectorySlash Off']
  const lines = 'DirectoryIndex b\nFallbackResource DISABLED'
  const request = await served(t, outer, { '/d/a': 200, '/front': 200 }, { lines })
  t.equal(request.outcome, DECLINED)
  t.same(request.lookedUp, ['/d/b'])
})

t.test('a folder with an empty list of names has no fallback', async (t) => {
  const request = await served(t, ['FallbackResource /front', 'DirectoryIndex disabled'], { '/front': 200 }, {})
  t.equal(request.outcome, DECLINED)
  t.same(request.lookedUp, [])
})

t.test('a folder without a slash is redirected, whatever the method, with its path escaped and its query', async (t) => {
  const spaced = { target: '/sp%20ace?x=1', files: { 'docs/sp ace/f': '' } }
  const plain = await served(t, [], {}, { ...spaced, method: 'POST' })
  t.equal(plain.outcome, 301)
  t.equal(plain.response.header('Location'), 'http://host.test/sp%20ace/?x=1')
  t.equal(plain.request.handler, 'httpd/unix-directory')
  const carefully = { target: '/d', env: 'redirect-carefully=1' }
  const careful = await served(t, [], {}, { ...carefully, method: 'POST' })
  t.equal(careful.outcome, DECLINED)
  const careless = await served(t, [], {}, carefully)
  t.equal(careless.outcome, 301)
})

t.test('with DirectorySlash Off there is no search for index files without the slash', async (t) => {
  const request = await served(t, ['DirectorySlash Off'], { '/index.html': 200 }, { target: '/d' })
  t.equal(request.outcome, DECLINED)
  t.same(request.lookedUp, [])
})

t.test('a folder with path info is declined', async (t) => {
  const request = await served(t, [], { '/d/index.html': 200 }, { pathInfo: '/x' })
  t.equal(request.outcome, DECLINED)
  t.same(request.lookedUp, [])
})

t.test('the index names are noted for the handler of the folder', async (t) => {
  const missed = await served(t, ['DirectoryIndex one.html /two.html'], {}, {})
  t.equal(missed.request.notes.get('dir-index-names'), 'one.html,/two.html')
  t.equal((await served(t, [], {}, {})).request.notes.get('dir-index-names'), 'index.html')
  t.equal((await served(t, ['DirectoryIndex disabled'], {}, {})).request.notes.get('dir-index-names'), '')
})

t.test('the first index file that exists is served, with the query of the request', async (t) => {
  const resources = { '/sp%20ace/b': 200, '/sp%20ace/c': 200 }
  const request = await served(t, ['DirectoryIndex a b c'], resources, { target: '/sp%20ace/?q=1' })
  t.equal(request.outcome, OK)
  t.equal(redirectedTo(request), '/sp ace/b')
  t.same(request.lookedUp, ['/sp%20ace/a?q=1', '/sp%20ace/b?q=1'])
})

t.test('an index file may be given as an absolute path, and a folder does not count', async (t) => {
  const files = { 'docs/d/sub/f': '' }
  const request = await served(t, ['DirectoryIndex sub /other.txt', 'DirectorySlash Off'], { '/other.txt': 200 }, { files })
  t.equal(redirectedTo(request), '/other.txt')
})

t.test('asynchronous lookups are awaited, at any position of the list', async (t) => {
  const names = ['DirectoryIndex a b c d']
  const request = await served(t, names, { '/d/b': 403, '/d/d': 200 }, { isSlow: true })
  t.type(request.result, Promise)
  t.equal(request.outcome, OK)
  t.equal(redirectedTo(request), '/d/d')
  const mixed = await served(t, names, { '/d/b': 403 }, { isSlow: '/d/c' })
  t.equal(mixed.outcome, 403)
})

t.test('synchronous lookups have a synchronous result', async (t) => {
  t.equal((await served(t, [], { '/d/index.html': 200 }, {})).result, OK)
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
    const request = await served(t, [`DirectoryIndex ${names}`], site, {})
    t.equal(request.outcome, expected)
    if (expected === 302) t.equal(request.response.header('Location'), 'http://elsewhere/')
  })
}

t.test('DirectoryIndexRedirect responds with the status and drops the query', async (t) => {
  const request = await served(t, ['DirectoryIndexRedirect permanent'], { '/dr/index.html': 200 }, { target: '/dr/?a=b' })
  t.equal(request.outcome, 301)
  t.equal(request.response.header('Location'), 'http://host.test/dr/index.html')
  t.equal(redirectedTo(request), undefined)
})

t.test('DirectoryCheckHandler declines a folder with a handler', async (t) => {
  const made = ['DirectoryCheckHandler On']
  const site = { '/d/index.html': 200 }
  const foo = { lines: 'SetHandler foo' }
  const taken = await served(t, made, site, foo)
  t.equal(taken.outcome, DECLINED)
  t.equal(taken.typeAfter, null)
  t.equal((await served(t, made, site, {})).outcome, OK)
  t.equal((await served(t, [], site, foo)).outcome, OK)
})

const FALLBACKS: readonly (readonly [
  what: string,
  line: string,
  site: Site,
  changes: Changes,
  outcome: number,
  lookedUp: readonly string[],
])[] = [
  ['a missing file', 'FallbackResource /front', { '/front': 200 }, { target: '/x?q' }, OK, ['/front?q']],
  ['a missing file below a missing folder', 'FallbackResource front', { '/x/front': 200 }, { target: '/x/y' }, OK, ['/x/front']],
  [
    'a missing file that has a handler',
    'FallbackResource /front',
    { '/front': 200 },
    { target: '/x', lines: 'SetHandler foo' },
    DECLINED,
    [],
  ],
  ['a file', 'FallbackResource /front', { '/front': 200 }, { target: '/x/y', files: { 'docs/x': 'x' } }, DECLINED, []],
  // The fallback is that of the index file, whose look-up is a request of its own.
  ['a folder without index', 'FallbackResource /front', { '/front': 200 }, {}, OK, ['/d/index.html', '/front']],
  [
    'a folder that has a handler',
    'FallbackResource /front',
    { '/front': 200 },
    { lines: 'SetHandler foo' },
    DECLINED,
    ['/d/index.html'],
  ],
  [
    'a folder with a forbidden index',
    'FallbackResource /front',
    { '/front': 200, '/d/index.html': 403 },
    {},
    403,
    ['/d/index.html'],
  ],
  // As in httpd, the missing file has the same fallback, up to LimitInternalRecursion.
  ['a fallback that is missing', 'FallbackResource /none', {}, { target: '/x' }, httpStatus(500), Array(10).fill('/none')],
  ['a fallback that is forbidden', 'FallbackResource /front', { '/front': 403 }, { target: '/x' }, 403, ['/front']],
  ['a fallback that is redirected', 'FallbackResource /front', { '/front': 302 }, { target: '/x' }, 302, ['/front']],
]

for (const [what, line, site, changes, expected, lookedUp] of FALLBACKS) {
  t.test(`${line} for ${what} ends in ${expected}`, async (t) => {
    const request = await served(t, [line], site, changes)
    t.equal(request.outcome, expected)
    t.same(request.lookedUp, lookedUp)
  })
}
