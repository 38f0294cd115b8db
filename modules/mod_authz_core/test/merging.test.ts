import type { AnyModule } from '@gatewright/api'
import { requireTreeOf } from '@gatewright/api/peers'
import { headerVariables, moduleLog, observedModule, requestRecorder, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../src/index.ts'

/** Sections of three walks, which are merged in this order. */
const WALKS = [
  '<Directory "@ROOT@/docs">\nLINES\n</Directory>',
  '<Files "*">\nLINES\n</Files>',
  '<Location />\nLINES\n</Location>',
]
/** Two sections of the last walk after one of the first. */
const ONE_WALK = [WALKS[0], WALKS[2], '<Location /f>\nLINES\n</Location>']

async function serving(t: Test, config: string, modules: readonly AnyModule[] = [authzCore]): Promise<TestServer> {
  const server = await site({ modules: [headerVariables, ...modules], config, files: { 'docs/f/f.txt': 'x' } })
  t.teardown(() => server.close())
  return server
}

/** Statuses without a variable, with A, with B, with both, of sections merged in order. */
async function statuses(t: Test, texts: readonly string[], places: readonly string[] = WALKS): Promise<number[]> {
  const server = await serving(t, texts.map((text, index) => places[index].replace('LINES', text)).join('\n'))
  const results: number[] = []
  for (const variables of ['', 'A=', 'B=', 'A=, B='])
    results.push((await server.inject({ target: '/f/f.txt', headers: { 'X-Env': variables } })).status)
  return results
}

t.test('a section combines with its predecessor as AuthMerging specifies', async (t) => {
  const rows: [string, readonly string[], number[]][] = [
    ['absent, no Require: base kept', ['Require env A', 'AuthzSendForbiddenOnFailure On'], [403, 200, 403, 200]],
    ['absent, Require: replaced', ['Require env A', 'Require env B'], [403, 403, 200, 200]],
    ['Off, Require: replaced', ['Require env A', 'AuthMerging Off\nRequire env B'], [403, 403, 200, 200]],
    ['Off, no Require: dropped', ['Require env A', 'AuthMerging off'], [200, 200, 200, 200]],
    ['And, both', ['Require env A', 'AuthMerging And\nRequire env B'], [403, 403, 403, 200]],
    ['Or, both', ['Require env A', 'AuthMerging OR\nRequire env B'], [403, 200, 200, 200]],
    ['And, no Require: base kept', ['Require env A', 'AuthMerging And'], [403, 200, 403, 200]],
    ['And, base has none: new kept', ['AuthzSendForbiddenOnFailure On', 'AuthMerging And\nRequire env B'], [403, 403, 200, 200]],
    ['not inherited', ['Require env A', 'AuthMerging And', 'Require env B'], [403, 403, 200, 200]],
    ['a chain', ['Require env A', 'AuthMerging And\nRequire all granted', 'AuthMerging Or\nRequire env B'], [403, 200, 200, 200]],
  ]
  for (const [name, texts, expected] of rows) t.same(await statuses(t, texts), expected, name)
})

t.test(
  'sections of one walk are first combined with each other, and the last of them determines how the result is combined',
  async (t) => {
    const texts = ['Require env A', 'AuthMerging Or\nRequire env B', 'AuthMerging And\nRequire all granted']
    t.same(await statuses(t, texts), [403, 200, 200, 200], '(A or B) and granted')
    t.same(await statuses(t, texts, ONE_WALK), [403, 403, 403, 200], 'A and (B and granted)')
  },
)

t.test('the trail names the containers made by AuthMerging', async (t) => {
  const server = await serving(
    t,
    `
    LogLevel authz_core:debug
    <Directory "@ROOT@/docs">
      Require all granted
    </Directory>
    <Files "*">
      AuthMerging And
      <Limit POST>
        Require all denied
      </Limit>
    </Files>
    <Location />
      AuthMerging Or
      Require all denied
    </Location>`,
  )
  await server.inject('/f/f.txt')
  t.same(
    moduleLog(server, 'authz_core').map((line) => line.replace(/.*authorization result of /, '')),
    [
      'Require all granted: granted',
      '<RequireAny>: granted',
      '<RequireAny>: granted (directive limited to other methods)',
      'AuthMerging All: granted',
      'AuthMerging Any: granted',
    ],
  )
})

t.test('other modules can learn which section the tree comes from and whether it depends on the host only', async (t) => {
  const observed = observedModule(authzCore)
  const recorder = requestRecorder()
  const server = await serving(
    t,
    `
    <AuthzProviderAlias all local denied>
    </AuthzProviderAlias>
    <LocationMatch none>
    </LocationMatch>
    <LocationMatch host>
      Require all granted
    </LocationMatch>
    <LocationMatch either>
      AuthMerging Or
      Require env A
    </LocationMatch>
    <LocationMatch alias>
      Require local
    </LocationMatch>
    <LocationMatch off>
      AuthMerging Off
    </LocationMatch>
    <LocationMatch flag>
      AuthzSendForbiddenOnFailure On
    </LocationMatch>`,
    [observed.module, recorder.module],
  )
  const tree = async (...names: string[]): Promise<unknown> => {
    await server.inject(`/${names.join('-')}`)
    return observed.host.functions.get(requireTreeOf)?.(recorder.last)
  }
  t.equal(await tree('none'), null)
  t.match(await tree('none', 'host', 'flag'), { section: { argument: 'host' }, hostOnly: true })
  t.match(await tree('none', 'host', 'either', 'flag'), { section: { argument: 'either' }, hostOnly: false })
  t.match(
    await tree('none', 'host', 'either', 'flag'),
    { sections: [{ argument: 'host' }, { argument: 'either' }] },
    'all that contributed',
  )
  t.match(await tree('host', 'alias'), { sections: { length: 1 } }, 'without AuthMerging the last alone')
  t.match(await tree('alias'), { section: { argument: 'alias' }, hostOnly: false }, 'an alias may mean anything')
  t.equal(await tree('host', 'off'), null)
})
