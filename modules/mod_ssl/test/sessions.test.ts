import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConnectionOptions, SecureVersion } from 'node:tls'
import { ownState, type RotatingKeys, type SharedState } from '@gatewright/core'
import { site } from '@gatewright/testing'
import { isMalformed, issueCertificate, parseCertificate, pemText } from '@gatewright/x509'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import headers from '../../mod_headers/src/index.ts'
import socacheShmcb from '../../mod_socache_shmcb/src/index.ts'
import status from '../../mod_status/src/index.ts'
import ssl from '../src/index.ts'
import { type Visit, visitServer } from './support/visit.ts'
import { fixture, fixtures } from './support.ts'

const CONFIG = `Header always set X-Verify "%{SSL_CLIENT_VERIFY}s"
SSLEngine on
SSLCertificateFile conf/localhost.crt
SSLCertificateKeyFile conf/localhost.key
SSLCACertificateFile conf/ca.crt
<Directory "@ROOT@/docs">
Require all granted
</Directory>`
const FILES = {
  'docs/f.txt': 'hello\n',
  'conf/ticket.key': 'n'.repeat(16) + 'a'.repeat(16) + 'c'.repeat(16),
  ...fixtures('localhost.crt', 'localhost.key', 'ca.crt', 'other-ca.crt'),
}
const CACHE_ONLY = 'SSLSessionCache shmcb:logs/cache(512000)\nSSLSessionTickets off'
const VERSIONS: readonly SecureVersion[] = ['TLSv1.2', 'TLSv1.3']

async function serve(t: Test, more = '', shared: SharedState = ownState()): Promise<number> {
  const server = await site({
    modules: [authzCore, headers, socacheShmcb, ssl],
    config: `${CONFIG}\n${more}`,
    files: FILES,
    shared,
  })
  t.teardown(() => server.close())
  return await server.listen()
}

const visit = (port: number, options: ConnectionOptions = {}, path?: string): Promise<Visit> =>
  visitServer(port, { ca: fixture('ca.crt'), ...options }, path)

const only = (version: SecureVersion): ConnectionOptions => ({ minVersion: version, maxVersion: version })

function certificate(name: string, key: string = name): ConnectionOptions {
  return { cert: fixture(`${name}.crt`), key: fixture(`${key}.key`) }
}

/** Keys that a test replaces. */
function replaceableKeys(): { readonly shared: SharedState; replace(): void } {
  let keys: RotatingKeys = { current: Buffer.alloc(32, 1), previous: null }
  let count = 1
  return {
    shared: { ...ownState(), rotatingKeys: () => keys },
    replace: () => {
      keys = { current: Buffer.alloc(32, ++count), previous: keys.current }
    },
  }
}

t.test('a session is resumed by every process, again and again, as long as its key is one of the last two', async (t) => {
  const { shared, replace } = replaceableKeys()
  const [first, second] = [await serve(t, '', shared), await serve(t, '', shared)]
  for (const version of VERSIONS) {
    const { session } = await visit(first, only(version))
    t.ok(session, `${version}: a ticket`)
    const again = await visit(second, { ...only(version), session })
    t.match(again, { reused: true, text: /^HTTP\/1\.1 200 / }, `${version}: at another process`)
    t.ok(again.session, `${version}: a new ticket`)
    t.notSame(again.session, session, version)
    replace()
    const later = await visit(first, { ...only(version), session: again.session })
    t.equal(later.reused, true, `${version}: by the former key`)
    replace()
    t.equal((await visit(second, { ...only(version), session: later.session })).reused, true, `${version}: by the renewed ticket`)
    t.match(
      await visit(second, { ...only(version), session }),
      { reused: false, text: /^HTTP\/1\.1 200 / },
      `${version}: too old`,
    )
  }
})

t.test('without SSLSessionTickets nothing is resumed', async (t) => {
  const port = await serve(t, 'SSLSessionTickets off')
  for (const version of VERSIONS) {
    const { session } = await visit(port, only(version))
    t.equal((await visit(port, { ...only(version), session })).reused, false, version)
  }
})

t.test('with SSLSessionCache, sessions without tickets are resumed by every process', async (t) => {
  const shared = ownState()
  const lines = 'SSLSessionCache shmcb:logs/cache(512000)\nSSLSessionTickets off'
  const [first, second] = [await serve(t, lines, shared), await serve(t, lines, shared)]
  const brief = await serve(t, `${lines}\nSSLSessionCacheTimeout 1`, shared)
  const strict = await serve(t, `${lines}\nSSLVerifyClient require`, shared)
  for (const version of VERSIONS) {
    const { session } = await visit(first, only(version))
    const again = await visit(second, { ...only(version), session })
    t.match(again, { reused: true, text: /^HTTP\/1\.1 200 / }, version)
    t.equal((await visit(first, { ...only(version), session: again.session })).reused, true, `${version}: again`)
    t.match(await visit(strict, { ...only(version), session }), { text: '' }, `${version}: other demands`)
    const verified = await visit(strict, { ...only(version), ...certificate('alice') })
    t.match(await visit(strict, { ...only(version), session: verified.session }), { reused: true, text: /X-Verify: SUCCESS/ })
    t.match(await visit(first, { ...only(version), session: verified.session }), { reused: false, text: /X-Verify: NONE/ })
    const old = (await visit(brief, only(version))).session
    await sleep(2_500)
    t.match(
      await visit(brief, { ...only(version), session: old }),
      { reused: false, text: /^HTTP\/1\.1 200 / },
      `${version}: expired`,
    )
  }
})

