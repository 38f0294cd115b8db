import t from 'tap'
import { PI_FRACTION_BASE64 } from '../src/blowfish-tables.ts'
import { verifyPassword } from '../src/index.ts'

const SALT = '/OK.fbVrR/bpIqNJ5ianF.'

/** Digests at cost 4 by the platform's crypt(3), per variant. */
const SAMPLES: readonly { password: Buffer; a: string; b: string; x: string }[] = [
  {
    password: Buffer.from('ffffa3', 'hex'),
    a: 'Ias9ej8rVP83dbQWecz/ebYDer7Sfq6',
    b: '79F7iyfPXU.AMPgYp2WOmvgKQ4Ez/5.',
    x: '79F7iyfPXU.AMPgYp2WOmvgKQ4Ez/5.',
  },
  {
    password: Buffer.from('été', 'latin1'),
    a: 'S3F0iQ8XQafxBIaJEtSFadM89HLHvcG',
    b: 'S3F0iQ8XQafxBIaJEtSFadM89HLHvcG',
    x: '46DS5a6PdSWetEWnMqVK74H5o.cdEJC',
  },
  {
    password: Buffer.from('café'),
    a: 'sOVwLKWEMCTyvdNzqNywHcykwnMlxbe',
    b: 'sOVwLKWEMCTyvdNzqNywHcykwnMlxbe',
    x: '9KzbBwm0omtXHq0EPAl9Dq7vq64xQNa',
  },
  {
    password: Buffer.from('ffa3333435', 'hex'),
    a: 'ZgI8oGIrPrk3C2VsVZeWpiI/gDRxwKi',
    b: 'ZgI8oGIrPrk3C2VsVZeWpiI/gDRxwKi',
    x: 'PZmIKt.m7jAS2MaAgriAh2m0Mear0sG',
  },
  {
    password: Buffer.alloc(0),
    a: 'wdBKudyyroECOpLvv3jdJuqJkVNc7se',
    b: 'wdBKudyyroECOpLvv3jdJuqJkVNc7se',
    x: 'wdBKudyyroECOpLvv3jdJuqJkVNc7se',
  },
]

t.test('passwords that are no UTF-8 are hashed as the bytes they are, by all four variants', (t) => {
  for (const { password, a, b, x } of SAMPLES) {
    const name = password.toString('hex')
    t.equal(verifyPassword(`$2a$04$${SALT}${a}`, password), true, `$2a$ ${name}`)
    t.equal(verifyPassword(`$2b$04$${SALT}${b}`, password), true, `$2b$ ${name}`)
    t.equal(verifyPassword(`$2y$04$${SALT}${b}`, password), true, `$2y$ ${name}`)
    t.equal(verifyPassword(`$2x$04$${SALT}${x}`, password), true, `$2x$ ${name}`)
    t.equal(verifyPassword(`$2y$04$${SALT}${x}`, password), b === x, `a $2x$ digest under $2y$, ${name}`)
    t.equal(verifyPassword(`$2a$04$${SALT}${x}`, password), a === x, `a $2x$ digest under $2a$, ${name}`)
  }
  t.end()
})

t.test('two malformed byte sequences are not the same password', (t) => {
  const stored = `$2y$04$${SALT}S3F0iQ8XQafxBIaJEtSFadM89HLHvcG`
  t.equal(verifyPassword(stored, Buffer.from([0xe9, 0x74, 0xe9])), true)
  t.equal(verifyPassword(stored, Buffer.from([0xe8, 0x74, 0xe9])), false)
  t.equal(verifyPassword(stored, Buffer.from('\ufffdt\ufffd')), false, 'nor is the text they decode to')
  t.end()
})

t.test('only the first 72 bytes of a password count, whether text or bytes', (t) => {
  const stored = `$2y$04$${SALT}sN11/lzpb5GU9j41HYJjV7Mu/n0isdC`
  const prefix = Buffer.alloc(72, 'x')
  t.equal(verifyPassword(stored, prefix), true, '72 bytes')
  t.equal(verifyPassword(stored, Buffer.alloc(100, 'x')), true, '100 bytes')
  t.equal(verifyPassword(stored, Buffer.concat([prefix, Buffer.from([0xff])])), true, 'a byte that is no text behind them')
  t.equal(verifyPassword(stored, Buffer.concat([Buffer.alloc(71, 'x'), Buffer.from('é')])), false, 'byte 72 differs')
  t.equal(verifyPassword(stored, Buffer.alloc(71, 'x')), false, '71 bytes')
  t.end()
})

t.test('a cost outside 04..31, another letter or a salt that is not canonical matches nothing', (t) => {
  const digest = 'wdBKudyyroECOpLvv3jdJuqJkVNc7se'
  const empty = Buffer.alloc(0)
  t.equal(verifyPassword(`$2y$04$${SALT}${digest}`, empty), true)
  for (const cost of ['03', '00', '32', '99', '4', ' 4', '+4', '4x']) {
    t.equal(verifyPassword(`$2y$${cost}$${SALT}${digest}`, empty), false, `cost ${cost}`)
  }
  for (const letter of ['', 'c', 'A', 'Y', 'z']) {
    t.equal(verifyPassword(`$2${letter}$04$${SALT}${digest}`, empty), false, `letter ${letter}`)
  }
  t.equal(verifyPassword(`$2y$04$${SALT.slice(0, -1)}/${digest}`, empty), false, 'the same 128 bits of salt written differently')
  t.end()
})

t.test("Blowfish's tables are the fraction of pi", (t) => {
  t.equal(PI_FRACTION_BASE64, fractionOfPi(1042 * 32).toString('base64'))
  t.end()
})

/** Machin: pi = 16 arctan(1/5) - 4 arctan(1/239). The extra bits absorb what the divisions truncate. */
function fractionOfPi(bits: number): Buffer {
  const extra = 64n
  const one = 1n << (BigInt(bits) + extra)
  const fraction = (16n * arctanOfInverse(5n, one) - 4n * arctanOfInverse(239n, one) - 3n * one) >> extra
  return Buffer.from(fraction.toString(16).padStart(bits / 4, '0'), 'hex')
}

function arctanOfInverse(x: bigint, one: bigint): bigint {
  let term = one / x
  let sum = term
  for (let n = 3n, sign = -1n; term > 0n; n += 2n, sign = -sign) {
    term /= x * x
    sum += (sign * term) / n
  }
  return sum
}
