import { chmodSync, chownSync } from 'node:fs'
import { join } from 'node:path'
import { createServer, connect as tlsConnect } from 'node:tls'
import type { Finding } from '@gatewright/policy'
import { seededNumbers } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { lintSite } from './support/lint-site.ts'
import { claimingSha1, type Made, makeAuthority, makeCertificate, rsaKey } from './support/made-certificates.ts'
import { fixture } from './support.ts'

const DAY = 86_400_000
const root = makeAuthority({ name: 'Root' })
const good = makeCertificate({ name: 'www.example.org', issuer: root })
const TLS = 'SSLEngine on\nSSLCertificateFile conf/www.crt\nSSLCertificateKeyFile conf/www.key\n'

interface Case {
  readonly config?: string
  readonly files?: Readonly<Record<string, string>>
  readonly pair?: Made
  /** Called with the server root before the configuration is read. */
  readonly prepare?: (root: string) => void
}

/** Findings as `SSL004 error 2: message`, for a host whose certificate and key are in conf. */
async function found(t: Test, { config = '', pair = good, files = {}, prepare }: Case): Promise<readonly string[]> {
  const all = { 'conf/www.crt': pair.pem, 'conf/www.key': pair.keyPem, ...files }
  const keys = (at: string): void => {
    for (const name of Object.keys(all)) if (name.endsWith('.key')) chmodSync(join(at, name), 0o600)
    prepare?.(at)
  }
  const { findings, root: at } = await lintSite(t, {
    config: `${TLS}${config}`,
    files: all,
    prepare: keys,
    serverName: 'www.example.org',
  })
  return findings.map((one) => textOf(one, at))
}

function textOf({ rule, severity, line, message, file }: Finding, at: string): string {
  return `${rule} ${severity} ${file.replace(`${at}/`, '')}:${line}: ${message.replaceAll(`${at}/`, '')}`
}

t.test('a sound host has no findings', async (t) => {
  t.strictSame(await found(t, { config: 'ServerName www.example.org' }), [])
})

t.test('versions that a line enables by name are reported, others not', async (t) => {
  const enabled = async (line: string): Promise<readonly string[]> =>
    (await found(t, { config: line })).map((text) => /enables (.*), which/.exec(text)?.[1] ?? text)
  t.strictSame(await enabled('SSLProtocol +TLSv1 +TLSv1.1 +TLSv1.2'), ['TLSv1 and TLSv1.1'])
  t.strictSame(await enabled('SSLProtocol all -TLSv1.3 +TLSv1.1'), ['TLSv1.1'])
  t.strictSame(await enabled('SSLProxyProtocol +TLSv1.1 +TLSv1.2'), ['TLSv1.1'])
  t.strictSame(await enabled('SSLOpenSSLConfCmd MinProtocol TLSv1'), ['TLSv1'])
  t.strictSame(await enabled('SSLOpenSSLConfCmd Protocol "-ALL,+TLSv1.1,TLSv1.2"'), ['TLSv1.1'])
  for (const line of [
    'SSLProtocol all',
    'SSLProtocol all -TLSv1 -TLSv1.1',
    'SSLProtocol +TLSv1 -TLSv1 +TLSv1.2',
    'SSLProtocol TLSv1.2',
  ])
    t.strictSame(await enabled(line), [], line)
  const [text] = await found(t, { config: '<IfModule mod_ssl.c>\nSSLProtocol TLSv1.1\n</IfModule>' })
  t.match(text, /^SSL002 warning httpd\.conf:5: /, 'the line in a guard')
})

