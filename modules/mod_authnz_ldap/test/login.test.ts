import { hasSlapd, moduleLog, type Slapd } from '@gatewright/testing'
import t from 'tap'
import { directory, ldapSite, login, urlOf } from './directory.ts'

const NO_CACHE = 'LDAPCacheEntries 0'

t.test('with a directory', { skip: hasSlapd() ? false : 'needs slapd' }, async (t) => {
  const server: Slapd = await directory()
  t.teardown(() => server.close())
  const { port } = server

  t.test('users log in with the password of their entry, and nobody else', async (t) => {
    const site = await ldapSite(t, `${urlOf(port)}\nRequire valid-user`, NO_CACHE)
    const statuses: [string, string, number][] = [
      ['alice', 'alice-password', 200],
      ['ALICE', 'alice-password', 200],
      ['alice', 'wrong', 401],
      ['alice', '', 401],
      ['alice', 'alice-password\0', 200],
      ['nobody', 'x', 401],
      ['bob', 'alice-password', 401],
      ['', 'x', 401],
      ['', '', 401],
    ]
    for (const [user, password, status] of statuses)
      t.equal((await login(site, user, password)).status, status, `${user}:${password}`)
    t.equal((await site.inject('/f.txt')).status, 401)
  })

  t.test('hostile names find nobody but whom they name', async (t) => {
    const site = await ldapSite(t, `${urlOf(port)}\nRequire valid-user`, NO_CACHE)
    const hostile = [
      '*',
      'al*',
      '*lice',
      'a*e',
      'alice)(uid=*',
      'alice)(|(uid=*',
      'alice))(|(uid=*))(&(uid=alice',
      '*)(uid=*))(|(uid=*',
      '*)(objectClass=*',
      'alice)(!(uid=bob)',
      '(alice)',
      '()',
      ')(',
      '\\2a',
      '\\2A',
      '\\',
      '\\\\',
      'alice\\',
      'alice\\00',
      'alice\\29',
      'alice&',
      '|',
      '&',
      '!',
      '!(uid=bob)',
      '&(uid=alice)',
      'uid=alice',
      'uid=alice,ou=people,dc=example,dc=org',
      'alice,ou=people',
      'alice\n',
      'alice\r\nbob',
      '\talice\x7f',
      'alice\u00a0',
      'al\xefce',
      '\xff\xfe',
      '\xc3\x28',
      '\xc0\xaa',
      'alice#',
      'alice;',
      'alice/../bob',
      '%2a',
      '%00alice',
      '${uid}',
      '%{REMOTE_USER}',
      'none',
      'cn=Alice Able',
      'alice@example.org',
      'a'.repeat(4000),
      '('.repeat(2000),
      '1.2.840.113556.1.4.803:=',
    ]
    t.equal(hostile.length, 50)
    for (const name of hostile) {
      for (const password of ['alice-password', '*', 'x']) {
        const { status } = await login(site, name, password)
        t.equal(status, 401, JSON.stringify(name.slice(0, 40)))
      }
    }
    t.equal((await login(site, 'st*r', 'x')).status, 200, 'the user whose name has an asterisk')
    t.equal((await login(site, '*'.repeat(4200), 'x')).status, 500, 'a filter that is too long')
    t.match(moduleLog(site, 'authnz_ldap').at(-1), /^error AH02622: .*ldap filter too long \(>8192\)/)
  })

  t.test('groups inside groups are found, and loops of groups end', async (t) => {
    const group = (name: string, more = '') =>
      ldapSite(t, `${urlOf(port)}\n${more}\nRequire ldap-group cn=${name},ou=groups,dc=example,dc=org`, NO_CACHE)
    t.equal((await login(await group('inner'), 'alice', 'alice-password')).status, 200)
    t.equal((await login(await group('outer'), 'alice', 'alice-password')).status, 200)
    t.equal((await login(await group('outer'), 'bob', 'bob-password')).status, 401)
    t.equal((await login(await group('middle'), 'alice', 'alice-password')).status, 200)
    t.equal((await login(await group('middle', 'AuthLDAPMaxSubGroupDepth 1'), 'alice', 'alice-password')).status, 401)
    t.equal((await login(await group('middle', 'AuthLDAPMaxSubGroupDepth 0'), 'alice', 'alice-password')).status, 401)
    t.equal((await login(await group('middle', 'AuthLDAPMaxSubGroupDepth 2'), 'alice', 'alice-password')).status, 200)
  })

  t.test('referrals are followed, those in a circle are not for ever', async (t) => {
    const there = await ldapSite(t, `${urlOf(port, 'ou=there,dc=example,dc=org')}\nRequire valid-user`, NO_CACHE)
    t.equal((await login(there, 'alice', 'alice-password')).status, 200)
    t.equal((await login(there, 'alice', 'wrong')).status, 401)
    const round = await ldapSite(t, `${urlOf(port, 'ou=round,dc=example,dc=org')}\nRequire valid-user`, NO_CACHE)
    t.equal((await login(round, 'alice', 'alice-password')).status, 500)
  })

  t.test('a thousand logins at once are all answered, right', async (t) => {
    const site = await ldapSite(t, `${urlOf(port)}\nRequire valid-user`, NO_CACHE)
    const statuses = await Promise.all(
      Array.from({ length: 1000 }, async (_, index) => {
        const { status } = await login(
          site,
          index % 3 === 0 ? 'bob' : 'alice',
          index % 3 === 1 ? 'wrong' : index % 3 === 0 ? 'bob-password' : 'alice-password',
        )
        return status
      }),
    )
    for (const [index, status] of statuses.entries()) if (status !== (index % 3 === 1 ? 401 : 200)) t.equal(status, index)
    t.equal(statuses.length, 1000)
  })

  t.test('while the directory is away nobody enters but who is remembered, and all enter again afterwards', async (t) => {
    const remembering = await ldapSite(t, `${urlOf(port)}\nRequire valid-user`)
    const forgetful = await ldapSite(t, `${urlOf(port)}\nRequire valid-user`, NO_CACHE)
    t.equal((await login(remembering, 'alice', 'alice-password')).status, 200)
    t.equal((await login(forgetful, 'alice', 'alice-password')).status, 200)
    await server.stop()
    t.equal((await login(remembering, 'alice', 'alice-password')).status, 200)
    t.equal((await login(remembering, 'alice', 'wrong')).status, 500)
    t.equal((await login(remembering, 'bob', 'bob-password')).status, 500)
    t.equal((await login(forgetful, 'alice', 'alice-password')).status, 500)
    t.match(
      moduleLog(forgetful, 'authnz_ldap').at(-1),
      "info AH01695: auth_ldap authenticate: user alice authentication failed; URI /f.txt [LDAP: ldap_simple_bind() failed][Can't contact LDAP server]",
    )
    await server.restart()
    t.equal((await login(forgetful, 'alice', 'alice-password')).status, 200, 'stale connections are replaced')
    t.equal((await login(remembering, 'alice', 'wrong')).status, 401)
  })

  t.test('a directory that stops in the middle of everything grants nothing', async (t) => {
    const site = await ldapSite(t, `${urlOf(port)}\nRequire valid-user`, `${NO_CACHE}\nLDAPRetries 1`)
    const attempts = Array.from({ length: 200 }, async (_, index) => {
      const isGood = index % 2 === 0
      const { status } = await login(site, 'alice', isGood ? 'alice-password' : 'wrong')
      return { status, isGood }
    })
    await Promise.all([server.stop(), ...attempts])
    for (const attempt of attempts) {
      const { status, isGood } = await attempt
      if (!(isGood ? [200, 500] : [401, 500]).includes(status)) t.equal(status, isGood)
    }
    await server.restart()
    t.equal((await login(site, 'alice', 'alice-password')).status, 200)
  })
})

