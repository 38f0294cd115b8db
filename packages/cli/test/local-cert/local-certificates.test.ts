import { X509Certificate } from 'node:crypto'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ensureLocalCertificates, type LocalCertificates } from '../../src/gatewright/local-cert/local-certificates.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2031, 0, 1)

function folderOf(t: Test): string {
  return join(t.testdir(), 'conf/local-cert')
}

function ensure(folder: string, names: readonly string[] = [], now = NOW): Promise<LocalCertificates> {
  return ensureLocalCertificates({ folder, names, now })
}

/** Every file with its content. */
function contents(folder: string): Readonly<Record<string, string>> {
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'latin1')]))
}

function certificate(folder: string, name: string): X509Certificate {
  return new X509Certificate(readFileSync(join(folder, `${name}.crt`)))
}

function modeOf(folder: string, name: string): number {
  return statSync(join(folder, name)).mode & 0o777
}

t.test('the first run makes an authority, and a certificate of it that its names are valid for', async (t) => {
  const folder = folderOf(t)
  const former = process.umask(0)
  t.teardown(() => void process.umask(former))
  const made = await ensure(folder, ['www.example.test', '*.example.test', '192.0.2.7'])
  t.match(made, { authority: { issued: 'new' }, server: { issued: 'new' }, closedKeys: [] })
  t.strictSame(Object.keys(contents(folder)).sort(), ['authority.crt', 'authority.key', 'server.crt', 'server.key'])
  for (const key of ['authority.key', 'server.key']) t.equal(modeOf(folder, key), 0o600, key)
  for (const file of ['authority.crt', 'server.crt']) t.equal(modeOf(folder, file), 0o644, file)
  const [authority, server] = [certificate(folder, 'authority'), certificate(folder, 'server')]
  t.ok(authority.ca)
  t.notOk(server.ca)
  t.ok(authority.verify(authority.publicKey))
  t.ok(server.checkIssued(authority) && server.verify(authority.publicKey))
  for (const name of ['localhost', 'www.example.test', 'other.example.test']) t.ok(server.checkHost(name), name)
  for (const address of ['127.0.0.1', '::1', '192.0.2.7']) t.ok(server.checkIP(address), address)
  t.notOk(server.checkHost('example.org'))
  t.strictSame(server.keyUsage, ['1.3.6.1.5.5.7.3.1'])
  t.equal(server.validToDate.getTime(), NOW + 397 * DAY)
  t.equal(authority.validToDate.getTime(), NOW + 3650 * DAY)
})

t.test('a second run writes nothing', async (t) => {
  const folder = folderOf(t)
  await ensure(folder, ['a.test', '2001:db8::1'])
  const first = contents(folder)
  const made = await ensure(folder, ['2001:db8::1', 'a.test'], NOW + DAY)
  t.match(made, { authority: { issued: null }, server: { issued: null } })
  t.strictSame(contents(folder), first)
})

t.test('names are added, and those of earlier runs are kept', async (t) => {
  const folder = folderOf(t)
  await ensure(folder, ['a.test', '2001:db8::1'])
  const first = contents(folder)
  const { names, server } = await ensure(folder, ['b.test'])
  t.equal(server.issued, 'names')
  t.strictSame(names, ['localhost', '127.0.0.1', '::1', 'a.test', '2001:db8::1', 'b.test'])
  const second = contents(folder)
  for (const file of ['authority.crt', 'authority.key', 'server.key']) t.equal(second[file], first[file], `${file} is kept`)
  const { subjectAltName } = certificate(folder, 'server')
  t.match(subjectAltName, /DNS:a\.test, IP Address:2001:DB8:0:0:0:0:0:1, DNS:b\.test$/)
})

t.test('a certificate is renewed in its last 30 days, with its key, and not before', async (t) => {
  const folder = folderOf(t)
  await ensure(folder, ['a.test'])
  const first = contents(folder)
  t.match(await ensure(folder, [], NOW + 366 * DAY), { server: { issued: null } })
  t.match(await ensure(folder, [], NOW + 367 * DAY), { server: { issued: 'expiry' }, authority: { issued: null } })
  t.equal(contents(folder)['server.key'], first['server.key'])
  t.equal(contents(folder)['authority.crt'], first['authority.crt'])
  t.equal(certificate(folder, 'server').validToDate.getTime(), NOW + 764 * DAY)
  t.ok(certificate(folder, 'server').checkHost('a.test'))
})

