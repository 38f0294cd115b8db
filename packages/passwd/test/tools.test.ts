import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { type HashableScheme, hashPassword, identifyScheme, type Scheme, verifyPassword } from '../src/index.ts'
import { md5Crypt } from '../src/md5-crypt.ts'
import { SHA256_CRYPT, SHA512_CRYPT, shaCrypt } from '../src/sha-crypt.ts'
import { describePassword, otherThan, PASSWORDS } from './passwords.ts'

const file = join(t.testdir(), 'users')

const ODD_PASSWORDS: readonly Buffer[] = [Buffer.from('Gate-w8!'), Buffer.from('ffffa3', 'hex')]

/** False, so that the subtest runs, or the reason why it cannot. */
const noHtpasswd: string | false = whyNoHtpasswd()
const noOpenssl: string | false = run('openssl', ['version'], Buffer.alloc(0)) === undefined && 'openssl is not installed'

t.test('what htpasswd writes is accepted with its password and refused with another', { skip: noHtpasswd }, (t) => {
  const forms: readonly [Scheme, string[]][] = [
    ['apr1', ['-m']],
    ['sha', ['-s']],
    ['bcrypt', ['-B', '-C', '4']],
    ['sha256', ['-2', '-r', '1000']],
    ['sha512', ['-5', '-r', '1000']],
    ['crypt', ['-d']],
  ]
  for (const [scheme, options] of forms) {
    for (const password of PASSWORDS) {
      const stored =
        run('htpasswd', ['-ni', ...options, 'u'], password)
          ?.toString('latin1')
          .trim()
          .slice('u:'.length) ?? ''
      const name = `${scheme}, ${describePassword(password)}`
      t.equal(identifyScheme(stored), scheme, name)
      t.equal(verifyPassword(stored, password), true, name)
      t.equal(verifyPassword(stored, otherThan(password)), false, `${name}, another password`)
    }
  }
  t.end()
})

t.test('htpasswd accepts what hashPassword writes and refuses another password', { skip: noHtpasswd }, (t) => {
  const schemes: readonly HashableScheme[] = ['apr1', 'sha', 'bcrypt', 'sha256', 'sha512', 'crypt']
  for (const scheme of schemes) {
    const stored = PASSWORDS.map((password) => hashPassword(scheme, password, { rounds: 1000, cost: 4 }))
    const verdicts = htpasswdVerdicts(stored.map((text, index) => [text, PASSWORDS[index]]))
    for (const [index, verdict] of verdicts.entries()) t.equal(verdict, true, `${scheme}, ${describePassword(PASSWORDS[index])}`)
    t.same(htpasswdVerdicts([[stored[5], otherThan(PASSWORDS[5])]]), [false], `${scheme}, another password`)
  }
  t.end()
})

t.test('htpasswd and verifyPassword agree on unusual and malformed texts', { skip: noHtpasswd }, (t) => {
  const cases = oddTexts().flatMap((stored): [string, Buffer][] => ODD_PASSWORDS.map((password) => [stored, password]))
  const expected = htpasswdVerdicts(cases)
  for (const [index, [stored, password]] of cases.entries()) {
    t.equal(verifyPassword(stored, password), expected[index], `${JSON.stringify(stored)}, ${describePassword(password)}`)
  }
  t.ok(expected.includes(true) && expected.includes(false), 'both verdicts occur')
  t.end()
})

t.test('what openssl passwd writes is accepted with its password and refused with another', { skip: noOpenssl }, (t) => {
  // openssl does not accept an empty line as a password.
  const passwords = PASSWORDS.filter((password) => password.length > 0)
  const lines = Buffer.concat(passwords.flatMap((password) => [password, Buffer.from('\n')]))
  for (const form of ['-apr1', '-1', '-5', '-6']) {
    const output = run('openssl', ['passwd', form, '-salt', 'salt.of/', '-stdin'], lines)
    const texts = output?.toString('latin1').trim().split('\n') ?? []
    t.equal(texts.length, passwords.length, `${form} makes a text for every password`)
    for (const [index, stored] of texts.entries()) {
      const name = `${form}, ${describePassword(passwords[index])}`
      t.equal(verifyPassword(stored, passwords[index]), true, name)
      t.equal(verifyPassword(stored, otherThan(passwords[index])), false, `${name}, another password`)
    }
  }
  t.end()
})

/** Texts that would match one of the passwords, except for the one error in each. */
function oddTexts(): string[] {
  return ODD_PASSWORDS.flatMap((password) => {
    const bcrypt = hashPassword('bcrypt', password, { cost: 4 })
    const sha = shaCrypt(SHA256_CRYPT, { salt: 'salt', rounds: 1000 }, password)
    return [
      ...['$2a$', '$2b$', '$2x$', '$2$', '$2z$'].map((prefix) => bcrypt.replace('$2y$', prefix)),
      ...['03', '4', '99'].map((cost) => bcrypt.replace('$04$', `$${cost}$`)),
      bcrypt.slice(0, -1),
      bcrypt.slice(0, 29),
      ...['', 'a', 'a=b', 'a;b', 'a*b', 'a!b', 'a\\b', 'a\u007f', 'abcdefghi'].flatMap((salt) => [
        md5Crypt('$1$', salt, password),
        md5Crypt('$apr1$', salt, password),
        shaCrypt(SHA256_CRYPT, { salt, rounds: 1000 }, password),
      ]),
      shaCrypt(SHA512_CRYPT, { salt: '', rounds: undefined }, password),
      shaCrypt(SHA512_CRYPT, { salt: 'roundx=1', rounds: undefined }, password),
      shaCrypt(SHA512_CRYPT, { salt: 'salt', rounds: 999 }, password),
      shaCrypt(SHA512_CRYPT, { salt: 'seventeen-letters', rounds: 1000 }, password),
      ...['01000', '+1000', '1000 ', '1000x', '', '1000000000'].map((rounds) => sha.replace('=1000', `=${rounds}`)),
      sha.replace('$5$', '$6$'),
      sha.slice(0, -1),
      `${sha}.`,
      hashPassword('sha', password).replace('{SHA}', '{sha}'),
      hashPassword('sha', password).slice(0, -1),
      `a-${hashPassword('crypt', password, { salt: 'a.' }).slice(2)}`,
      hashPassword('crypt', password, { salt: '//' }),
      '*',
      '*0',
      '',
    ]
  })
}

/** Whether httpd's own check accepts each password; the file is written once for all of them. */
function htpasswdVerdicts(cases: readonly (readonly [string, Buffer])[]): boolean[] {
  const lines = cases.map(([stored], index) => `u${index}:${stored}\n`)
  writeFileSync(file, lines.join(''), 'latin1')
  return cases.map(([, password], index) => run('htpasswd', ['-vi', file, `u${index}`], password) !== undefined)
}

/** Standard output, or undefined if the program is missing or reports failure. */
function run(program: string, args: readonly string[], input: Buffer): Buffer | undefined {
  const { status, stdout } = spawnSync(program, args, { input })
  return status === 0 ? stdout : undefined
}

function whyNoHtpasswd(): string | false {
  if (run('htpasswd', ['-nbs', 'u', 'x'], Buffer.alloc(0)) === undefined) return 'htpasswd is not installed'
  // The further schemes of crypt(3) depend on the platform; the reference's supports this one.
  const reference = '$2b$04$cPtfiJ59r0w7aGX0rB5fhufI4dKCrKcJf4D.Nr1gajBH5W795chIm'
  return htpasswdVerdicts([[reference, Buffer.from('Gate-w8!')]])[0] ? false : "crypt(3) differs from the reference server's"
}
