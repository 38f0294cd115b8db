import { type AnyModule, DECLINED, DONE, type HookName, httpStatus, OK, type Outcome } from '@gatewright/api'
import { site } from '@gatewright/testing'
import t from 'tap'
import { moduleOf, openModule } from './support/modules.ts'
import { bare } from './support/refusal.ts'

/** A possible return value of a module that was written without types. */
const untyped = (text: string): Outcome => JSON.parse(text)

type RequestPhase = Extract<
  HookName,
  | 'postReadRequest'
  | 'quickHandler'
  | 'preTranslateName'
  | 'translateName'
  | 'mapToStorage'
  | 'postPerdirConfig'
  | 'headerParser'
  | 'accessChecker'
  | 'accessCheckerEx'
  | 'forceAuthn'
  | 'checkUserId'
  | 'authChecker'
  | 'typeChecker'
  | 'fixups'
  | 'handler'
>

/** The first function of a phase, and its return value. */
function first(phase: RequestPhase, outcome: Outcome): AnyModule {
  return moduleOf('first', ({ hooks }) => hooks[phase].add(() => outcome, { rank: 'really-first' }))
}

/** Requires a user and grants access to every user. */
const users = moduleOf('users', ({ hooks }) => {
  hooks.accessCheckerEx.add(() => DECLINED)
  hooks.checkUserId.add((request) => {
    request.user = 'someone'
    return OK
  })
  hooks.authChecker.add(() => OK)
})

const PAGE = /^<!DOCTYPE html>[\s\S]*<title>(\d+) /
const FILE = 'the file'
const EMPTY = ''

interface Expected {
  readonly status: number
  /** The file, nothing, or the built-in page. */
  readonly body: string | RegExp
  readonly log?: RegExp
}
const served: Expected = { status: 200, body: FILE }
const nothing: Expected = { status: 200, body: EMPTY }
const page = (status: number, log?: RegExp): Expected => ({ status, body: PAGE, log })

/** The outcomes with the same meaning in every phase: module-api 3.1. */
const EVERYWHERE: readonly (readonly [Outcome, Expected])[] = [
  [DONE, nothing],
  [httpStatus(200), page(200)],
  [httpStatus(302), page(302)],
  [httpStatus(403), page(403)],
  ...['77', '100', '103', '199', '600', '1000', '-3', '1.5', '"text"', 'null', '{}', '[]', 'true'].map(
    (text): [Outcome, Expected] => [
      untyped(text),
      page(
        500,
        /^\[core:error\] (AH00524: Handler for default-handler returned invalid result code|AH01579: Invalid response status) .*\(hook \w+ of mod_first\.c\)$/,
      ),
    ],
  ),
]

const FILENAME_MISSING = /^\[core:error\] AH00029: Module bug\? {2}Request filename is missing for URI \/f\.txt$/
const COULD_NOT = (what: string): RegExp =>
  new RegExp(`^\\[core:crit\\] AH00025: configuration error: {2}couldn't ${what}: /f\\.txt$`)

/** The meaning of OK and DECLINED differs by phase. */
const PHASES: readonly (readonly [RequestPhase, Expected, Expected, AnyModule])[] = [
  ['handler', nothing, served, openModule],
  ['fixups', served, served, openModule],
  ['accessChecker', served, served, openModule],
  ['typeChecker', served, served, openModule],
  ['postReadRequest', served, served, openModule],
  ['quickHandler', nothing, served, openModule],
  ['headerParser', served, served, openModule],
  ['postPerdirConfig', served, served, openModule],
  ['preTranslateName', served, served, openModule],
  ['translateName', page(404, FILENAME_MISSING), served, openModule],
  ['forceAuthn', served, served, users],
  ['accessCheckerEx', served, served, users],
  [
    'checkUserId',
    page(
      500,
      /^\[core:error\] AH00027: No authentication done but request not allowed without authentication for \/f\.txt\. Authentication not configured\?$/,
    ),
    served,
    users,
  ],
  ['authChecker', served, served, users],
]

