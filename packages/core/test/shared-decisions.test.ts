import { type AnyModule, type DecisionBasis, type HookOrder, HTTP_FORBIDDEN, OK, type Request } from '@gatewright/api'
import type { DecisionStep, DecisionTracer } from '@gatewright/api/tracing'
import { type FileTree, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { moduleOf } from './support/modules.ts'

const FILES: FileTree = {
  'docs/a.txt': 'a',
  'docs/b.txt': 'b',
  'docs/sub/s.txt': 's',
  'docs/other/.htaccess': 'Options +Indexes\n',
  'docs/other/o.txt': 'o',
}

const OPEN: AnyModule = moduleOf('open', ({ hooks }) => hooks.accessCheckerEx.add(() => OK, { decidesBy: 'configuration' }))

/** The link between a request and the next one. */
type Step = (request: Request, target: string) => unknown
const redirect: Step = (request, target) => request.internalRedirect(target)
const lookupUri: Step = (request, target) => request.lookupUri(target)
const lookupFile: Step = (request, target) => request.lookupFile(`${request.server.documentRoot}${target}`)
const lookupEntry: Step = (request, target) => request.lookupEntry(target.slice(target.lastIndexOf('/') + 1))

interface Case {
  readonly config?: string
  readonly from?: string
  readonly to: string
  readonly by: Step
}

/** The URIs for which access is decided, and the steps reported to a tracer. */
async function decisions(t: Test, { config = '', from = '/a.txt', to, by }: Case, decidesBy: DecisionBasis | undefined) {
  const asked: string[] = []
  const steps: DecisionStep[] = []
  const order: HookOrder = decidesBy === undefined ? {} : { decidesBy }
  const gate = moduleOf('gate', ({ hooks }) => {
    hooks.accessChecker.add((request) => {
      asked.push(request.uri)
      return OK
    }, order)
    hooks.fixups.add(async (request) => {
      if (request.main === null && request.prev === null && by !== redirect) await by(request, to)
      return OK
    })
    hooks.handler.add((request) => {
      if (request.prev === null && by === redirect) return request.internalRedirect(to)
      return request.send('text/plain', '')
    })
  })
  const server = await site({ modules: [OPEN, gate], config, files: FILES })
  t.teardown(() => server.close())
  const tracer: DecisionTracer = {
    step: (_, step) => void steps.push(step),
    evaluated: () => undefined,
    limited: () => undefined,
  }
  await server.inject(from)
  const untraced = asked.splice(0)
  await server.inject({ target: from, tracer })
  t.strictSame(asked, untraced, 'the same with a tracer')
  return { asked: untraced, steps }
}

const LOCATION = '<Location "/">\nOptions +Indexes\n</Location>'
const FILES_SECTION = '<Files "*">\nOptions +Indexes\n</Files>'
const IF = '<If "true">\nOptions +Indexes\n</If>'
const NESTED_IF = '<If "true">\n<If "true">\nOptions +Indexes\n</If>\n</If>'
const DIRECTORY = '<Directory "/">\nOptions +FollowSymLinks\nAllowOverride All\n</Directory>'

const ROWS: readonly (readonly [title: string, case_: Case, byConfiguration: boolean, byRequest: boolean])[] = [
  ['a redirect within a folder', { to: '/b.txt', by: redirect, config: DIRECTORY }, false, false],
  ['a redirect to another folder of the same sections', { to: '/sub/s.txt', by: redirect, config: DIRECTORY }, false, true],
  ['a redirect where no section applies at all', { to: '/sub/s.txt', by: redirect }, false, false],
  ['a redirect to a folder with a file of its own', { to: '/other/o.txt', by: redirect, config: DIRECTORY }, true, true],
  ['a redirect to a file that does not exist', { to: '/none', by: redirect, config: DIRECTORY }, false, true],
  ['a redirect to a file with path info', { to: '/b.txt/more', by: redirect, config: DIRECTORY }, false, true],
  ['a redirect to the same URL', { from: '/a.txt?x', to: '/a.txt', by: lookupUri, config: LOCATION }, false, false],
  ['a redirect below Location sections', { to: '/b.txt', by: redirect, config: LOCATION }, false, true],
  ['a redirect below Files sections', { to: '/b.txt', by: redirect, config: FILES_SECTION }, false, true],
  ['a redirect below If sections', { to: '/b.txt', by: redirect, config: IF }, false, true],
  ['a redirect below nested If sections', { to: '/b.txt', by: redirect, config: NESTED_IF }, true, true],
  ['a URL that is looked up', { to: '/sub/s.txt', by: lookupUri, config: DIRECTORY }, false, true],
  ['a file that is looked up below Directory sections', { to: '/b.txt', by: lookupFile, config: DIRECTORY }, false, false],
  ['a file that is looked up below Files sections', { to: '/b.txt', by: lookupFile, config: FILES_SECTION }, false, true],
  [
    'a file that is looked up below Location sections',
    { to: '/b.txt', by: lookupFile, config: `${DIRECTORY}\n${LOCATION}` },
    true,
    true,
  ],
  [
    'an entry that is looked up below Location sections',
    { to: '/b.txt', by: lookupEntry, config: `${DIRECTORY}\n${LOCATION}` },
    true,
    true,
  ],
  [
    'a file that is looked up below If sections of the host',
    { to: '/b.txt', by: lookupFile, config: `${DIRECTORY}\n${IF}` },
    true,
    true,
  ],
]

for (const [title, case_, byConfiguration, byRequest] of ROWS) {
  const said = (again: boolean): string => (again ? 'is authorized again' : 'shares the decision')
  t.test(`${title} ${said(byConfiguration)} by configuration, and ${said(byRequest)} by request`, async (t) => {
    t.equal((await decisions(t, case_, 'configuration')).asked.length, byConfiguration ? 2 : 1, 'by configuration')
    t.equal((await decisions(t, case_, 'request')).asked.length, byRequest ? 2 : 1, 'by request')
    t.equal((await decisions(t, case_, undefined)).asked.length, byRequest ? 2 : 1, 'by request, where nothing is declared')
  })
}

t.test('a tracer receives whether a decision is shared, and which modules prevent it', async (t) => {
  const case_ = { to: '/sub/s.txt', by: redirect, config: DIRECTORY }
  const told = ({ steps }: { readonly steps: readonly DecisionStep[] }) => steps.filter(({ kind }) => kind.startsWith('decided'))
  t.strictSame(told(await decisions(t, case_, 'configuration')), [{ kind: 'decided before' }])
  t.strictSame(told(await decisions(t, case_, 'request')), [{ kind: 'decided again', modules: ['mod_gate.c'] }])
  const other = { ...case_, to: '/other/o.txt' }
  t.strictSame(told(await decisions(t, other, 'request')), [], 'other sections are reason enough')
})

t.test('a provider that declares nothing makes the server decide by request', async (t) => {
  for (const decidesBy of ['configuration', undefined] as const) {
    const asked: string[] = []
    const gate = moduleOf('gate', ({ hooks, providers }) => {
      providers.authn.add('nobody', decidesBy === undefined ? {} : { decidesBy })
      hooks.accessChecker.add(
        ({ uri }) => {
          asked.push(uri)
          return uri === '/sub/s.txt' ? HTTP_FORBIDDEN : OK
        },
        { decidesBy: 'configuration' },
      )
      hooks.handler.add((request) =>
        request.uri === '/a.txt' ? request.internalRedirect('/sub/s.txt') : request.send('text/plain', 's'),
      )
    })
    const server = await site({ modules: [OPEN, gate], config: DIRECTORY, files: FILES })
    t.teardown(() => server.close())
    t.equal((await server.inject('/a.txt')).status, decidesBy === undefined ? 403 : 200)
  }
})

t.test('a request that was replaced by a sub-request has the configuration of the sub-request, and its own walks', async (t) => {
  const asked: string[] = []
  const gate = moduleOf('gate', ({ hooks }) => {
    hooks.accessChecker.add(
      ({ uri }) => {
        asked.push(uri)
        return OK
      },
      { decidesBy: 'configuration' },
    )
    hooks.fixups.add(async (request) => {
      if (request.main === null && request.uri === '/a.txt') request.fastRedirect(await request.lookupUri('/other/o.txt'))
      return OK
    })
    hooks.handler.add((request) =>
      request.prev === null ? request.internalRedirect(request.headersIn.get('X-Target') ?? '') : request.send('text/plain', ''),
    )
  })
  const server = await site({ modules: [OPEN, gate], config: DIRECTORY, files: FILES })
  t.teardown(() => server.close())
  for (const target of ['/b.txt', '/other/']) {
    await server.inject({ target: '/a.txt', headers: { 'X-Target': target } })
    t.strictSame(asked.splice(0), ['/a.txt', '/other/o.txt', target])
  }
})
