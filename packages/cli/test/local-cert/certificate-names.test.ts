import t from 'tap'
import { certificateName, nameOfGeneral } from '../../src/gatewright/local-cert/certificate-names.ts'

t.test('host names and addresses are taken in the form that certificates have', async (t) => {
  const forms: readonly (readonly [string, string])[] = [
    ['a.test', 'a.test'],
    ['A.Test.', 'a.test'],
    ['*.a.test', '*.a.test'],
    ['bücher.test', 'xn--bcher-kva.test'],
    ['*.bücher.test', '*.xn--bcher-kva.test'],
    ['my_machine', 'my_machine'],
    ['192.0.2.1', '192.0.2.1'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['::ffff:192.0.2.1', '::ffff:c000:201'],
    [`${'a'.repeat(63)}.test`, `${'a'.repeat(63)}.test`],
  ]
  for (const [text, name] of forms) t.equal(certificateName(text), name, text)
})

t.test('what is neither a host name nor an address is refused', async (t) => {
  const refused = [
    '',
    '.',
    '*',
    '*.',
    '*.*.test',
    'a..test',
    '-a.test',
    'a-.test',
    'https://a.test',
    'a.test:8443',
    'a.test/path',
    '[::1]',
    'fe80::1%eth0',
    '127.1',
    '2130706433',
    '256.1.1.1',
    'user@a.test',
    'a b',
    'a\u0000b.test',
    `${'a'.repeat(64)}.test`,
    Array<string>(64).fill('abc').join('.'),
    '\u2488.test',
  ]
  for (const text of refused) t.equal(certificateName(text), undefined, JSON.stringify(text))
})

t.test('names of a certificate are read in the same form', async (t) => {
  t.equal(nameOfGeneral({ kind: 'dns', contents: Buffer.from('a.test') }), 'a.test')
  t.equal(nameOfGeneral({ kind: 'ip', contents: Buffer.from([192, 0, 2, 1]) }), '192.0.2.1')
  t.equal(nameOfGeneral({ kind: 'ip', contents: Buffer.from('20010db8000000000000000000000001', 'hex') }), '2001:db8::1')
  t.equal(nameOfGeneral({ kind: 'ip', contents: Buffer.alloc(3) }), undefined)
  t.equal(nameOfGeneral({ kind: 'email', contents: Buffer.from('a@b') }), undefined)
})
