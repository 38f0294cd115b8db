import { type AuthzStatus, OK } from '@gatewright/api'
import t from 'tap'
import authzCore from '../src/index.ts'
import { FakeHost } from './fakes/fake-host.ts'

function hostWithProviders(): FakeHost {
  const host = new FakeHost([authzCore])
  host.authz.add('word', {
    parse: (argument) =>
      argument === '' ? "'require word' requires an argument" : ({ env }) => (env.has(argument) ? 'granted' : 'denied'),
  })
  return host
}

t.test('an alias has the arguments of its definition, whatever follows it in a Require line', async (t) => {
  const host = hostWithProviders()
  t.equal(
    host.configure(`
      <AuthzProviderAlias word flagged "A">
      </AuthzProviderAlias>
      <Directory /d>
        Require flagged ignored words
      </Directory>
      <Directory /e>
        <RequireAll>
          Require all granted
          Require not flagged
        </RequireAll>
      </Directory>`),
    undefined,
  )
  const plain = [host.section('/d')]
  t.equal(await host.runFirst('accessCheckerEx', host.request({ env: { A: '' } }, plain)), OK)
  t.equal(await host.runFirst('accessCheckerEx', host.request({}, plain)), 403)
  t.match(host.logs.take()[0], /Require flagged ignored words: granted/)
  t.equal(await host.runFirst('accessCheckerEx', host.request({ env: { A: '' } }, [host.section('/e')])), 403)
})

t.test('the directives of an alias are in force while its check runs, and only then', async (t) => {
  const host = new FakeHost([authzCore])
  const seen: unknown[] = []
  host.authz.add('look', {
    parse:
      () =>
      async (request): Promise<AuthzStatus> => {
        seen.push(request.config)
        return 'granted'
      },
  })
  host.configure(`
    <AuthzProviderAlias look over>
      AuthzSendForbiddenOnFailure On
    </AuthzProviderAlias>
    <Directory /d>
      Require over
    </Directory>`)
  const request = host.request()
  const before = request.config
  t.equal(await host.runFirst('accessCheckerEx', request), OK)
  t.not(seen[0], before)
  t.equal(request.config, before)
})

t.test('a definition may replace a provider for the lines after it', async (t) => {
  const host = hostWithProviders()
  host.configure(`
    <Directory /before>
      Require word A
    </Directory>
    <AuthzProviderAlias all word denied>
    </AuthzProviderAlias>
    <Directory /after>
      Require word A
    </Directory>`)
  const facts = { env: { A: '' } }
  t.equal(await host.runFirst('accessCheckerEx', host.request(facts, [host.section('/before')])), OK)
  t.equal(await host.runFirst('accessCheckerEx', host.request(facts, [host.section('/after')])), 403)
})

t.test('mistakes in a definition are refused', async (t) => {
  const rows: [string, string][] = [
    ['<AuthzProviderAlias word>', '1: <AuthzProviderAlias> directive requires additional arguments'],
    ['<AuthzProviderAlias nosuch x "y">', '1: Unknown Authz provider: nosuch'],
    ['<AuthzProviderAlias word x>', "1: Can't parse 'Require word ': 'require word' requires an argument"],
    ['<AuthzProviderAlias word x "y"', "1: <AuthzProviderAlias> directive missing closing '>'"],
    ['<AuthzProviderAlias nosuch x "y">\nDocumentRoot /x', '2: DocumentRoot not allowed in <AuthzProviderAlias> context'],
  ]
  for (const [lines, message] of rows) t.equal(hostWithProviders().configure(`${lines}\n</AuthzProviderAlias>`), message, lines)
  const early = hostWithProviders()
  t.equal(
    early.configure('<Directory /d>\nRequire late\n</Directory>\n<AuthzProviderAlias word late x>\n</AuthzProviderAlias>'),
    '2: Unknown Authz provider: late',
  )
})

t.test('several unquoted arguments cause a warning, and the first one counts', async (t) => {
  const host = hostWithProviders()
  t.equal(host.configure('<AuthzProviderAlias word x A B C>\n</AuthzProviderAlias>'), undefined)
  t.same(host.reports, [
    'warn AH10142: When several arguments (A B...) are passed to a <AuthzProviderAlias directive, they must be enclosed in quotation marks.  Otherwise, only the first one is taken into account',
  ])
})