t.test('keys that others can reach are reported, and those that a folder or the group of keys protects are not', async (t) => {
  const keys = async (prepare: (root: string) => void): Promise<readonly string[]> =>
    (await found(t, { prepare })).map((text) => text.replace(/^SSL003 /, ''))
  const open = (at: string): void => {
    for (const folder of ['', 'conf']) chmodSync(join(at, folder), 0o755)
  }
  const mode = (bits: number, gid = 0): ((at: string) => void) => {
    return (at) => {
      open(at)
      chmodSync(join(at, 'conf/www.key'), bits)
      if (process.getuid?.() === 0) chownSync(join(at, 'conf/www.key'), 0, gid)
    }
  }
  t.strictSame(await keys(mode(0o644)), [
    'error httpd.conf:3: private key conf/www.key can be read by every user of this machine',
  ])
  t.match(await keys(mode(0o606)), [/read and replaced by every user/])
  t.match(await keys(mode(0o602)), [/replaced by every user/])
  t.strictSame(await keys(mode(0o600)), [])
  const closed = (at: string): void => {
    mode(0o644)(at)
    chmodSync(join(at, 'conf'), 0o700)
  }
  t.strictSame(await keys(closed), [], 'nobody gets into the folder')
  if (process.getuid?.() !== 0) return
  t.match(await keys(mode(0o640, 1)), [/^warning httpd.conf:3: .* can be read by the group /])
  t.strictSame(await keys(mode(0o640, 0)), [], 'the group of root')
})

t.test('a certificate with its key in one file is a key, too', async (t) => {
  const pem = good.pem + good.keyPem
  const config =
    '<VirtualHost *:443>\nServerName www.example.org\nSSLCertificateFile conf/both.pem\nSSLCertificateKeyFile conf/both.pem\n</VirtualHost>'
  const prepare = (at: string): void => {
    for (const folder of ['', 'conf']) chmodSync(join(at, folder), 0o755)
    chmodSync(join(at, 'conf/both.pem'), 0o644)
  }
  t.match(await found(t, { config, files: { 'conf/both.pem': pem }, prepare }), [/^SSL003 error httpd\.conf:7: /])
})

t.test('dates are reported as they are now', async (t) => {
  const now = Date.now()
  const dated = (from: number, until: number): Promise<readonly string[]> =>
    found(t, {
      pair: makeCertificate({ name: 'www.example.org', issuer: root, from: now + from * DAY, until: now + until * DAY }),
    })
  t.match(await dated(-90, -1), [
    /^SSL004 error httpd\.conf:2: the certificate of www\.example\.org in conf\/www\.crt expired on /,
  ])
  t.match(await dated(1, 90), [/^SSL004 error httpd\.conf:2: .* is not valid before /])
  t.match(await dated(-300, 29.5), [/^SSL005 warning httpd\.conf:2: .*, in 29 days$/])
  t.strictSame(await dated(-300, 31), [])
  t.strictSame(await dated(-2, 5), [], 'a certificate for a week is renewed in its last third')
  t.match(await dated(-5, 1.5), [/^SSL005 .*, in 1 day$/])
})

t.test('names that no certificate has are reported at their lines', async (t) => {
  const pair = makeCertificate({
    name: 'www.example.org',
    issuer: root,
    hosts: ['www.example.org', '*.static.example.org', '192.0.2.1'],
  })
  const names = async (lines: string): Promise<readonly string[]> =>
    (await found(t, { pair, config: `<VirtualHost *:443>\n${lines}\n</VirtualHost>` })).map(
      (text) => /:(\d+: no certificate of this host is for \S+),/.exec(text)?.[1] ?? text,
    )
  t.strictSame(
    await names('ServerName https://www.example.org:443\nServerAlias a.static.example.org WWW.EXAMPLE.ORG 192.0.2.1'),
    [],
  )
  t.strictSame(await names('ServerName example.org\nServerAlias www.example.org a.b.static.example.org 192.0.2.2'), [
    '5: no certificate of this host is for example.org',
    '6: no certificate of this host is for a.b.static.example.org',
    '6: no certificate of this host is for 192.0.2.2',
  ])
  t.strictSame(await names('ServerName www.example.org\nServerAlias *.static.example.org *.example.org'), [
    '6: no certificate of this host is for *.example.org',
  ])
})

t.test('two certificates of a host count together', async (t) => {
  const other = makeCertificate({ name: 'example.org', issuer: root })
  const config =
    'SSLCertificateFile conf/two.crt\nSSLCertificateKeyFile conf/two.key\n<VirtualHost *:443>\nServerName www.example.org\nServerAlias example.org\n</VirtualHost>'
  t.strictSame(await found(t, { config, files: { 'conf/two.crt': other.pem, 'conf/two.key': other.keyPem } }), [])
})

