import t from 'tap'
import { decodeBase64Lenient } from '../src/text/index.ts'

const decode = (text: string): string => decodeBase64Lenient(text).toString('latin1')

t.test('credentials are decoded up to the first character outside the alphabet', async (t) => {
  const encoded = Buffer.from('bob:bobpw').toString('base64')
  for (const tail of ['', '=', '==', ' xyz', '!', ', Basic x', '=AAAA', '-', '_', '\n']) {
    t.equal(decode(encoded + tail), 'bob:bobpw', JSON.stringify(tail))
  }
})

t.test('missing padding is no fault and a single left-over character is dropped', async (t) => {
  t.equal(decode('Ym9i'), 'bob')
  t.equal(decode('Ym9iOg'), 'bob:')
  t.equal(decode('Ym9iOg='), 'bob:')
  t.equal(decode('Ym9iO'), 'bob')
  t.equal(decode('Y'), '')
})

t.test('junk becomes an empty text and never an error', async (t) => {
  for (const junk of ['', '***', '=', ' Ym9i', '\xe9', '\u0141']) t.equal(decode(junk), '', JSON.stringify(junk))
})

t.test('all bytes survive', async (t) => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i))
  t.same(decodeBase64Lenient(bytes.toString('base64')), bytes)
})
