import fc from 'fast-check'
import t from 'tap'
import { type BasicCredentials, parseBasicCredentials } from '../src/text/index.ts'

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** A model of httpd's parser, step by step: scheme, blanks, Base64 by groups of bits, C strings. */
function modelled(header: string): BasicCredentials | null {
  let at = 0
  let scheme = ''
  while (at < header.length && header[at] !== ' ') scheme += header[at++]
  if (!/^[Bb][Aa][Ss][Ii][Cc]$/.test(scheme)) return null
  while (header[at] === ' ' || header[at] === '\t') at++
  let bits = 0
  let held = 0
  let text = ''
  for (; at < header.length && DIGITS.includes(header[at]); at++) {
    held = ((held << 6) | DIGITS.indexOf(header[at])) & 0xffff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    text += String.fromCharCode((held >> bits) & 0xff)
  }
  ;[text] = text.split('\0')
  const [user, ...rest] = text.split(':')
  return { user, password: rest.join(':') }
}

function same(a: BasicCredentials | null, b: BasicCredentials | null): boolean {
  return a?.user === b?.user && a?.password === b?.password
}

const bytes = fc
  .array(
    fc.oneof(
      fc.constantFrom('bob', ':', 'bobpw', '\0', '\xff', ' ', '\n'),
      fc.nat({ max: 255 }).map((code) => String.fromCharCode(code)),
    ),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(''))
const base64 = bytes.map((text) => Buffer.from(text, 'latin1').toString('base64'))
const piece = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('Basic', 'basic', 'BASIC', 'Basic ', 'Basic\t', 'Digest ', 'Bearer', 'B\u0131sic ', 'ba\u017fic '),
  },
  { weight: 6, arbitrary: base64 },
  { weight: 3, arbitrary: base64.map((text) => text.replace(/=+$/, '')) },
  { weight: 4, arbitrary: fc.constantFrom(' ', '  ', '\t', '=', '==', ',', ', Basic ', '!', '*', '-', '_', '\0', '\xa0') },
)
const header = fc.oneof(
  { weight: 3, arbitrary: base64.map((text) => `Basic ${text}`) },
  { weight: 5, arbitrary: fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('')) },
  { weight: 5, arbitrary: fc.array(piece, { maxLength: 6 }).map((parts) => `bAsIc ${parts.join('')}`) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((given) => Buffer.from(given).toString('latin1')) },
)

t.test('any Authorization header is parsed as in httpd', async (t) => {
  let basic = 0
  let named = 0
  fc.assert(
    fc.property(header, (text) => {
      const read = parseBasicCredentials(text)
      if (read !== null) basic++
      if (read !== null && read.user !== '' && read.password !== '') named++
      return same(read, modelled(text))
    }),
    { numRuns: 30_000, seed: 5_3 },
  )
  t.ok(basic > 10_000, `${basic} headers were Basic`)
  t.ok(named > 1000, `${named} had a user and a password`)
})

t.test('credentials are parsed as the client sent them, up to a NUL, or a colon in the name', async (t) => {
  const name = bytes.map((text) => text.replace(/[:\0]/g, ''))
  const password = bytes.map((text) => text.replaceAll('\0', ''))
  fc.assert(
    fc.property(name, password, (user, password) => {
      const encoded = Buffer.from(`${user}:${password}`, 'latin1').toString('base64')
      return same(parseBasicCredentials(`Basic ${encoded}`), { user, password })
    }),
    { numRuns: 5000, seed: 2 },
  )
  t.pass('5000 names and passwords')
})

t.test('a header that does not begin with Basic gives no credentials', async (t) => {
  fc.assert(
    fc.property(header, (text) => /^basic(?: |$)/i.test(text) || parseBasicCredentials(text) === null),
    { numRuns: 10_000, seed: 3 },
  )
  t.pass('10,000 headers')
})