t.test('a key of another certificate is reported with the one that has it', async (t) => {
  const other = makeCertificate({ name: 'example.org', issuer: root })
  const config = 'SSLCertificateFile conf/two.crt\nSSLCertificateKeyFile conf/two.key'
  const files = { 'conf/www.key': other.keyPem, 'conf/two.crt': other.pem, 'conf/two.key': good.keyPem }
  t.strictSame(await found(t, { config, files }), [
    'SSL008 error httpd.conf:3: the key in conf/www.key is not that of the certificate in conf/www.crt: www.example.org:443 does not start (AH02565)',
    'SSL008 error httpd.conf:5: the key in conf/two.key is not that of the certificate in conf/two.crt: www.example.org:443 does not start (AH02565)',
  ])
  t.match(await found(t, { files: { 'conf/www.key': 'no key' } }), [
    /^SSL008 error httpd\.conf:3: conf\/www\.key has no private key/,
  ])
  t.match(await found(t, { files: { 'conf/www.crt': 'no certificate' } }), [
    /^SSL008 error httpd\.conf:2: conf\/www\.crt has no certificate/,
  ])
})

t.test('an encrypted key is not reported as wrong', async (t) => {
  const files = { 'conf/www.crt': fixture('localhost.crt'), 'conf/www.key': fixture('localhost-encrypted.key') }
  t.match(await found(t, { files }), [/^SSL006 /], 'only the name is wrong')
})

t.test('short keys and old digests are reported', async (t) => {
  const short = makeCertificate({ name: 'www.example.org', issuer: root, key: rsaKey(1024) })
  t.match(await found(t, { pair: short }), [/^SSL009 warning httpd\.conf:2: .* has an RSA key of only 1024 bits$/])
  const rsaRoot = makeAuthority({ name: 'RSA root', key: rsaKey(2048) })
  const sha1 = claimingSha1(makeCertificate({ name: 'www.example.org', issuer: rsaRoot }))
  t.match(await found(t, { pair: sha1 }), [/^SSL009 warning httpd\.conf:2: .* is signed with SHA-1$/])
})

t.test('comments silence a rule, and --rule chooses among those of modules', async (t) => {
  const config = '# gatewright-ignore SSL002 old scanners\nSSLProtocol TLSv1.1'
  t.strictSame(await found(t, { config }), [])
})

t.test('of random chains, those are errors that a client with the root alone cannot verify', async (t) => {
  const upper = makeAuthority({ name: 'Upper', issuer: root })
  const lower = makeAuthority({ name: 'Lower', issuer: upper })
  const stray = makeAuthority({ name: 'Stray', issuer: makeAuthority({ name: 'Strange root' }) })
  const own = makeCertificate({ name: 'www.example.org', issuer: lower })
  const random = seededNumbers(4711)
  const seen = { errors: 0, sound: 0 }
  for (let round = 0; round < 40; round++) {
    const sent = [upper, lower, root, stray].filter(() => random(10) < 6).sort(() => random(3) - 1)
    const verified = await isVerified(own, sent)
    const chain = sent.map(({ pem }) => pem).join('')
    const names = sent.map(({ x509 }) => x509.subject).join(' ')
    for (const [file, config] of [
      ['www.crt', ''],
      ['chain.crt', 'SSLCertificateChainFile conf/chain.crt\n'],
    ]) {
      if (file === 'chain.crt' && chain === '') continue
      const files = {
        'conf/www.crt': file === 'www.crt' ? own.pem + chain : own.pem,
        'conf/chain.crt': chain || own.pem,
        'conf/all.crt': upper.pem + lower.pem,
      }
      const texts = await found(t, { pair: own, files, config: `${config}SSLCACertificateFile conf/all.crt` })
      t.equal(
        texts.some((text) => text.startsWith('SSL007 error')),
        !verified,
        `${names} in ${file}: ${texts.join('; ')}`,
      )
      t.equal(
        texts.some((text) => text.includes('do not belong')),
        sent.some((one) => !isOfChain(one, sent)),
        `${names}: strangers`,
      )
      t.equal(
        texts.some((text) => text.includes('has the root')),
        verified && sent.includes(root),
        `${names}: root`,
      )
      t.ok(
        texts.every((text) => text.includes(`conf/${file}`)),
        'the file with the chain is named',
      )
    }
    seen[verified ? 'sound' : 'errors']++
  }
  t.ok(seen.errors > 5 && seen.sound > 5, 'both kinds occur')

  function isOfChain(one: Made, sent: readonly Made[]): boolean {
    if (one === lower) return true
    if (one === upper) return sent.includes(lower)
    return one === root && sent.includes(lower) && sent.includes(upper)
  }
})

