import { DECLINED, OK } from '@gatewright/api'
import { authTypeOf, hostRulesStandAlone } from '@gatewright/api/peers'
import t from 'tap'
import authzCore from '../src/index.ts'
import { FakeHost } from './fakes/fake-host.ts'
import type { RequestFacts } from './fakes/fake-request.ts'

interface Setting {
  readonly lines: string
  readonly authType?: string
  readonly facts?: RequestFacts
}

async function outcomes({ lines, authType, facts }: Setting): Promise<{ before: number; after: number; log: string[] }> {
  const host = new FakeHost([authzCore])
  host.logs.level = 'info'
  if (authType !== undefined) host.functions.offer(authTypeOf, () => authType)
  host.authz.add('user', {
    parse:
      (name) =>
      ({ user }) =>
        user === null ? 'denied-no-user' : user === name ? 'granted' : 'denied',
  })
  const error = host.configure(`<Directory /d>\n${lines}\n</Directory>`)
  if (error !== undefined) throw new Error(error)
  const before = await host.runFirst('accessCheckerEx', host.request(facts))
  const after = await host.runFirst('authChecker', host.request({ user: 'bob', ...facts }))
  return { before, after, log: host.logs.take() }
}

t.test('a granted request passes without authentication', async (t) => {
  const { before, after, log } = await outcomes({ lines: 'Require all granted', authType: 'Basic' })
  t.equal(before, OK)
  t.equal(after, OK)
  t.same(log, [])
})

t.test('a denial that no user can change is 403 before authentication, and logged with the file name', async (t) => {
  const { before, log } = await outcomes({ lines: 'Require all denied', authType: 'Basic' })
  t.equal(before, 403)
  t.equal(log[0], 'authz_core:error AH01630: client denied by server configuration: /docs/f.txt')
})

t.test('a request without file name is logged with its URI', async (t) => {
  const { log } = await outcomes({ lines: 'Require all denied', facts: { filename: '' } })
  t.equal(log[0], 'authz_core:error AH01630: client denied by server configuration: uri /f.txt')
})

t.test('a decision that a user could change requires authentication', async (t) => {
  const { before, after } = await outcomes({ lines: 'Require user bob', authType: 'Basic' })
  t.equal(before, DECLINED)
  t.equal(after, OK)
})

t.test('an authenticated user who is refused gets 401, or 403 with AuthzSendForbiddenOnFailure', async (t) => {
  const refused = await outcomes({ lines: 'Require user alice', authType: 'Basic' })
  t.equal(refused.after, 401)
  t.same(refused.log, ['authz_core:error AH01631: user bob: authorization failure for "/f.txt": '])
  const forbidden = await outcomes({ lines: 'Require user alice\nAuthzSendForbiddenOnFailure On', authType: 'Basic' })
  t.equal(forbidden.after, 403)
  t.match(forbidden.log, [/AH01631/])
})

t.test('without AuthType a refusal after authentication is 403', async (t) => {
  const { after, log } = await outcomes({ lines: 'Require user alice' })
  t.equal(after, 403)
  t.match(log, [/AH01630/])
})

t.test('an expression about the user requires authentication again, and never leads to 403', async (t) => {
  const lines = "Require expr %{REMOTE_USER} == 'alice'\nAuthzSendForbiddenOnFailure On"
  const { before, after, log } = await outcomes({ lines, authType: 'Basic' })
  t.equal(before, DECLINED)
  t.equal(after, 401)
  t.same(log, ['authz_core:error AH01629: authorization failure (no authenticated user): /f.txt'])
})

t.test('an expression that fails is 500 unless an earlier grant hides it', async (t) => {
  const failing = await outcomes({ lines: 'Require expr %{FAIL}\nRequire all granted' })
  t.equal(failing.before, 500)
  t.match(failing.log[0], /AH02320: Error evaluating expression in 'Require expr': Cannot open file \/nonexistent$/)
  t.equal((await outcomes({ lines: 'Require all granted\nRequire expr %{FAIL}' })).before, OK)
})

t.test('the trail shows a check that fails as neutral, and omits the containers that it ends', async (t) => {
  const host = new FakeHost([authzCore])
  host.logs.level = 'debug'
  host.authz.add('failing', { parse: () => () => 'general-error' })
  host.configure('<Directory /d>\n<RequireAll>\nRequire not failing x\nRequire all granted\n</RequireAll>\n</Directory>')
  t.equal(await host.runFirst('accessCheckerEx', host.request()), 500)
  t.same(host.logs.take(), ['authz_core:debug AH01626: authorization result of Require not failing x: neutral'])
})

t.test('without Require a request passes, but an AuthType without Require is a mistake', async (t) => {
  t.equal((await outcomes({ lines: 'AuthMerging Off' })).before, OK)
  const mistake = await outcomes({ lines: 'AuthMerging Off', authType: 'Basic' })
  t.equal(mistake.before, 500)
  t.match(mistake.log[0], /AH01627: AuthType configured with no corresponding authorization directives$/)
})

t.test('the tree is not evaluated if the host rules of mod_access_compat stand alone', async (t) => {
  const host = new FakeHost([authzCore])
  let alone = true
  host.functions.offer(hostRulesStandAlone, () => alone)
  host.configure('<Directory /d>\nRequire all denied\n</Directory>')
  t.equal(await host.runFirst('accessCheckerEx', host.request()), OK)
  t.equal(await host.runFirst('authChecker', host.request()), OK)
  alone = false
  t.equal(await host.runFirst('accessCheckerEx', host.request()), 403)
})

t.test('checks that wait lead to the same outcome', async (t) => {
  const host = new FakeHost([authzCore])
  host.authz.add('slow', { parse: (name) => async () => (name === 'yes' ? 'granted' : 'denied') })
  host.configure('<Directory /d>\nRequire slow yes\n</Directory>\n<Directory /e>\nRequire slow no\n</Directory>')
  const [first] = host.functionsOf('accessCheckerEx')
  t.type(first(host.request({}, [host.section('/d')])), Promise)
  t.equal(await first(host.request({}, [host.section('/d')])), OK)
  t.equal(await first(host.request({}, [host.section('/e')])), 403)
})

t.test('hosts that are configured at the same time do not see each other', async (t) => {
  const one = new FakeHost([authzCore])
  const two = new FakeHost([authzCore])
  two.authz.add('only-two', { parse: () => () => 'granted' })
  t.equal(one.configure('<Directory /d>\nRequire only-two\n</Directory>'), '2: Unknown Authz provider: only-two')
  t.equal(two.configure('<Directory /d>\nRequire only-two\n</Directory>'), undefined)
  t.type(two.htaccess('/x', 'Require only-two'), 'object')
  t.equal(one.htaccess('/x', 'Require only-two'), 'Unknown Authz provider: only-two')
})
