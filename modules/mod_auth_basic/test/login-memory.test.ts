import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { createServer } from '@gatewright/core'
import { hashPassword } from '@gatewright/passwd'
import { basicAuth, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authnCore from '../../mod_authn_core/src/index.ts'
import authnFile from '../../mod_authn_file/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzUser from '../../mod_authz_user/src/index.ts'
import authBasic from '../src/index.ts'

const hash = (password: string): string => hashPassword('bcrypt', Buffer.from(password), { cost: 4 })
const BOB = hash('secret')
const ZOE = hash('other')

interface Site {
  readonly users: string
  statusOf(user: string, password: string): Promise<number>
}

/** A page for the users of a password file. */
async function guarded(t: Test, users: string): Promise<Site> {
  const root = t.testdir({ users, docs: { 'f.txt': 'hello\n' } })
  const server: TestServer = await createServer({
    serverRoot: root,
    modules: [authzCore, authzUser, authnCore, authnFile, authBasic],
    config: [
      'ServerName localhost',
      `DocumentRoot "${root}/docs"`,
      `<Directory "${root}/docs">`,
      'AuthType Basic',
      'AuthName R',
      `AuthUserFile "${root}/users"`,
      'Require valid-user',
      '</Directory>',
      '',
    ].join('\n'),
  })
  // Neither password threads nor a server without a port keep the process alive.
  const timer = setInterval(() => undefined, 1000)
  t.teardown(async () => {
    clearInterval(timer)
    await server.close()
  })
  return {
    users: join(root, 'users'),
    async statusOf(user, password) {
      // Requests from the network arrive in a turn of the event loop that begins after they were sent.
      await setImmediate()
      return (await server.inject({ target: '/f.txt', headers: basicAuth(user, password) })).status
    },
  }
}

t.test('a cached login is void after its user is removed from the file', async (t) => {
  const { users, statusOf } = await guarded(t, `bob:${BOB}\nzoe:${ZOE}\n`)
  t.equal(await statusOf('bob', 'secret'), 200)
  t.equal(await statusOf('bob', 'secret'), 200)
  writeFileSync(users, `zoe:${ZOE}\n`)
  t.equal(await statusOf('bob', 'secret'), 401)
  t.equal(await statusOf('zoe', 'other'), 200)
})

t.test('a cached login is void if the hash in the file has changed, although the length of the file has not', async (t) => {
  const { users, statusOf } = await guarded(t, `bob:${BOB}\n`)
  t.equal(await statusOf('bob', 'secret'), 200)
  writeFileSync(users, `bob:${hash('changed')}\n`)
  t.equal(await statusOf('bob', 'secret'), 401)
  t.equal(await statusOf('bob', 'changed'), 200)
  writeFileSync(users, `bob:${hash('changed again')}\n`)
  t.equal(await statusOf('bob', 'changed'), 401)
})

t.test('a cached login is void after its file is replaced', async (t) => {
  const { users, statusOf } = await guarded(t, `bob:${BOB}\n`)
  t.equal(await statusOf('bob', 'secret'), 200)
  writeFileSync(`${users}.new`, `zoe:${ZOE}\n`)
  renameSync(`${users}.new`, users)
  t.equal(await statusOf('bob', 'secret'), 401)
  t.equal(await statusOf('zoe', 'other'), 200)
})

t.test('a cached login of one user is not valid for another', async (t) => {
  const { users, statusOf } = await guarded(t, `bob:${BOB}\nzoe:${ZOE}\n`)
  t.equal(await statusOf('bob', 'secret'), 200)
  t.equal(await statusOf('zoe', 'secret'), 401)
  t.equal(await statusOf('nobody', 'secret'), 401)
  writeFileSync(users, `bob:${ZOE}\nzoe:${BOB}\n`)
  t.equal(await statusOf('bob', 'secret'), 401)
  t.equal(await statusOf('zoe', 'secret'), 200)
})
