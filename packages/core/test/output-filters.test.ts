import { randomBytes } from 'node:crypto'
import {
  type AnyModule,
  DECLINED,
  FILTER_RANK,
  type FilteredBody,
  HTTP_FORBIDDEN,
  type ModuleHost,
  type OutputFilter,
  type Request,
} from '@gatewright/api'
import { rawExchange, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { moduleOf, openModule } from './support/modules.ts'

const LARGE = randomBytes(200_000)

const text = (body: FilteredBody): string => (body instanceof Uint8Array ? Buffer.from(body).toString('latin1') : 'a stream')

/** Appends its name to its input. */
function marker(name: string, rank: number = FILTER_RANK.resource): OutputFilter {
  return { name, rank, filter: (_request, body) => Buffer.from(`${text(body)}${name}`, 'latin1') }
}

const waits: OutputFilter = {
  name: 'WAITS',
  rank: FILTER_RANK.resource,
  filter: async (_request, body) => {
    await new Promise((resolve) => setImmediate(resolve))
    return Buffer.from(`${text(body)}later `)
  },
}

function filters(...list: readonly OutputFilter[]): AnyModule {
  return moduleOf('filters', ({ providers }) => {
    for (const filter of list) providers.outputFilters.add(filter.name, filter)
  })
}

async function serve(t: Test, modules: readonly AnyModule[], config = ''): Promise<TestServer> {
  const server = await site({
    modules: [openModule, ...modules],
    config,
    files: { 'docs/f.txt': 'file ', 'docs/large.bin': LARGE, 'docs/error.txt': 'error ' },
  })
  t.teardown(() => server.close())
  return server
}

t.test('the filters of SetOutputFilter change the body and its length, in the order of their names', async (t) => {
  const server = await serve(t, [filters(marker('A'), marker('B'))], 'SetOutputFilter b;A')
  const { body, header } = await server.inject('/f.txt')
  t.equal(body, 'file BA')
  t.equal(header('Content-Length'), '7')
})

t.test('lower ranks come first, whatever the order of adding', async (t) => {
  const late = marker('SET', FILTER_RANK.contentSet)
  const server = await serve(
    t,
    [filters(late, marker('RES'), marker('SUB', FILTER_RANK.resource - 1))],
    'SetOutputFilter SET;RES;SUB',
  )
  t.equal((await server.inject('/f.txt')).body, 'file SUBRESSET')
})

t.test('an unregistered filter is logged, and the others work', async (t) => {
  const server = await serve(t, [filters(marker('A'))], 'SetOutputFilter nosuch;A')
  t.equal((await server.inject('/f.txt')).body, 'file A')
  t.match(server.errors(), [/\[core:error\] .*AH00082: an unknown filter was not added: nosuch$/])
})

t.test('two modules cannot register a filter of one name, however it is written', async (t) => {
  const again = moduleOf('again', ({ providers }) => providers.outputFilters.add('a', marker('a')))
  await t.rejects(
    serve(t, [filters(marker('A')), again]),
    /output filter provider a of mod_again\.c is already registered by mod_filters\.c/,
  )
})

t.test('insertFilter adds objects, after the filters of SetOutputFilter', async (t) => {
  const inserts = moduleOf('inserts', ({ hooks }) => hooks.insertFilter.add((request) => request.addOutputFilter(marker('C'))))
  const server = await serve(t, [filters(marker('A')), inserts], 'SetOutputFilter A')
  t.equal((await server.inject('/f.txt')).body, 'file AC')
})

t.test('an error page has lost the filters for content, and insertErrorFilter may add others', async (t) => {
  const inserts = moduleOf('inserts', ({ hooks }) => {
    hooks.typeChecker.add((request) => {
      request.addOutputFilter(marker('LATE', FILTER_RANK.protocol))
      return DECLINED
    })
    hooks.insertErrorFilter.add((request) => request.addOutputFilter(marker('PAGE')))
  })
  const server = await serve(t, [filters(marker('A')), inserts], 'SetOutputFilter A\nErrorDocument 404 "gone "')
  t.match(await server.inject('/nosuch'), { status: 404, body: 'gone PAGELATE' })
})

t.test('an error document is a response with separate filters', async (t) => {
  const server = await serve(t, [filters(marker('A'))], 'SetOutputFilter A\nErrorDocument 404 /error.txt')
  t.match(await server.inject('/nosuch'), { status: 404, body: 'error A' })
})

t.test('a filter that throws, never settles or returns a status ends the response with an error', async (t) => {
  const outcomes: readonly (readonly [string, OutputFilter['filter'], number, RegExp])[] = [
    [
      'throws',
      () => {
        throw new Error('broken on purpose')
      },
      500,
      /\[core:crit\] .*output filter BAD failed: Error: broken on purpose/,
    ],
    ['rejects', () => Promise.reject(new Error('broken on purpose')), 500, /output filter BAD failed/],
    ['never settles', () => new Promise<FilteredBody>(() => undefined), 500, /did not settle within [\d.]+ s/],
    ['answers', () => HTTP_FORBIDDEN, 403, /^$/],
    ['answers later', async () => HTTP_FORBIDDEN, 403, /^$/],
  ]
  for (const [what, filter, status, line] of outcomes) {
    const bad = { name: 'BAD', rank: FILTER_RANK.resource, filter }
    const server = await serve(t, [filters(bad, marker('A'))], 'Timeout 1\nSetOutputFilter A;BAD')
    const answer = await server.inject('/f.txt')
    t.equal(answer.status, status, what)
    t.notMatch(answer.body, /file/, what)
    t.match(server.errors().join('\n'), line, what)
  }
})

t.test('a module that cannot insert its filter makes the response an error', async (t) => {
  const broken = moduleOf('broken', ({ hooks }) =>
    hooks.insertFilter.add(() => {
      throw new Error('broken on purpose')
    }),
  )
  const server = await serve(t, [broken])
  t.equal((await server.inject('/f.txt')).status, 500)
})

t.test('a filter may wait, and the next ones receive its result', async (t) => {
  const server = await serve(t, [filters(waits, marker('A'))], 'SetOutputFilter WAITS;A')
  t.equal((await server.inject('/f.txt')).body, 'file later A')
})

t.test('a redirecting request does not respond while the new response waits for a filter', async (t) => {
  const redirects = moduleOf('redirects', ({ hooks }) =>
    hooks.handler.add((request) => (request.uri === '/old' ? request.internalRedirect('/f.txt') : DECLINED)),
  )
  const server = await serve(t, [filters(waits), redirects], 'SetOutputFilter WAITS')
  t.match(await server.inject('/old'), { status: 200, body: 'file later ' })
})

t.test('a large file that no filter changes is served as a file, with its length and ranges', async (t) => {
  const seen: boolean[] = []
  const looks: OutputFilter = {
    name: 'LOOKS',
    rank: FILTER_RANK.resource,
    filter: (_request, body) => {
      seen.push(body instanceof Uint8Array)
      return body
    },
  }
  const server = await serve(t, [filters(looks)], 'SetOutputFilter LOOKS')
  const whole = await server.inject('/large.bin')
  t.equal(whole.header('Content-Length'), '200000')
  t.equal(whole.body, LARGE.toString('latin1'))
  const part = await server.inject({ target: '/large.bin', headers: { Range: 'bytes=100000-100009' } })
  t.match(part, { status: 206, body: LARGE.toString('latin1', 100_000, 100_010) })
  t.same(seen, [false, false], 'it is offered as a stream')
})

t.test('ranges are those of what a filter made', async (t) => {
  const server = await serve(t, [filters(marker('ABC'))], 'SetOutputFilter ABC')
  t.match(await server.inject({ target: '/f.txt', headers: { Range: 'bytes=4-6' } }), { status: 206, body: ' AB' })
  t.equal((await server.inject({ target: '/f.txt', headers: { Range: 'bytes=8-9' } })).status, 416)
})

t.test(
  'a stream that a filter makes of a file reaches the client whole, and is not asked for more than the client takes',
  async (t) => {
    let blocks = 0
    const swaps: OutputFilter = {
      name: 'SWAPS',
      rank: FILTER_RANK.resource,
      filter: (_request, body) => swapped(body),
    }
    async function* swapped(body: FilteredBody): AsyncGenerator<Uint8Array> {
      for await (const block of body instanceof Uint8Array ? [body] : body) {
        blocks++
        yield Buffer.from(block).map((byte) => 255 - byte)
      }
    }
    const server = await serve(t, [filters(swaps)], 'SetOutputFilter SWAPS')
    const port = await server.listen()
    const answer = await rawExchange(port, 'GET /large.bin HTTP/1.0\r\n\r\n')
    t.equal(answer.slice(answer.indexOf('\r\n\r\n') + 4), Buffer.from(LARGE.map((byte) => 255 - byte)).toString('latin1'))
    t.ok(blocks > 1)
  },
)

t.test('filters are also called for HEAD and 304, which have no body', async (t) => {
  const tells: OutputFilter = {
    name: 'TELLS',
    rank: FILTER_RANK.resource,
    filter: (request, body) => {
      request.headersOut.set('X-Body', text(body))
      return body
    },
  }
  const server = await serve(t, [filters(tells)], 'SetOutputFilter TELLS')
  t.equal((await server.inject({ method: 'HEAD', target: '/f.txt' })).header('X-Body'), 'file')
  const same = await server.inject({ target: '/f.txt', headers: { 'If-None-Match': '*' } })
  t.equal(same.status, 304)
  t.equal(same.header('X-Body'), '')
})

t.test('the response to HEAD for a stream announces neither length nor chunks', async (t) => {
  const streams: OutputFilter = { name: 'STREAMS', rank: FILTER_RANK.resource, filter: () => nothing() }
  async function* nothing(): AsyncGenerator<Uint8Array> {}
  const server = await serve(t, [filters(streams)], 'SetOutputFilter STREAMS')
  const { status, header } = await server.inject({ method: 'HEAD', target: '/f.txt' })
  t.equal(status, 200)
  t.equal(header('Transfer-Encoding'), undefined)
  t.equal(header('Content-Length'), undefined)
})

t.test('the filters of a page that handlers make are given its text as bytes', async (t) => {
  const page = moduleOf('page', ({ hooks }: ModuleHost<undefined, undefined>) =>
    hooks.handler.add((request: Request) => (request.handler === 'page' ? request.send('text/plain', 'caf\xe9 ') : DECLINED)),
  )
  const server = await serve(t, [filters(marker('A')), page], 'SetOutputFilter A\n<Location /page>\nSetHandler page\n</Location>')
  t.equal((await server.inject('/page')).body, 'caf\xe9 A')
})