t.test('a certificate does not outlive its authority, which is replaced in its last 30 days', async (t) => {
  const folder = folderOf(t)
  await ensure(folder)
  await ensure(folder, [], NOW + 3600 * DAY)
  t.equal(certificate(folder, 'server').validToDate.getTime(), NOW + 3650 * DAY)
  const made = await ensure(folder, [], NOW + 3640 * DAY)
  t.match(made, { authority: { issued: 'expiry' }, server: { issued: 'authority' } })
  t.ok(certificate(folder, 'server').verify(certificate(folder, 'authority').publicKey))
  t.equal(modeOf(folder, 'authority.key'), 0o600)
})

t.test('a lost authority is replaced, and so is what it signed', async (t) => {
  const folder = folderOf(t)
  await ensure(folder, ['a.test'])
  for (const file of ['authority.crt', 'authority.key']) rmSync(join(folder, file))
  t.match(await ensure(folder), {
    authority: { issued: 'new' },
    server: { issued: 'authority' },
    names: ['localhost', '127.0.0.1', '::1', 'a.test'],
  })
  t.ok(certificate(folder, 'server').verify(certificate(folder, 'authority').publicKey))
})

t.test('a key that others can read is closed', async (t) => {
  const folder = folderOf(t)
  await ensure(folder)
  const key = join(folder, 'server.key')
  chmodSync(key, 0o644)
  t.strictSame((await ensure(folder)).closedKeys, [key])
  t.equal(modeOf(folder, 'server.key'), 0o600)
  t.strictSame((await ensure(folder)).closedKeys, [])
})

t.test('files that it did not make are never replaced, and nothing else is written', async (t) => {
  const good = folderOf(t)
  await ensure(good)
  const other = join(t.testdirName, 'other')
  await ensure(other)
  const elsewhere = readFileSync(join(import.meta.dirname, '../../../../test/conformance/fixtures/tls/localhost.crt'), 'latin1')
  const plants: readonly (readonly [string, (folder: string) => void, RegExp])[] = [
    [
      'text',
      (folder) => writeFileSync(join(folder, 'server.crt'), 'mine\n'),
      /server\.crt is not a certificate that local-cert made$/,
    ],
    [
      'a certificate of somebody else',
      (folder) => writeFileSync(join(folder, 'server.crt'), elsewhere),
      /server\.crt is not a certificate/,
    ],
    ['no key', (folder) => rmSync(join(folder, 'server.key')), /server\.crt exists without its key \S+server\.key$/],
    [
      'a key alone',
      (folder) => rmSync(join(folder, 'authority.crt')),
      /authority\.key exists without its certificate \S+authority\.crt$/,
    ],
    [
      'another key',
      (folder) => cpSync(join(other, 'authority.key'), join(folder, 'authority.key')),
      /authority\.key is not the key of/,
    ],
    ['no key in the file', (folder) => writeFileSync(join(folder, 'server.key'), ''), /server\.key is not the key of/],
  ]
  for (const [name, plant, message] of plants) {
    const folder = join(t.testdirName, 'planted')
    rmSync(folder, { recursive: true, force: true })
    cpSync(good, folder, { recursive: true })
    plant(folder)
    const before = contents(folder)
    await t.rejects(ensure(folder, ['new.test']), { message }, name)
    t.strictSame(contents(folder), before, name)
  }
})

t.test('where a folder cannot be made, nothing is left', async (t) => {
  const root = t.testdir({ conf: 'a file' })
  await t.rejects(ensure(join(root, 'conf/local-cert')), { message: /conf/ })
  t.strictSame(readdirSync(root), ['conf'])
  mkdirSync(join(root, 'free'))
  await ensure(join(root, 'free'))
  t.equal(readdirSync(join(root, 'free')).length, 4)
})
