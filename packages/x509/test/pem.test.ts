import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { isCertificateBlock, isEncryptedKey, isKeyBlock, pemText, readPem } from '../src/index.ts'
import { FIXTURES, openssl, withoutOpenssl } from './support/openssl.ts'

const file = (name: string): string => readFileSync(join(FIXTURES, name), 'latin1')
const labels = (text: string): string[] => readPem(text).map(({ label }) => label)

t.test('a file may have several blocks with other text between them', async (t) => {
  const text = `some text\n${file('deep-chain.crt')}\n-----\nmore: text\n${file('deep.key')}the end`
  t.same(labels(text), ['CERTIFICATE', 'CERTIFICATE', 'PRIVATE KEY'])
  t.same(
    readPem(text).map(({ line }) => text.split('\n')[line - 1]),
    labels(text).map((label) => `-----BEGIN ${label}-----`),
  )
})

t.test('line ends of any kind, blanks after lines and long lines do not matter', async (t) => {
  const [block] = readPem(file('a.crt'))
  t.same(readPem(file('a.crt').replaceAll('\n', '\r\n')), [block])
  t.same(readPem(file('a.crt').replaceAll('\n', ' \t\n')), [block])
  const oneLine = `-----BEGIN CERTIFICATE-----\n${block.der?.toString('base64')}\n-----END CERTIFICATE-----`
  t.same(readPem(oneLine), [block])
  t.same(readPem(Buffer.from(file('a.crt'))), [block])
})

t.test('a block without its end is none, and one that is not base64 has no contents', async (t) => {
  t.same(labels('-----BEGIN CERTIFICATE-----\nAAAA\n'), [])
  t.same(labels('-----BEGIN CERTIFICATE-----\nAAAA\n-----END PRIVATE KEY-----\n'), [])
  t.same(labels(' -----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'), [])
  for (const contents of ['', 'A', 'AAAA=AAA', '%%%%', 'AA=A'])
    t.match(readPem(`-----BEGIN X-----\n${contents}\n-----END X-----`), [{ label: 'X', der: undefined }], contents)
})

t.test('blocks are written as openssl writes them', async (t) => {
  const [{ der }] = readPem(file('localhost.crt'))
  t.equal(pemText('CERTIFICATE', der ?? Buffer.alloc(0)), file('localhost.crt'))
  t.equal(pemText('X', Buffer.alloc(48)), `-----BEGIN X-----\n${'A'.repeat(64)}\n-----END X-----\n`)
  t.equal(pemText('X', Buffer.alloc(0)), '-----BEGIN X-----\n-----END X-----\n')
})

t.test('keys that need a passphrase are recognised in both forms', { skip: withoutOpenssl }, async (t) => {
  const [encrypted] = readPem(file('localhost-encrypted.key'))
  t.ok(isEncryptedKey(encrypted))
  const old = openssl(['rsa', '-aes128', '-passout', 'pass:secret', '-traditional'], file('localhost.key'))
  const [block] = readPem(old)
  t.match(block, { label: 'RSA PRIVATE KEY', headers: ['Proc-Type: 4,ENCRYPTED', /^DEK-Info: AES-128-CBC,/] })
  t.ok(isEncryptedKey(block))
  t.ok(block.der !== undefined)
  for (const name of ['localhost.key', 'localhost-ec.key', 'a.crt']) t.notOk(isEncryptedKey(readPem(file(name))[0]), name)
})

t.test('certificates and keys are distinguished by their labels', async (t) => {
  const blocks = readPem(file('localhost-combined.pem'))
  t.same(blocks.map(isCertificateBlock), [true, false])
  t.same(blocks.map(isKeyBlock), [false, true])
})

t.test('a file with very many lines of BEGIN is read', async (t) => {
  t.same(labels('-----BEGIN A-----\n'.repeat(200_000)), [])
})
