import {
  type AnyModule,
  type AuthzProvider,
  defineModule,
  HTTP_MOVED_TEMPORARILY,
  httpStatus,
  type Outcome,
} from '@gatewright/api'
import { headerLogin, site, type TestServer } from '@gatewright/testing'
import authnCore from 'mod_authn_core'
import t, { type Test } from 'tap'
import authzCore from '../src/index.ts'

function denying(status: Outcome): AuthzProvider {
  return {
    parse: () => (request) => {
      request.denial = { status, fields: { 'Retry-After': '7' } }
      return 'denied'
    },
  }
}

/** `Require slow` denies with 429 and Retry-After, `Require moved` with a status that is no error; `Require known` needs a user. */
const answering: AnyModule = defineModule({
  name: 'answering_module',
  source: 'mod_answering.c',
  register({ providers }) {
    providers.authz.add('slow', denying(httpStatus(429)))
    providers.authz.add('moved', denying(HTTP_MOVED_TEMPORARILY))
    providers.authz.add('known', {
      parse:
        () =>
        ({ user }) =>
          user === null ? 'denied-no-user' : 'granted',
    })
  },
})

async function serving(t: Test, config: string): Promise<TestServer> {
  const server = await site({ modules: [authnCore, headerLogin, answering, authzCore], config, files: { 'docs/d': 'x' } })
  t.teardown(() => server.close())
  return server
}

t.test(
  'a provider that denies chooses status and fields of the answer, and the ErrorDocument of that status applies',
  async (t) => {
    const server = await serving(
      t,
      `
      ErrorDocument 403 "not this"
      ErrorDocument 429 "slow down"
      <Location /d>
        Require slow
      </Location>`,
    )
    const answer = await server.inject('/d')
    t.equal(answer.status, 429)
    t.match(answer.body, /^slow down/)
    t.equal(answer.header('Retry-After'), '7')
    t.match(server.errors().at(-1), /AH01630: client denied by server configuration: /)
  },
)

t.test('another Require line that grants access makes the answer of the one that denied irrelevant', async (t) => {
  const server = await serving(t, '<Location /d>\nRequire slow\nRequire all granted\n</Location>')
  const answer = await server.inject('/d')
  t.equal(answer.status, 200)
  t.equal(answer.header('Retry-After'), undefined)
})

t.test('a client that could get access with a password is asked for it', async (t) => {
  const server = await serving(t, '<Location /d>\nAuthType Basic\nAuthName x\nRequire slow\nRequire known\n</Location>')
  t.equal((await server.inject('/d')).status, 401)
  t.equal((await server.inject({ target: '/d', headers: { 'X-User': 'ann' } })).status, 200)
})

t.test('a status that is no error is a 403', async (t) => {
  const server = await serving(t, '<Location /d>\nRequire moved\n</Location>')
  t.equal((await server.inject('/d')).status, 403)
})
