import { type AnyModule, DECLINED, httpStatus, type MaybePromise, OK, type Outcome, type Request } from '@gatewright/api'
import { rawExchange, site } from '@gatewright/testing'
import t from 'tap'
import { moduleOf } from './support/modules.ts'
import { PHASES, type Phase } from './support/phases.ts'

const later = async <T>(value: T): Promise<T> => {
  await new Promise((resolve) => setImmediate(resolve))
  return value
}

/**
 * Two functions per phase that record their calls; those of the phases in `waiting` settle later. The
 * lifecycle requires a user.
 */
function traced(waiting: ReadonlySet<Phase>, trace: (request: Request, step: string) => void): AnyModule[] {
  const answer = (phase: Phase, outcome: Outcome): MaybePromise<Outcome> => (waiting.has(phase) ? later(outcome) : outcome)
  const outcomeOf = (phase: Phase): Outcome => (phase === 'checkUserId' || phase === 'authChecker' ? OK : DECLINED)
  const module = (name: string, last: boolean): AnyModule =>
    moduleOf(name, ({ hooks }) => {
      for (const phase of PHASES) {
        hooks[phase].add(
          (request) => {
            trace(request, `${phase} ${name}`)
            if (phase === 'checkUserId' && last) request.user = 'someone'
            return answer(phase, last ? outcomeOf(phase) : DECLINED)
          },
          { rank: 'really-first' },
        )
      }
    })
  return [module('one', false), module('two', true)]
}

async function traceOf(waiting: readonly Phase[]): Promise<{ readonly status: number; readonly trace: readonly string[] }> {
  const trace: string[] = []
  const server = await site({
    modules: traced(new Set(waiting), (_request, step) => void trace.push(step)),
    files: { 'docs/f': 'content' },
  })
  const { status } = await server.inject('/f')
  await server.close()
  return { status, trace }
}

t.test('a request that waits in a phase continues there', async (t) => {
  const expected = await traceOf([])
  t.equal(expected.status, 200)
  t.equal(expected.trace.length, 2 * (PHASES.length - 1), 'all phases but forceAuthn, which does not run here')
  for (const phase of PHASES) t.strictSame(await traceOf([phase]), expected, phase)
  t.strictSame(await traceOf(PHASES), expected, 'in all of them')
})

t.test('requests that wait at the same time do not mix', async (t) => {
  const traces = new Map<Request, string[]>()
  const server = await site({
    modules: [
      ...traced(new Set(PHASES), (request, step) => {
        traces.set(request, [...(traces.get(request) ?? []), step])
      }),
      moduleOf('echo', ({ hooks }) => hooks.handler.add((request) => later(request.send('text/plain', request.uri)))),
    ],
    files: Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`docs/f${index}`, ''])),
  })
  t.teardown(() => server.close())
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => server.inject(`/f${index}`)))
  t.strictSame(
    answers.map(({ body }) => body),
    Array.from({ length: 20 }, (_, index) => `/f${index}`),
  )
  t.equal(traces.size, 20)
  t.equal(new Set([...traces.values()].map((trace) => trace.join())).size, 1)
})

t.test('answers on one connection keep the order of the requests, however long each waits', async (t) => {
  const slowFirst = moduleOf('slow', ({ hooks }) => {
    hooks.accessCheckerEx.add(() => OK)
    hooks.handler.add(async (request) => {
      await new Promise((resolve) => setTimeout(resolve, request.uri === '/1' ? 30 : 0))
      return request.send('text/plain', `answer ${request.uri}\n`)
    })
  })
  const server = await site({ modules: [slowFirst] })
  t.teardown(() => server.close())
  const requests = ['/1', '/2', '/3'].map(
    (path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n${path === '/3' ? 'Connection: close\r\n' : ''}\r\n`,
  )
  const text = await rawExchange(await server.listen(), requests.join(''))
  t.strictSame(text.match(/answer \/\d/g), ['answer /1', 'answer /2', 'answer /3'])
})

/** The value with which a waiting function of a phase settles, and the status of the response. */
const SETTLED: readonly (readonly [Phase, number | 'OK' | 'DECLINED', number])[] = [
  ['postReadRequest', 403, 403],
  ['preTranslateName', 404, 404],
  ['translateName', 302, 302],
  ['mapToStorage', 405, 405],
  ['postPerdirConfig', 400, 400],
  ['headerParser', 400, 400],
  ['accessChecker', 403, 403],
  ['accessCheckerEx', 'OK', 200],
  ['accessCheckerEx', 403, 403],
  ['checkUserId', 403, 403],
  ['checkUserId', 'DECLINED', 200],
  ['authChecker', 403, 403],
  ['typeChecker', 500, 500],
  ['fixups', 503, 503],
  ['handler', 404, 404],
  ['handler', 'DECLINED', 200],
]

for (const [phase, settled, status] of SETTLED) {
  t.test(`${phase} that settles with ${settled} later is answered with ${status}`, async (t) => {
    const outcome = settled === 'OK' ? OK : settled === 'DECLINED' ? DECLINED : httpStatus(settled)
    const waits = moduleOf('waits', ({ hooks }) => hooks[phase].add(() => later(outcome), { rank: 'really-first' }))
    const server = await site({
      modules: [waits, ...traced(new Set(), () => undefined)],
      files: { 'docs/f': 'content' },
    })
    t.teardown(() => server.close())
    t.equal((await server.inject('/f')).status, status)
  })
}

t.test('sub-requests and redirects wait as well', async (t) => {
  const module = moduleOf('looks', ({ hooks }) => {
    hooks.accessCheckerEx.add((request) => later(request.uri === '/no' ? httpStatus(403) : OK))
    hooks.handler.add(async (request) => {
      if (request.uri === '/look') {
        const [yes, no] = [await request.lookupUri('/yes'), await request.lookupUri('/no')]
        return request.send('text/plain', `${yes.status} ${no.status}`)
      }
      return request.uri === '/go' ? request.internalRedirect('/yes') : DECLINED
    })
  })
  // Separate sections: a request with the same configuration as its origin is not checked again.
  const config = 'ErrorDocument 403 /yes\n<Location /no>\nOptions None\n</Location>'
  const server = await site({ modules: [module], files: { 'docs/yes': 'reached' }, config })
  t.teardown(() => server.close())
  t.match(await server.inject('/look'), { status: 200, body: '200 403' })
  t.match(await server.inject('/go'), { status: 200, body: 'reached' })
  t.match(await server.inject('/no'), { status: 403, body: 'reached' })
})

t.test('a road that nothing suspends is over before the call returns', async (t) => {
  const server = await site({ modules: traced(new Set(), () => undefined), files: { 'docs/f': 'content' } })
  t.teardown(() => server.close())
  const { MemoryTransport } = await import('@gatewright/http')
  const transport = new MemoryTransport({ remoteAddress: '127.0.0.1', remotePort: 1, localPort: 80 })
  server.worker.inject(transport, null)
  transport.feed('GET /f HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  // Writes are collected until the end of the turn; only this is awaited.
  await new Promise((resolve) => process.nextTick(resolve))
  await new Promise((resolve) => setImmediate(resolve))
  t.match(transport.text, /^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\ncontent$/)
})