t.test('a chain in the wrong order is reported with the right one', async (t) => {
  const upper = makeAuthority({ name: 'Upper', issuer: root })
  const lower = makeAuthority({ name: 'Lower', issuer: upper })
  const own = makeCertificate({ name: 'www.example.org', issuer: lower })
  const texts = await found(t, { files: { 'conf/www.crt': own.pem + upper.pem + lower.pem, 'conf/www.key': own.keyPem } })
  t.strictSame(texts, ['SSL007 warning httpd.conf:2: the chain in conf/www.crt is in the wrong order: Upper, then Lower'])
})

t.test('a certificate that names the address of its issuer needs that issuer', async (t) => {
  const pair = makeCertificate({ name: 'www.example.org', issuer: root, issuerUrl: 'http://ca.example.org/ca.der' })
  t.match(await found(t, { pair }), [
    /^SSL007 warning httpd\.conf:2: the chain in conf\/www\.crt ends with www\.example\.org, which Root has issued/,
  ])
})

/** Whether a client that trusts the root alone accepts what a server sends. */
async function isVerified(own: Made, sent: readonly Made[]): Promise<boolean> {
  const cert = [own, ...sent].map(({ pem }) => pem).join('')
  const server = createServer({ cert, key: own.keyPem }, (socket) => socket.end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  try {
    return await new Promise((resolve) => {
      const client = tlsConnect({
        port,
        host: '127.0.0.1',
        servername: 'www.example.org',
        ca: root.pem,
        rejectUnauthorized: false,
      })
      client.on('secureConnect', () => {
        resolve(client.authorized)
        client.destroy()
      })
    })
  } finally {
    server.close()
  }
}

t.test('an outdated revocation list is reported where lists are checked and no valid one replaces it', async (t) => {
  const files = {
    'conf/old.crl': fixture('expired.crl'),
    'conf/good.crl': fixture('ca.crl'),
    'conf/both.crl': `${fixture('expired.crl')}${fixture('ca.crl')}`,
    'conf/crls/12345678.r0': fixture('expired.crl'),
  }
  const lists = async (config: string): Promise<readonly string[]> => found(t, { config, files })
  const old = await lists('SSLCARevocationCheck chain\nSSLCARevocationFile conf/old.crl')
  t.strictSame(old, [
    'SSL010 error httpd.conf:5: the revocation list of CN=Example Root,O=Example Trust,C=DE in conf/old.crl expired on 2021-01-01: www.example.org:443 refuses all certificates of this authority',
  ])
  const [inFolder = ''] = await lists('SSLCARevocationPath conf/crls\nSSLCARevocationCheck leaf')
  t.match(inFolder, /^SSL010 error httpd\.conf:4: .* in conf\/crls\/12345678\.r0 expired on /)
  t.strictSame(await lists('SSLCARevocationCheck chain\nSSLCARevocationFile conf/both.crl'), [])
  t.strictSame(await lists('SSLCARevocationCheck chain\nSSLCARevocationFile conf/good.crl'), [])
  t.strictSame(await lists('SSLCARevocationCheck none\nSSLCARevocationFile conf/old.crl'), [])
  t.strictSame(await lists('SSLCARevocationFile conf/old.crl'), [])
})
