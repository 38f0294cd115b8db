import { DECLINED, HTTP_MOVED_TEMPORARILY, type MaybePromise, OK, type Request, Table } from '@gatewright/api'
import { altered, configError, observedModule, servedRequest } from '@gatewright/testing'
import t from 'tap'
import { createConfig, mergeConfigs, type UserDirConfig } from '../src/config.ts'
import userdir from '../src/index.ts'
import { translate } from '../src/translate.ts'

const HOMES: Readonly<Record<string, string>> = { ann: '/home/ann', bob: '/home/bob' }

const REQUEST = await servedRequest()

async function configured(...lines: readonly string[]): Promise<UserDirConfig> {
  const observed = observedModule(userdir)
  const { server } = await servedRequest('/', { modules: [observed.module], config: lines.join('\n') })
  return observed.host.serverConfigOf(server)
}

function mapped(uri: string, config: UserDirConfig): Request & { readonly outcome: MaybePromise<number> } {
  const request = altered(REQUEST, { uri, headersOut: new Table() })
  return Object.assign(request, { outcome: translate(request, config, (user) => HOMES[user] ?? null) })
}

t.test('a relative folder is in the home of the user', async (t) => {
  const config = await configured('UserDir public_html')
  t.match(mapped('/~ann/a/b', config), {
    outcome: OK,
    filename: '/home/ann/public_html/a/b',
    contextPrefix: '/~ann',
    contextDocumentRoot: '/home/ann/public_html',
  })
  t.equal(mapped('/~ann', config).filename, '/home/ann/public_html')
  t.equal(mapped('/~nobody/x', config).outcome, DECLINED)
})

t.test('the name is appended to an absolute folder, or replaces its asterisk', async (t) => {
  t.equal(mapped('/~zed/x', await configured('UserDir /srv/people')).filename, '/srv/people/zed/x')
  t.equal(mapped('/~zed/x', await configured('UserDir /srv/*/www')).filename, '/srv/zed/www/x')
})

t.test('a URL with an asterisk is a redirect', async (t) => {
  for (const [line, location] of [
    ['UserDir http://people.example/*', 'http://people.example/zed/x'],
    ['UserDir http://people.example/*/home', 'http://people.example/zed/x'],
    ['UserDir http://*.people.example', 'http://zed/x'],
  ]) {
    const { outcome, headersOut } = mapped('/~zed/x', await configured(line ?? ''))
    t.equal(outcome, HTTP_MOVED_TEMPORARILY)
    t.equal(headersOut.get('Location'), location)
  }
})

t.test('slashes between the name and the rest of the path count as one', async (t) => {
  const { headersOut } = mapped('/~zed//x//y', await configured('UserDir http://people.example/*'))
  t.equal(headersOut.get('Location'), 'http://people.example/zed/x//y')
  t.equal(mapped('/~zed///x', await configured('UserDir /srv/people')).filename, '/srv/people/zed/x')
})

t.test('the first folder that exists is used, else the last', async (t) => {
  const root = t.testdir({ second: { ann: { f: '' } } })
  const config = await configured(`UserDir ${root}/first ${root}/second ${root}/third`)
  t.equal(mapped('/~ann/f', config).filename, `${root}/second/ann/f`)
  t.equal(mapped('/~bob/f', config).filename, `${root}/third/bob/f`)
})

t.test('invalid user names are declined', async (t) => {
  const config = await configured('UserDir /srv/people')
  for (const uri of ['/~', '/~/x', '/~./x', '/~../x', '/ann', '/x/~ann', '*']) t.equal(mapped(uri, config).outcome, DECLINED, uri)
})

t.test('disabled takes precedence over enabled, and enabled names are served if all others are not', async (t) => {
  const config = await configured('UserDir public', 'UserDir disabled', 'UserDir enabled ann bob', 'UserDir disable bob')
  t.equal(mapped('/~ann/x', config).outcome, OK)
  t.equal(mapped('/~bob/x', config).outcome, DECLINED)
  t.equal(mapped('/~zed/x', config).outcome, DECLINED)
})

t.test('a virtual host inherits locations, but not names', async (t) => {
  const main = await configured('UserDir public', 'UserDir disabled bob')
  t.equal(mapped('/~bob/x', mergeConfigs(main, createConfig())).outcome, OK)
  t.equal(mapped('/~bob/x', mergeConfigs(main, await configured('UserDir disabled'))).outcome, DECLINED)
})

t.test('a line without a word is rejected', async (t) => {
  t.equal(await configError({ modules: [userdir], config: 'UserDir' }), 'UserDir requires an argument.')
})
