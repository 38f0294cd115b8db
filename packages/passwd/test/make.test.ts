import fc from 'fast-check'
import t from 'tap'
import { type HashableScheme, type HashOptions, hashPassword, identifyScheme, verifyPassword } from '../src/index.ts'
import { otherThan } from './passwords.ts'

const SCHEMES: readonly HashableScheme[] = ['apr1', 'sha', 'bcrypt', 'sha256', 'sha512', 'crypt']

const PASSWORD = Buffer.from('Gate-w8!')

/** The minimum of each scheme. */
const QUICK: HashOptions = { rounds: 1000, cost: 4 }

t.test('a hash verifies against its own password and against no other', (t) => {
  const password = fc.uint8Array({ min: 1, max: 255, maxLength: 100 }).map((bytes) => Buffer.from(bytes))
  for (const scheme of SCHEMES) {
    fc.assert(
      fc.property(password, (password) => {
        const stored = hashPassword(scheme, password, QUICK)
        return verifyPassword(stored, password) && !verifyPassword(stored, otherThan(password))
      }),
      { numRuns: 50 },
    )
    t.equal(identifyScheme(hashPassword(scheme, PASSWORD, QUICK)), scheme)
  }
  t.end()
})

t.test('a given salt and the other options make the text the reference server made', (t) => {
  const made: readonly [HashableScheme, HashOptions, string][] = [
    ['apr1', { salt: 'rAXyf0pO' }, '$apr1$rAXyf0pO$9HzFkYBB/6rQxgFnHsiHp1'],
    ['sha', {}, '{SHA}SdelG11DWs/tM6ZR6bjLYBo+hGI='],
    ['crypt', { salt: 'Pe' }, 'Pe0L5GCw5oCxE'],
    ['sha256', { salt: 'sK8AVKmOQ9UBOjVi' }, '$5$sK8AVKmOQ9UBOjVi$79QWN/H9GELGFAQMzHpU31xnC7g1T81lsTO8TRMo3q/'],
    [
      'sha512',
      { salt: '/WZdEbw75UsI9ZZh', rounds: 1000 },
      '$6$rounds=1000$/WZdEbw75UsI9ZZh$cltFe15LZW1zuIZbXhP/0b/26o94XRlUnrVgKdZmk1Z1AjGUq0vl1sjTGP1VNQauwpZLeHBrUcneI/WTbxY0R.',
    ],
    ['bcrypt', { salt: '8jRA6YhUNnCthZP5LFTxD.' }, '$2y$05$8jRA6YhUNnCthZP5LFTxD.Zs1eiTjApDCumXLRLQ9PDiU8to4sl/m'],
    ['bcrypt', { salt: 'cPtfiJ59r0w7aGX0rB5fhu', cost: 4 }, '$2y$04$cPtfiJ59r0w7aGX0rB5fhufI4dKCrKcJf4D.Nr1gajBH5W795chIm'],
  ]
  for (const [scheme, options, stored] of made) t.equal(hashPassword(scheme, PASSWORD, options), stored)
  t.end()
})

t.test('without a given salt two hashes of one password differ, except with {SHA} which has none', (t) => {
  for (const scheme of SCHEMES) {
    const texts = new Set(Array.from({ length: 8 }, () => hashPassword(scheme, PASSWORD, QUICK)))
    t.equal(texts.size > 1, scheme !== 'sha', scheme)
  }
  t.match(hashPassword('sha512', PASSWORD), /^\$6\$[./0-9A-Za-z]{16}\$[./0-9A-Za-z]{86}$/)
  t.match(hashPassword('apr1', PASSWORD), /^\$apr1\$[./0-9A-Za-z]{8}\$[./0-9A-Za-z]{22}$/)
  t.end()
})

t.test('a salt that would damage the text or its meaning is refused', (t) => {
  const refused: readonly [HashableScheme, string][] = [
    ['apr1', ''],
    ['apr1', '123456789'],
    ['apr1', 'a$b'],
    ['apr1', 'a:b'],
    ['sha256', '12345678901234567'],
    ['sha512', 'a\nb'],
    ['crypt', 'a'],
    ['crypt', 'abc'],
    ['crypt', 'a-'],
    ['bcrypt', 'short'],
    ['bcrypt', '8jRA6YhUNnCthZP5LFTx$.'],
  ]
  for (const [scheme, salt] of refused) {
    t.throws(() => hashPassword(scheme, PASSWORD, { salt }), RangeError, `${scheme} ${JSON.stringify(salt)}`)
  }
  t.end()
})

t.test('rounds and cost outside their range are refused', (t) => {
  for (const rounds of [0, 999, 1_000_000_000, 1000.5, Number.NaN]) {
    t.throws(() => hashPassword('sha512', PASSWORD, { rounds }), RangeError, `rounds ${rounds}`)
  }
  for (const cost of [0, 3, 32, 4.5, Number.NaN]) {
    t.throws(() => hashPassword('bcrypt', PASSWORD, { cost }), RangeError, `cost ${cost}`)
  }
  t.end()
})

t.test('a password httpd could never be sent or would never accept is not hashed', (t) => {
  for (const scheme of SCHEMES) t.throws(() => hashPassword(scheme, Buffer.from('a\0b'), QUICK), RangeError, scheme)
  for (const scheme of ['sha256', 'sha512', 'crypt'] as const) {
    t.throws(() => hashPassword(scheme, Buffer.alloc(512, 'x'), QUICK), RangeError, `${scheme}, 512 bytes`)
  }
  t.end()
})