t.test("servers with the same SSLSessionTicketKeyFile resume each other's sessions", async (t) => {
  const line = 'SSLSessionTicketKeyFile conf/ticket.key'
  const [first, second, other] = [await serve(t, line), await serve(t, line), await serve(t)]
  for (const version of VERSIONS) {
    const { session } = await visit(first, only(version))
    const again = await visit(second, { ...only(version), session })
    t.equal(again.reused, true, version)
    t.ok(again.session, `${version}: a new ticket`)
    t.match(await visit(other, { ...only(version), session }), { reused: false, text: /^HTTP\/1\.1 200 / }, version)
  }
})

t.test('a session is not resumed where other rules for clients apply', async (t) => {
  const shared = ownState()
  const key = 'SSLSessionTicketKeyFile conf/ticket.key'
  for (const keys of ['', key]) {
    const open = await serve(t, keys, shared)
    const optional = await serve(t, `${keys}\nSSLVerifyClient optional`, shared)
    const strict = await serve(t, `${keys}\nSSLVerifyClient require`, shared)
    const stricter = await serve(t, `${keys}\nSSLVerifyClient require\nSSLCACertificateFile conf/other-ca.crt`, shared)
    for (const version of VERSIONS) {
      const alice = { ...only(version), ...certificate('alice') }
      const anonymous = (await visit(open, only(version))).session
      t.equal((await visit(strict, { ...only(version), session: anonymous })).text, '', `${version}: no certificate`)
      const unasked = (await visit(optional, only(version))).session
      t.equal((await visit(strict, { ...only(version), session: unasked })).text, '', `${version}: optional before`)
      const verified = (await visit(strict, alice)).session
      t.match(await visit(strict, { ...only(version), session: verified }), { reused: true, text: /X-Verify: SUCCESS/ }, version)
      t.equal((await visit(stricter, { ...only(version), session: verified })).text, '', `${version}: other authorities`)
      t.match(await visit(open, { ...only(version), session: verified }), { reused: false, text: /X-Verify: NONE/ }, version)
    }
  }
})

t.test('a session is not resumed at another virtual host', async (t) => {
  const host = (name: string, more = ''): string => `<VirtualHost *>\nServerName ${name}\nSSLEngine on\n${more}\n</VirtualHost>`
  for (const keys of ['', 'SSLSessionTicketKeyFile conf/ticket.key']) {
    const port = await serve(t, `${keys}\n${host('localhost')}\n${host('strict.test', 'SSLVerifyClient require')}`)
    for (const version of VERSIONS) {
      const { session } = await visit(port, only(version))
      t.ok(session)
      const atOther = { ...only(version), servername: 'strict.test', checkServerIdentity: () => undefined, session }
      t.match(await visit(port, atOther), { reused: false, text: '' }, `${version}: no certificate`)
      t.match(await visit(port, { ...atOther, ...certificate('alice') }), { reused: false, text: /^HTTP\/1\.1 421 / }, version)
    }
  }
})

/** A certificate for a client that is valid for some seconds. */
function shortLived(seconds: number): ConnectionOptions {
  const authority = parseCertificate(new X509Certificate(fixture('ca.crt')).raw)
  if (isMalformed(authority)) throw new Error('the certificate of the authority cannot be read')
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const der = issueCertificate({
    key,
    subject: [['2.5.4.3', 'brief']],
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + seconds * 1000),
    issuer: { certificate: authority, key: createPrivateKey(fixture('ca.key')) },
    hosts: ['brief.test'],
    purposes: ['clientAuth'],
  })
  return { cert: pemText('CERTIFICATE', der), key: key.export({ type: 'pkcs8', format: 'pem' }) }
}

t.test('a session does not outlive the certificate of its client', async (t) => {
  const port = await serve(t, 'SSLVerifyClient require')
  for (const version of VERSIONS) {
    const { session } = await visit(port, { ...only(version), ...shortLived(3) })
    const resume = (): Promise<Visit> => visit(port, { ...only(version), session })
    t.match(await resume(), { reused: true, text: /X-Verify: SUCCESS/ }, version)
    await sleep(4_000)
    t.equal((await resume()).text, '', `${version}: expired`)
  }
})