t.test('a silent directory: 500 after LDAPTimeout', async (t) => {
  const { createServer } = await import('node:net')
  const sockets = new Set<import('node:net').Socket>()
  const mute = createServer((socket) => void sockets.add(socket))
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    mute.close()
  })
  const address = mute.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const site = await ldapSite(t, `${urlOf(port)}\nRequire valid-user`, 'LDAPTimeout 1\nLDAPRetries 0')
  t.equal((await login(site, 'alice', 'alice-password')).status, 500)
  t.match(moduleLog(site, 'ldap'), [
    /^error LDAP server 127\.0\.0\.1:\d+ does not answer: it accepts connections, and sent nothing in time; meanwhile /,
    'info AH01284: ldap_simple_bind() timed out on new connection, dropped by firewall?',
  ])
  t.match(moduleLog(site, 'authnz_ldap').at(-1), /\[LDAP: ldap_simple_bind\(\) failed\]\[Timed out\]$/)
})

t.test('without mod_ldap a login is an error, and so is one without AuthLDAPURL', async (t) => {
  const site = await ldapSite(t, 'Require valid-user')
  t.equal((await login(site, 'alice', 'x')).status, 500)
  t.match(moduleLog(site, 'authnz_ldap'), ['warn AH02558: no AuthLDAPURL'])
})
