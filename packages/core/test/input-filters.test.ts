import {
  type AnyModule,
  BodyRefused,
  DECLINED,
  FILTER_RANK,
  HTTP_REQUEST_ENTITY_TOO_LARGE,
  type InputFilter,
  isBodyRefused,
  type Outcome,
} from '@gatewright/api'
import { rawExchange, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { moduleOf, openModule } from './support/modules.ts'
import { bare } from './support/refusal.ts'

/** Appends its name to every chunk, which shows the order of filters. */
function marker(name: string, rank: number = FILTER_RANK.resource): InputFilter {
  return {
    name,
    rank,
    async *filter(_request, body) {
      for await (const chunk of body) yield Buffer.concat([chunk, Buffer.from(name)])
    },
  }
}

function filters(...list: readonly InputFilter[]): AnyModule {
  return moduleOf('filters', ({ providers }) => {
    for (const filter of list) providers.inputFilters.add(filter.name, filter)
  })
}

/** Answers with the request body. */
const echo = moduleOf('echo', ({ hooks }) =>
  hooks.handler.add(async (request) => {
    if (request.uri !== '/echo') return DECLINED
    let text = ''
    for await (const chunk of request.readBody()) text += Buffer.from(chunk).toString('latin1')
    return request.send('text/plain', text)
  }),
)

async function serve(t: Test, modules: readonly AnyModule[], config: string): Promise<TestServer> {
  const server = await site({ modules: [openModule, echo, ...modules], config, files: { 'docs/f.txt': 'file' } })
  t.teardown(() => server.close())
  return server
}
const post = async (server: TestServer, target = '/echo'): Promise<readonly [number, string]> => {
  const { status, body } = await server.inject({ method: 'POST', target, body: 'body ' })
  return [status, body]
}

t.test('of the filters of SetInputFilter the last one is the first to work, as in httpd', async (t) => {
  const server = await serve(t, [filters(marker('A'), marker('B'))], 'SetInputFilter a;B')
  t.strictSame(await post(server), [200, 'body BA'])
})

t.test('higher ranks come first, whatever the order of adding', async (t) => {
  const inner = marker('INNER', FILTER_RANK.resource)
  const outer = marker('OUTER', FILTER_RANK.contentSet)
  for (const names of ['INNER;OUTER', 'OUTER;INNER']) {
    const server = await serve(t, [filters(inner, outer)], `SetInputFilter ${names}`)
    t.strictSame(await post(server), [200, 'body OUTERINNER'])
  }
})

t.test('a module may add a filter until the body is read', async (t) => {
  const adds = moduleOf('adds', ({ hooks }) => hooks.insertFilter.add((request) => request.addInputFilter(marker('OWN'))))
  t.strictSame(await post(await serve(t, [adds], '')), [200, 'body OWN'])
})

t.test('an unregistered name is logged, and the body is unchanged', async (t) => {
  const server = await serve(t, [], 'SetInputFilter NONE')
  t.strictSame(await post(server), [200, 'body '])
  t.strictSame(server.errors().map(bare), ['[core:error] AH00082: an unknown filter was not added: NONE'])
})

t.test('a filter is not called without a body, nor for a body that is discarded', async (t) => {
  let asked = 0
  const curious: InputFilter = {
    name: 'CURIOUS',
    rank: FILTER_RANK.resource,
    filter: (_request, body) => {
      asked++
      return body
    },
  }
  const server = await serve(t, [filters(curious)], 'SetInputFilter CURIOUS')
  t.equal((await server.inject('/echo')).status, 200)
  t.equal((await server.inject({ method: 'POST', target: '/f.txt', body: 'dropped' })).status, 200)
  t.equal(asked, 0)
  t.strictSame(await post(server), [200, 'body '])
  t.equal(asked, 1)
})

t.test('a body that a filter refuses is answered with its status, and the next one served', async (t) => {
  let refuses = true
  const strict: InputFilter = {
    name: 'STRICT',
    rank: FILTER_RANK.resource,
    async *filter(_request, body) {
      yield* body
      if (refuses) throw new BodyRefused('too long for me', HTTP_REQUEST_ENTITY_TOO_LARGE)
    },
  }
  const server = await serve(t, [filters(strict)], 'SetInputFilter STRICT')
  t.equal((await post(server))[0], 413)
  t.strictSame(server.errors(), [], 'the filter says why, if it likes')
  refuses = false
  t.strictSame(await post(server), [200, 'body '])
})

t.test('a filter that breaks is a 500, and so is a refusal that is no status', async (t) => {
  const bad = (name: string, error: Error): InputFilter => ({
    name,
    rank: FILTER_RANK.resource,
    filter: () => {
      throw error
    },
  })
  const nonsense: Outcome = JSON.parse('77')
  const server = await serve(
    t,
    [filters(bad('BROKEN', new Error('broken on purpose')), bad('ODD', new BodyRefused('', nonsense)))],
    '<Location /echo>\nSetInputFilter BROKEN\n</Location>\n<If "%{QUERY_STRING} == \'odd\'">\nSetInputFilter ODD\n</If>',
  )
  t.equal((await post(server))[0], 500)
  t.equal((await post(server, '/echo?odd'))[0], 500)
  t.match(server.errors().map(bare), [
    /^\[core:crit\] hook handler of mod_echo\.c failed: Error: broken on purpose/,
    '[core:error] AH00524: Handler for default-handler returned invalid result code 77 (hook handler of mod_echo.c)',
  ])
})

t.test('a refused body is known by its name, also from another copy of the API', (t) => {
  t.ok(isBodyRefused(Object.assign(new Error('x'), { name: 'BodyRefused', status: 413 })))
  t.notOk(isBodyRefused(Object.assign(new Error('x'), { status: 413 })))
  t.notOk(isBodyRefused(Object.assign(new Error('x'), { name: 'BodyRefused' })))
  t.end()
})

t.test('a body on a socket passes its filters piece by piece', async (t) => {
  const server = await serve(t, [filters(marker('|'))], 'SetInputFilter |')
  const port = await server.listen()
  const request =
    'POST /echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n'
  t.match(await rawExchange(port, request), /\r\n\r\nabc\|de\|$/)
})
