import { requireTreeOf } from '@gatewright/api/peers'
import t from 'tap'
import authzCore from '../src/index.ts'
import { authorize, FakeHost, type FakeSection } from './fakes/fake-host.ts'

/** Statuses without a variable, with A, with B, with both, of sections merged in order. */
async function statuses(texts: readonly string[], grouped = false): Promise<number[]> {
  const host = new FakeHost([authzCore])
  const error = host.configure(texts.map((text, index) => `<Directory /${index}>\n${text}\n</Directory>`).join('\n'))
  if (error !== undefined) throw new Error(error)
  const [outer, ...rest] = host.sections
  const order: readonly (FakeSection | readonly FakeSection[])[] = grouped ? [outer, rest] : host.sections
  const results: number[] = []
  const environments: Record<string, string>[] = [{}, { A: '' }, { B: '' }, { A: '', B: '' }]
  for (const env of environments) results.push(await authorize(host, host.request({ env }, order)))
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
  for (const [name, texts, expected] of rows) t.same(await statuses(texts), expected, name)
})

t.test(
  'sections of one walk are first combined with each other, and the last of them determines how the result is combined',
  async (t) => {
    const texts = ['Require env A', 'AuthMerging Or\nRequire env B', 'AuthMerging And\nRequire all granted']
    t.same(await statuses(texts), [403, 200, 200, 200], '(A or B) and granted')
    t.same(await statuses(texts, true), [403, 403, 403, 200], 'A and (B and granted)')
  },
)

t.test('the trail names the containers made by AuthMerging', async (t) => {
  const host = new FakeHost([authzCore])
  host.configure(`
    <Directory /a>
      Require all granted
    </Directory>
    <Directory /b>
      AuthMerging And
      <Limit POST>
        Require all denied
      </Limit>
    </Directory>
    <Directory /c>
      AuthMerging Or
      Require all denied
    </Directory>`)
  await authorize(host, host.request())
  t.same(
    host.logs.take().map((line) => line.replace(/.*authorization result of /, '')),
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
  const host = new FakeHost([authzCore])
  host.configure(`
    <AuthzProviderAlias all local denied>
    </AuthzProviderAlias>
    <Directory /none>
    </Directory>
    <Directory /host>
      Require all granted
    </Directory>
    <Directory /flag>
      AuthzSendForbiddenOnFailure On
    </Directory>
    <Directory /or>
      AuthMerging Or
      Require env A
    </Directory>
    <Directory /alias>
      Require local
    </Directory>
    <Directory /off>
      AuthMerging Off
    </Directory>`)
  const tree = (...names: string[]): unknown => {
    const request = host.request(
      {},
      names.map((name) => host.section(name)),
    )
    return host.functions.get(requireTreeOf)?.(request)
  }
  t.equal(tree('/none'), null)
  t.match(tree('/none', '/host', '/flag'), { section: { argument: '/host' }, hostOnly: true })
  t.match(tree('/none', '/host', '/or', '/flag'), { section: { argument: '/or' }, hostOnly: false })
  t.match(
    tree('/none', '/host', '/or', '/flag'),
    { sections: [{ argument: '/host' }, { argument: '/or' }] },
    'all that contributed',
  )
  t.match(tree('/host', '/alias'), { sections: { length: 1 } }, 'without AuthMerging the last alone')
  t.match(tree('/alias'), { section: { argument: '/alias' }, hostOnly: false }, 'an alias may mean anything')
  t.equal(tree('/host', '/off'), null)
})