for (const [phase, ok, declined, rest] of PHASES) {
  t.test(`the outcomes of ${phase} are those of httpd`, async (t) => {
    const rows: (readonly [Outcome, Expected])[] = [[OK, ok], [DECLINED, declined], ...EVERYWHERE]
    for (const [outcome, expected] of rows) {
      // DONE of preTranslateName keeps the path encoded; forceAuthn runs only after access was granted.
      if (phase === 'preTranslateName' && outcome === DONE) continue
      if (phase === 'forceAuthn' && rest === users) continue
      const name = `${phase} returns ${JSON.stringify(outcome)}`
      const server = await site({ modules: [first(phase, outcome), rest], files: { 'docs/f.txt': FILE } })
      const { status, body } = await server.inject('/f.txt')
      t.equal(status, expected.status, name)
      if (typeof expected.body === 'string') t.equal(body, expected.body, name)
      else t.match(body, expected.body, name)
      t.match(server.errors().map(bare), expected.log === undefined ? [] : [expected.log], name)
      t.equal(server.errors().length, expected.log === undefined ? 0 : 1, name)
      await server.close()
    }
  })
}

t.test('forceAuthn requires a user although access was granted, and its denials apply', async (t) => {
  const granted = moduleOf('granted', ({ hooks }) => {
    hooks.accessCheckerEx.add(() => OK)
    hooks.checkUserId.add(() => httpStatus(401))
  })
  for (const [outcome, status] of [
    [OK, 401],
    [DECLINED, 200],
    [httpStatus(403), 403],
    [untyped('77'), 500],
  ] as const) {
    const server = await site({ modules: [first('forceAuthn', outcome), granted], files: { 'docs/f.txt': FILE } })
    t.equal((await server.inject('/f.txt')).status, status, `${outcome}`)
    await server.close()
  }
})

t.test('preTranslateName that is DONE keeps the path encoded', async (t) => {
  const seen: string[] = []
  const look = moduleOf('look', ({ hooks }) =>
    hooks.translateName.add((request) => {
      seen.push(request.uri)
      return DECLINED
    }),
  )
  for (const outcome of [DONE, DECLINED, OK]) {
    const server = await site({ modules: [first('preTranslateName', outcome), look, openModule] })
    await server.inject('/a%20b%7e')
    await server.close()
  }
  t.strictSame(seen, ['/a%20b~', '/a b~', '/a b~'])
})

/** Modules, and the phase that no module handled. */
const NOBODY: readonly (readonly [string, readonly AnyModule[], string])[] = [
  ['nobody authenticates', [moduleOf('need', ({ hooks }) => hooks.accessCheckerEx.add(() => DECLINED))], 'check user'],
  ['no module has a say about access', [], 'check user'],
  [
    'nobody authorizes',
    [
      moduleOf('known', ({ hooks }) =>
        hooks.checkUserId.add((request) => {
          request.user = 'someone'
          return OK
        }),
      ),
    ],
    'check authorization',
  ],
]

for (const [sentence, modules, what] of NOBODY) {
  t.test(`when ${sentence}, the request is an error and nothing is served`, async (t) => {
    const server = await site({ modules, files: { 'docs/f.txt': FILE } })
    t.teardown(() => server.close())
    const { status, body } = await server.inject('/f.txt')
    t.equal(status, 500)
    t.notMatch(body, FILE)
    t.match(server.errors().map(bare), [COULD_NOT(what)])
  })
}

t.test('handlers see the name that was set, and the default one where none was', async (t) => {
  const seen: (string | null)[] = []
  const look = moduleOf('look', ({ hooks }) =>
    hooks.handler.add((request) => {
      seen.push(request.handler)
      return DECLINED
    }),
  )
  const server = await site({
    modules: [openModule, look],
    files: { 'docs/f.txt': FILE },
    config: '<Location /f.txt>\nSetHandler nobody-has-this\n</Location>',
  })
  t.teardown(() => server.close())
  t.match(await server.inject('/f.txt'), { status: 200, body: FILE }, 'an unknown handler name on a file serves the file')
  t.equal((await server.inject('/none')).status, 404)
  t.strictSame(seen, ['nobody-has-this', 'default-handler'])
})