t.test('a session of a client that sent certificates of authorities along is resumed', async (t) => {
  const shared = ownState()
  const deep = 'SSLVerifyClient require\nSSLVerifyDepth 2'
  for (const lines of ['', 'SSLSessionTicketKeyFile conf/ticket.key', CACHE_ONLY]) {
    const [first, second] = [await serve(t, `${lines}\n${deep}`, shared), await serve(t, `${lines}\n${deep}`, shared)]
    const shallow = await serve(t, `${lines}\nSSLVerifyClient require`, shared)
    for (const version of VERSIONS) {
      const { session, reused } = await visit(first, { ...only(version), ...certificate('deep-chain', 'deep') })
      t.equal(reused, false)
      const again = await visit(second, { ...only(version), session })
      t.match(again, { reused: true, text: /X-Verify: SUCCESS/ }, `${version} ${lines}`)
      const later = await visit(first, { ...only(version), session: again.session ?? session })
      t.match(later, { reused: true, text: /X-Verify: SUCCESS/ }, `${version}: again`)
      t.equal((await visit(shallow, { ...only(version), session })).text, '', `${version}: where it is too long`)
    }
  }
})

t.test('no session of a client that is refused is kept', async (t) => {
  const own = ownState()
  let kept = 0
  const shared: SharedState = {
    ...own,
    store(name, limit) {
      const store = own.store(name, limit)
      return {
        ...store,
        set: (key, bytes, lifetime) => {
          kept++
          store.set(key, bytes, lifetime)
        },
      }
    },
  }
  const port = await serve(t, `${CACHE_ONLY}\nSSLVerifyClient optional\nSSLVerifyDepth 1`, shared)
  for (const version of VERSIONS) {
    t.equal((await visit(port, { ...only(version), ...certificate('deep-chain', 'deep') })).text, '', `${version}: too long`)
    t.equal(kept, 0, version)
  }
  t.match(await visit(port, { ...only('TLSv1.2'), ...certificate('alice') }), { text: /X-Verify: SUCCESS/ })
  t.equal(kept, 1)
})

t.test('a client whose handshake is refused does not keep others from resuming their sessions for long', async (t) => {
  const port = await serve(t, 'SSLVerifyClient require\nSSLVerifyDepth 1')
  for (const version of VERSIONS) {
    await visit(port, { ...only(version), ...certificate('deep-chain', 'deep') })
    const { session } = await visit(port, { ...only(version), ...certificate('alice') })
    t.equal((await visit(port, { ...only(version), session })).reused, true, version)
  }
})

t.test('server-status shows what the session cache has done, and nothing without one', async (t) => {
  const ask = async (path: string, lines: string, visits: number): Promise<string> => {
    const server = await site({
      modules: [authzCore, headers, socacheShmcb, ssl, status],
      config: `${CONFIG}\n${lines}\n<Location /status>\nSetHandler server-status\n</Location>`,
      files: FILES,
      shared: ownState(),
    })
    t.teardown(() => server.close())
    const port = await server.listen()
    for (let count = 0; count < visits; count++) await visit(port, only('TLSv1.2'))
    return (await visit(port, { ...only('TLSv1.2') }, path)).text
  }
  t.match(
    await ask('/status?auto', CACHE_ONLY, 2),
    /\nTLSSessionCacheStatus\nCacheType: SHMCB\nCacheSharedMemory: 512000\nCacheCurrentEntries: 3\nCacheTimeLeftOldestAvg: 29\d\n[\s\S]*\nCacheStoreCount: 3\n/,
  )
  t.match(
    await ask('/status', CACHE_ONLY, 0),
    /SSL\/TLS Session Cache Status:[\s\S]*shared memory: <b>512000<\/b> bytes, current entries: <b>1<\/b><br>/,
  )
  t.notMatch(await ask('/status?auto', '', 0), /Cache/)
})

t.test('the session cache counts what it was asked for, and holds nothing for clients with tickets', async (t) => {
  const figuresAfter = async (lines: string, version: SecureVersion): Promise<string> => {
    const server = await site({
      modules: [authzCore, headers, socacheShmcb, status, ssl],
      config: `${CONFIG}\n${lines}\n<Location /status>\nSetHandler server-status\n</Location>`,
      files: FILES,
      shared: ownState(),
    })
    t.teardown(() => server.close())
    const port = await server.listen()
    const { session } = await visit(port, only(version))
    t.equal((await visit(port, { ...only(version), session })).reused, true, `${version} ${lines}`)
    return (await visit(port, only(version), '/status?auto')).text
  }
  t.match(
    await figuresAfter(CACHE_ONLY, 'TLSv1.2'),
    /\nCacheStoreCount: 2\n[\s\S]*\nCacheRetrieveHitCount: 1\nCacheRetrieveMissCount: 0\n/,
  )
  // As OpenSSL, each handshake makes two sessions, and each resumption a new one.
  t.match(
    await figuresAfter(CACHE_ONLY, 'TLSv1.3'),
    /\nCacheStoreCount: 5\n[\s\S]*\nCacheRetrieveHitCount: 1\nCacheRetrieveMissCount: 0\n/,
  )
  for (const version of VERSIONS) {
    const figures = await figuresAfter('SSLSessionCache shmcb:logs/cache(512000)', version)
    t.match(figures, /\nCacheStoreCount: 0\n[\s\S]*\nCacheRetrieveHitCount: 0\nCacheRetrieveMissCount: 0\n/, version)
  }
})
