import fc from 'fast-check'
import t from 'tap'
import { nameAsAscii, nameAsOneLine, nameAsRfc2253, nameForLog, nameHash } from '../src/index.ts'
import { attribute, madeCertificate, nameOf } from './support/made-certificate.ts'
import { openssl, parsed, withoutOpenssl } from './support/openssl.ts'
import { randomNames } from './support/random-names.ts'

const CN = '2.5.4.3'
const O = '2.5.4.10'

function subjectOf(...attributes: Buffer[]): ReturnType<typeof parsed>['subject'] {
  return parsed(madeCertificate({ subject: nameOf(...attributes) })).subject
}

t.test('names of every kind have the same text as in openssl', { skip: withoutOpenssl }, async (t) => {
  fc.assert(
    fc.property(randomNames, (subject) => {
      const der = madeCertificate({ subject })
      const name = parsed(der).subject
      const shown = (nameopt: string): string[] =>
        openssl(['x509', '-inform', 'der', '-noout', '-subject', '-subject_hash', '-nameopt', nameopt], der).split('\n')
      t.same(shown('RFC2253,-esc_msb').slice(0, 2), [`subject=${nameAsRfc2253(name)}`, nameHash(name)], subject.toString('hex'))
      t.equal(shown('RFC2253')[0], `subject=${nameAsAscii(name)}`)
    }),
    { numRuns: 40 },
  )
})

t.test('characters that RFC 2253 reserves are escaped as in openssl', async (t) => {
  const cases = [
    [' a b ', '\\ a b\\ '],
    ['#a#', '\\#a#'],
    ['#', '#'],
    [' ', '\\ '],
    ['a,b+c"d\\e<f>g;h=i/j', 'a\\,b\\+c\\"d\\\\e\\<f\\>g\\;h=i/j'],
    ['a\0\n\x7f', 'a\\00\\0A\\7F'],
  ]
  for (const [value, expected] of cases) t.equal(nameAsRfc2253(subjectOf(attribute(CN, 0x0c, value))), `CN=${expected}`)
})

t.test('characters of every string type become bytes of UTF-8', async (t) => {
  const utf8 = Buffer.from('ü€').toString('latin1')
  t.equal(nameAsRfc2253(subjectOf(attribute(CN, 0x0c, 'ü€'))), `CN=${utf8}`)
  t.equal(nameAsRfc2253(subjectOf(attribute(CN, 0x1e, Buffer.from([0, 0xfc, 0x20, 0xac])))), `CN=${utf8}`)
  t.equal(nameAsRfc2253(subjectOf(attribute(CN, 0x1c, Buffer.from([0, 0, 0, 0xfc, 0, 0, 0x20, 0xac])))), `CN=${utf8}`)
  t.equal(nameAsRfc2253(subjectOf(attribute(CN, 0x14, Buffer.from([0xfc])))), 'CN=\xc3\xbc')
  t.equal(nameAsAscii(subjectOf(attribute(CN, 0x0c, 'ü'))), 'CN=\\C3\\BC')
})

t.test('an attribute without a name is shown as the DER of its value', async (t) => {
  t.equal(nameAsRfc2253(subjectOf(attribute('1.2.3.4', 0x0c, 'ab'))), '1.2.3.4=#0C026162')
})

t.test('the old form escapes what would end a value, so that no name can imitate another', async (t) => {
  t.equal(nameAsOneLine(subjectOf(attribute(O, 0x0c, 'x/CN=alice'))), '/O=x\\/CN=alice')
  t.equal(nameAsOneLine(subjectOf(attribute(O, 0x0c, 'a+b'), attribute(CN, 0x0c, 'ü'))), '/O=a\\+b/CN=\\xC3\\xBC')
  t.equal(nameAsOneLine(subjectOf()), '')
})

t.test('a long name is cut off for the log', async (t) => {
  const name = subjectOf(attribute(CN, 0x0c, 'a'.repeat(100)))
  t.equal(nameForLog(name, 20), `CN=${'a'.repeat(14)}...`)
  t.equal(nameForLog(name, 103), `CN=${'a'.repeat(100)}`)
})

t.test('a name whose strings are not valid makes a certificate malformed, as in openssl', async (t) => {
  const cases = {
    'half a character': [0x1e, [0x20]],
    surrogate: [0x1e, [0xd8, 0]],
    'wrong UTF-8': [0x0c, [0xff]],
    large: [0x1c, [0, 0x11, 0, 0]],
  } as const
  for (const [name, [tag, contents]] of Object.entries(cases))
    t.throws(() => subjectOf(attribute(CN, tag, Buffer.from(contents))), /a string is not valid in its character set/, name)
})
