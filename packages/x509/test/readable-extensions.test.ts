import t from 'tap'
import { derIa5, derNull, derOctets, derSequence, derValue } from '../src/der-writer.ts'
import { type Certificate, hasReadableExtensions, isMalformed, isSameName, parseCertificate } from '../src/index.ts'
import { attribute, madeCertificate, nameOf } from './support/made-certificate.ts'

const UTF8 = 0x0c
const PRINTABLE = 0x13
const COMMON_NAME = '2.5.4.3'
const USAGE = '2.5.29.15'

function made(oddities: Parameters<typeof madeCertificate>[0]): Certificate {
  const certificate = parseCertificate(madeCertificate(oddities))
  if (isMalformed(certificate)) throw new Error(certificate.malformed)
  return certificate
}

t.test('extensions that nobody can read make a certificate useless, unknown ones do not', async (t) => {
  const usage = derValue(0x03, Buffer.from([7, 0x80]))
  const sound = [
    [],
    [['1.3.6.1.4.1.55555.1', Buffer.from('nonsense')]],
    [[USAGE, usage]],
    [['2.5.29.17', derSequence(derValue(0x82, Buffer.from('a.test')))]],
    [['2.5.29.35', derSequence(derValue(0x80, Buffer.from('key')))]],
  ] as const
  for (const extensions of sound) t.ok(hasReadableExtensions(made({ extensions })), JSON.stringify(extensions))
  const bad = [
    [[USAGE, derValue(0x03, Buffer.from([7, 0]))]],
    [
      [USAGE, usage],
      [USAGE, usage],
    ],
    [['2.5.29.14', derIa5('not octets')]],
    [['2.5.29.17', derSequence(derValue(0x99, Buffer.from('a.test')))]],
    [['2.5.29.19', derNull()]],
    [['2.5.29.30', derOctets(Buffer.from('x'))]],
    [['2.5.29.31', Buffer.from([0x30, 5])]],
    [['2.5.29.35', derNull()]],
    [['2.5.29.37', derSequence(derNull())]],
  ] as const
  for (const extensions of bad) t.notOk(hasReadableExtensions(made({ extensions })), JSON.stringify(extensions))
})

t.test('names are the same whatever the kinds of their strings, the case of their letters, and superfluous blanks', async (t) => {
  const named = (...words: Parameters<typeof attribute>): Certificate => made({ subject: nameOf(attribute(...words)) })
  const { subject } = named(COMMON_NAME, UTF8, 'Example  Root')
  t.ok(isSameName(subject, named(COMMON_NAME, PRINTABLE, ' example root ').subject))
  t.notOk(isSameName(subject, named(COMMON_NAME, UTF8, 'ExampleRoot').subject))
  t.notOk(isSameName(subject, named('2.5.4.10', UTF8, 'Example  Root').subject))
})
