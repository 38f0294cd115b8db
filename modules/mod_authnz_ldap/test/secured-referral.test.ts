import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { hasSlapd, slapd } from '@gatewright/testing'
import t from 'tap'
import { TlsAuthority } from '../../../test/fixtures/tls-authority.ts'
import { ENTRIES, ldapSite, login } from './directory.ts'

/** The type of the TLS record with which a handshake begins (RFC 8446 section 5.1). */
const HANDSHAKE = 22

t.test(
  'a referral from a directory with TLS is followed with TLS only',
  { skip: hasSlapd() ? false : 'needs slapd' },
  async (t) => {
    const received: Buffer[] = []
    const other = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', (chunk) => {
        received.push(chunk)
        socket.destroy()
      })
    })
    other.listen(0, '127.0.0.1')
    await once(other, 'listening')
    t.teardown(() => other.close())
    const address = other.address()
    if (address === null || typeof address === 'string') throw new Error('the server has no port')
    const { port } = address
    const authority = new TlsAuthority(join(t.testdir(), 'tls'), 'Test')
    const files = authority.issue('directory', { hosts: ['localhost', '127.0.0.1'] })
    const away = `dn: ou=away,dc=example,dc=org\nobjectClass: referral\nobjectClass: extensibleObject\nou: away\nref: ldap://127.0.0.1:${port}/ou=people,dc=example,dc=org\n`
    const directory = await slapd({ ldif: `${ENTRIES}\n${away}`, tls: { ...files, authorities: authority.certificate } })
    t.teardown(() => directory.close())
    const section = (base: string): string =>
      `AuthLDAPURL "ldaps://127.0.0.1:${directory.securePort}/${base},dc=example,dc=org?uid"\nRequire valid-user`
    const trust = `LDAPCacheEntries 0\nLDAPTrustedGlobalCert CA_BASE64 ${authority.certificate}`
    const here = await ldapSite(t, section('ou=people'), trust)
    t.equal((await login(here, 'alice', 'alice-password')).status, 200)
    const there = await ldapSite(t, section('ou=away'), trust)
    t.equal((await login(there, 'alice', 'alice-password')).status, 500)
    t.ok(received.length > 0, 'the other directory was asked')
    for (const chunk of received) t.equal(chunk[0], HANDSHAKE, 'and received nothing in the clear')
  },
)
