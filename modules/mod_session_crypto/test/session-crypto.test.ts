import { defineModule } from '@gatewright/api'
import { sessionOf, setSessionValue } from '@gatewright/api/peers'
import { configError, type FileTree, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import session from '../../mod_session/src/index.ts'
import sessionCookie from '../../mod_session_cookie/src/index.ts'
import sessionCrypto from '../src/index.ts'
import { sipHash24 } from '../src/siphash.ts'

/** Sets values of the query, and shows those that the session has. */
const writer = defineModule({
  name: 'writer_module',
  source: 'mod_writer.c',
  register({ hooks, functions }) {
    hooks.handler.add(async (request) => {
      const found = (await functions.get(sessionOf)?.(request)) ?? null
      for (const [name, value] of new URLSearchParams(request.args ?? '')) if (found !== null) setSessionValue(found, name, value)
      return request.send('text/plain', [...(found?.entries ?? [])].map((pair) => pair.join('=')).join('&'))
    })
  },
})

async function encrypted(t: Test, config: string, files?: FileTree): Promise<TestServer> {
  const modules = [authzCore, session, sessionCookie, sessionCrypto, writer]
  const server = await site({ modules, config: `Session On\nSessionCookieName c path=/\n${config}`, files })
  t.teardown(() => server.close())
  return server
}

const read = async (server: TestServer, cookie: string, target = '/'): Promise<string> =>
  (await server.inject({ target, headers: { Cookie: `c=${cookie}` } })).body

const cookieOf = async (server: TestServer, target: string): Promise<string> => {
  const response = await server.inject(target)
  return /^c=([^;]*)/.exec(response.header('set-cookie') ?? '')?.[1] ?? ''
}

/** Written by Apache httpd 2.4.71 with the passphrase `secret`: a=1&b=2. */
const BY_HTTPD = {
  aes256: 'aSRNbqB+lN7BScfm1e5NjaDMEtK0Hm9c2wz4CEfRIz4rzwOERRDou6J6Xg6Ra/i1r3OY3ZNqXig=',
  '3des192': 'BoudBtR2rtjNpC2WoIdOgrs1S1C2nc5Ml3z9cMOJ0nemXZgrW4uE2A==',
}

t.test('SipHash-2-4 has the values of its reference', async (t) => {
  const key = Buffer.from(Array.from({ length: 16 }, (_, i) => i))
  const of = (length: number): string => sipHash24(Buffer.from(Array.from({ length }, (_, i) => i)), key).toString('hex')
  t.equal(of(0), '310e0edd47db6f72')
  t.equal(of(1), 'fd67dc93c539f874')
  t.equal(of(8), '6224939a79f5f593')
  t.equal(of(15), 'e545be4961ca29a1')
  t.equal(of(63), '724506eb4c328a95')
})

t.test('sessions that httpd has written are read', async (t) => {
  const server = await encrypted(t, 'SessionCryptoPassphrase newest secret')
  t.equal(await read(server, BY_HTTPD.aes256), 'a=1&b=2')
  t.equal(await read(server, BY_HTTPD.aes256), 'a=1&b=2', 'with the remembered key')
  const triple = await encrypted(t, 'SessionCryptoPassphrase secret\nSessionCryptoCipher 3des192')
  t.equal(await read(triple, BY_HTTPD['3des192']), 'a=1&b=2')
  t.equal(await read(triple, BY_HTTPD.aes256), '', 'another cipher')
})

t.test('all ciphers encrypt, and no two cookies are equal', async (t) => {
  for (const cipher of ['aes128', 'aes192', 'aes256', '3des192']) {
    const server = await encrypted(t, `SessionCryptoPassphrase secret\nSessionCryptoCipher ${cipher}`)
    const [one, other] = [await cookieOf(server, '/?a=1'), await cookieOf(server, '/?a=1')]
    t.match(one, /^[A-Za-z0-9+/=]{40,}$/, cipher)
    t.not(one, other)
    t.equal(await read(server, other), 'a=1')
  }
})

t.test('forged, damaged and shortened cookies count as no session, and a new one takes their place', async (t) => {
  const server = await encrypted(t, 'SessionCryptoPassphrase secret')
  const { aes256: good } = BY_HTTPD
  const flipped = [0, 5, 10, 15, 30, 40, 60, 72].map(
    (at) => good.slice(0, at) + (good[at] === 'A' ? 'B' : 'A') + good.slice(at + 1),
  )
  for (const cookie of [...flipped, good.slice(0, 70), good.slice(1), 'x', 'a=1&b=2', `"${good}"`, 'A'.repeat(7000)]) {
    t.equal(await read(server, cookie), '', cookie.slice(0, 50))
  }
  t.match(server.errors().join('\n'), 'AH01842: decrypt session failed, wrong passphrase?')
  t.equal(await read(server, good), 'a=1&b=2')
  const response = await server.inject({ target: '/?c=3', headers: { Cookie: 'c=garbage' } })
  const renewed = /^c=([^;]*)/.exec(response.header('set-cookie') ?? '')?.[1] ?? ''
  t.equal(await read(server, renewed), 'c=3')
})

t.test('passphrases come from lines, files and programs, and without one nothing is kept', async (t) => {
  const files = { keys: '# comment\n\nnewest\nsecret\n' }
  const fromFile = await encrypted(t, 'SessionCryptoPassphraseFile @ROOT@/keys', files)
  t.equal(await read(fromFile, BY_HTTPD.aes256), 'a=1&b=2')
  const fromProgram = await encrypted(t, 'SessionCryptoPassphrase "exec:/bin/echo secret"')
  t.equal(await read(fromProgram, BY_HTTPD.aes256), 'a=1&b=2')
  for (const program of ['/bin/false', '/bin/true', '/nonexistent']) {
    const without = await encrypted(t, `SessionCryptoPassphrase exec:${program}`)
    t.equal(await cookieOf(without, '/?a=1'), '', program)
    t.equal(await read(without, 'a=1'), '')
    t.match(without.errors().join('\n'), 'AH01820: error while encoding the session, session not saved: /')
  }
})

t.test('an unknown cipher or library is reported', async (t) => {
  const server = await encrypted(t, 'SessionCryptoPassphrase secret\nSessionCryptoCipher rot13')
  t.equal(await cookieOf(server, '/?a=1'), '')
  t.match(server.errors().join('\n'), "AH01824: cipher 'rot13' not recognised by crypto driver.")
  const modules = [authzCore, session, sessionCrypto]
  t.equal(
    await configError({ modules, config: 'SessionCryptoPassphraseFile /nonexistent' }),
    'SessionCryptoPassphraseFile: Could not open file /nonexistent: No such file or directory',
  )
  await t.rejects(site({ modules, config: 'SessionCryptoDriver nosuch' }))
})
