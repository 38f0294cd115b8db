import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { basicAuth, silentPort, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authBasic from '../../mod_auth_basic/src/index.ts'
import authnCore from '../../mod_authn_core/src/index.ts'
import authnzLdap from '../../mod_authnz_ldap/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzUser from '../../mod_authz_user/src/index.ts'
import status from '../../mod_status/src/index.ts'
import ldap from '../src/index.ts'

t.setTimeout(600_000)

t.test('a directory that keeps logins waiting is left alone, nobody gets in, and metrics show it', async (t) => {
  const port = await silentPort(t)
  const server = await site({
    modules: [authzCore, authzUser, authnCore, authBasic, ldap, authnzLdap, status],
    config: `LDAPConnectionTimeout 1
LDAPRetries 0
<Location "/u">
AuthType Basic
AuthName x
AuthBasicProvider ldap
AuthLDAPURL "ldaps://127.0.0.1:${port}/dc=example,dc=org"
Require valid-user
</Location>
<Location "/server-status">
SetHandler server-status
Require all granted
</Location>`,
    files: { 'docs/u': 'content' },
  })
  t.teardown(() => server.close())
  for (let count = 0; count < 2; count++)
    t.equal((await server.inject({ target: '/u', headers: basicAuth('alice', 'secret') })).status, 500)
  const { body } = await server.inject('/server-status?metrics')
  const label = `{server="LDAP server 127.0.0.1:${port}"}`
  t.match(body, `gatewright_ldap_left_alone${label} 1\n`)
  t.match(body, new RegExp(`gatewright_ldap_failures_total\\${label} [1-9]`))
  t.match(body, `# TYPE gatewright_ldap_skipped counter`)
})

interface Directory {
  readonly port: number
  /** The operations that arrived: `bind`, `search`, in the order of arrival. */
  readonly asked: string[]
  readonly connections: Socket[]
  answers: boolean
}

/** A server that accepts connections; it answers every search with nothing found, and every bind with success, if it answers. */
async function plainDirectory(t: Test): Promise<Directory> {
  const asked: string[] = []
  const connections: Socket[] = []
  const server = createServer((socket) => {
    connections.push(socket)
    socket.on('error', () => {})
    socket.on('data', (bytes: Buffer) => {
      // SEQUENCE, length, INTEGER, 1, the number of the message, and the operation.
      const [, , , , id, operation] = bytes
      if (operation !== 0x60 && operation !== 0x63) return
      asked.push(operation === 0x60 ? 'bind' : 'search')
      if (directory.answers)
        socket.write(Buffer.from([0x30, 12, 2, 1, id, operation + (operation === 0x60 ? 1 : 2), 7, 10, 1, 0, 4, 0, 4, 0]))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of connections) socket.destroy()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const directory: Directory = { port: address.port, asked, connections, answers: false }
  return directory
}

t.test('a directory that accepts connections and answers nothing is left alone as well, until it answers', async (t) => {
  const directory = await plainDirectory(t)
  const server = await site({
    modules: [authzCore, authzUser, authnCore, authBasic, ldap, authnzLdap],
    config: `LDAPConnectionTimeout 1
LDAPTimeout 1
LDAPRetries 2
<Location "/u">
AuthType Basic
AuthName x
AuthBasicProvider ldap
AuthLDAPURL "ldap://127.0.0.1:${directory.port}/dc=example,dc=org" NONE
Require valid-user
</Location>`,
    files: { 'docs/u': 'content' },
  })
  t.teardown(() => server.close())
  const login = async (): Promise<number> => (await server.inject({ target: '/u', headers: basicAuth('alice', 'secret') })).status
  t.equal(await login(), 500)
  t.equal(directory.connections.length, 1, 'retries do not wait for it again')
  t.ok(server.errors().some((line) => /LDAP server .* does not answer: it accepts connections, and sent nothing/.test(line)))
  directory.answers = true
  let status = 500
  while (status === 500) {
    status = await login()
    await setTimeout(50)
  }
  t.equal(status, 401, 'the directory knows nobody')
  t.equal(directory.asked[1], 'search', 'the first question of the new connection has no account')
  t.ok(server.errors().some((line) => /LDAP server .* answers again/.test(line)))
})
