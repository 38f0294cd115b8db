import fc from 'fast-check'
import t from 'tap'
import { costRank, hashPassword, verifyPassword } from '../src/index.ts'
import { md5Crypt } from '../src/md5-crypt.ts'
import { SHA256_CRYPT, SHA512_CRYPT, shaCrypt } from '../src/sha-crypt.ts'

const PASSWORD = Buffer.from('Gate-w8!')

const GENUINE: readonly string[] = [
  hashPassword('apr1', PASSWORD),
  hashPassword('sha', PASSWORD),
  hashPassword('bcrypt', PASSWORD, { cost: 4 }),
  hashPassword('sha256', PASSWORD, { rounds: 1000 }),
  hashPassword('sha512', PASSWORD, { rounds: 1000 }),
  hashPassword('crypt', PASSWORD),
  md5Crypt('$1$', 'saltsalt', PASSWORD),
]

t.test('plain text, an empty field, a lock mark and schemes httpd does not know match nothing', (t) => {
  for (const stored of [
    'Gate-w8!',
    '',
    '*',
    '!',
    '*0',
    'x',
    '{SSHA}SdelG11DWs/tM6ZR6bjLYBo+hGI=',
    '{sha}SdelG11DWs/tM6ZR6bjLYBo+hGI=',
    '{SHA}SdelG11DWs/tM6ZR6bjLYBo+hGI',
    '{SHA}',
    '$APR1$saltsalt$hF4ZMnKLHlHxrvROfXcJl1',
    '$y$j9T$F5Jx5fExrKuPp53xLKQ..1$WXTSrP.L4m4eO7ymRQZDWH4djoUmbOOpb8VOqb0atj2',
  ]) {
    t.equal(verifyPassword(stored, PASSWORD), false, JSON.stringify(stored))
    t.equal(verifyPassword(stored, Buffer.alloc(0)), false, `${JSON.stringify(stored)} with an empty password`)
    t.equal(verifyPassword(stored, Buffer.from(stored)), false, `${JSON.stringify(stored)} sent as the password`)
  }
  t.end()
})

t.test('an empty password is a password: it matches its own hash only', (t) => {
  const empty = Buffer.alloc(0)
  for (const scheme of ['apr1', 'sha', 'bcrypt', 'sha256', 'sha512', 'crypt'] as const) {
    const stored = hashPassword(scheme, empty, { rounds: 1000, cost: 4 })
    t.equal(verifyPassword(stored, empty), true, scheme)
    t.equal(verifyPassword(stored, Buffer.from(' ')), false, `${scheme} refuses a blank`)
  }
  t.end()
})

t.test('the password ends at its first NUL', (t) => {
  for (const stored of GENUINE) {
    t.equal(verifyPassword(stored, Buffer.from('Gate-w8!\0zzz')), true, stored)
    t.equal(verifyPassword(stored, Buffer.from('\0Gate-w8!')), false, `${stored} and an empty password`)
  }
  t.end()
})

t.test('a digest that is right for its setting is refused where crypt(3) refuses the setting', (t) => {
  for (const salt of ['a b', 'a:b', 'a;b', 'a*b', 'a!b', 'a\\b', 'a\tb', 'a\u007fb', 'a\u00e9b']) {
    const name = JSON.stringify(salt)
    t.equal(verifyPassword(md5Crypt('$1$', salt, PASSWORD), PASSWORD), false, `$1$ ${name}`)
    t.equal(verifyPassword(shaCrypt(SHA256_CRYPT, { salt, rounds: 1000 }, PASSWORD), PASSWORD), false, `$5$ ${name}`)
    t.equal(verifyPassword(md5Crypt('$apr1$', salt, PASSWORD), PASSWORD), true, `$apr1$ takes ${name}`)
  }
  t.equal(verifyPassword(md5Crypt('$1$', 'a=b@', PASSWORD), PASSWORD), true, 'other printable characters are fine')
  t.equal(verifyPassword(shaCrypt(SHA512_CRYPT, { salt: '', rounds: 1000 }, PASSWORD), PASSWORD), true, 'and so is no salt')
  t.equal(verifyPassword(shaCrypt(SHA512_CRYPT, { salt: '', rounds: 999 }, PASSWORD), PASSWORD), false, '999 rounds')
  const padded = shaCrypt(SHA512_CRYPT, { salt: 'salt', rounds: 1000 }, PASSWORD).replace('=1000', '=01000')
  t.equal(verifyPassword(padded, PASSWORD), false, 'a leading zero')
  t.end()
})

t.test('crypt(3) accepts passwords up to 511 bytes, httpd itself longer ones', (t) => {
  const fits = Buffer.alloc(511, 'x')
  const long = Buffer.alloc(512, 'x')
  const bcrypt = hashPassword('bcrypt', long, { cost: 4 })
  t.equal(verifyPassword(md5Crypt('$1$', 'ab', fits), fits), true)
  t.equal(verifyPassword(md5Crypt('$1$', 'ab', long), long), false)
  t.equal(verifyPassword(shaCrypt(SHA512_CRYPT, { salt: 'ab', rounds: 1000 }, long), long), false)
  t.equal(verifyPassword(hashPassword('crypt', fits), long), false)
  t.equal(verifyPassword(bcrypt.replace('$2y$', '$2b$'), long), false)
  t.equal(verifyPassword(bcrypt.replace('$2y$', '$2b$'), fits), true)
  t.equal(verifyPassword(bcrypt.replace('$2y$', '$2a$'), long), true)
  t.equal(verifyPassword(bcrypt, long), true)
  t.equal(verifyPassword(hashPassword('apr1', long), long), true)
  t.equal(verifyPassword(hashPassword('sha', long), long), true)
  t.end()
})

t.test('no stored text whatever makes verification throw', (t) => {
  const prefix = fc.constantFrom(
    '',
    '$',
    '$1$',
    '$apr1$',
    '$5$',
    '$6$',
    '$5$rounds=',
    '$2y$04$',
    '$2x$',
    '{SHA}',
    'ab',
    '_',
    '\0',
  )
  const rest = fc.oneof(fc.string({ unit: 'binary', maxLength: 100 }), fc.string({ unit: 'binary-ascii', maxLength: 100 }))
  fc.assert(
    fc.property(prefix, rest, fc.uint8Array({ maxLength: 100 }), (start, end, password) => {
      fc.pre(costRank(start + end) < 100_000)
      return !verifyPassword(start + end, Buffer.from(password))
    }),
    { numRuns: 2000 },
  )
  t.pass('2000 texts, none of which matched')
  t.end()
})

t.test('a genuine text damaged anywhere never matches', (t) => {
  const damage = fc.tuple(
    fc.constantFrom(...GENUINE),
    fc.nat({ max: 130 }),
    fc.nat({ max: 1 }),
    fc.string({ unit: 'binary', maxLength: 2 }),
  )
  fc.assert(
    fc.property(damage, ([genuine, at, removed, added]) => {
      const stored = genuine.slice(0, at) + added + genuine.slice(at + removed)
      fc.pre(stored !== genuine && costRank(stored) < 100_000)
      return !verifyPassword(stored, PASSWORD)
    }),
    { numRuns: 1000 },
  )
  t.pass('1000 damaged texts')
  t.end()
})
