import t from 'tap'
import { costRank, hashPassword, identifyScheme, isCheap, type Scheme } from '../src/index.ts'

t.test('the beginning of a stored text determines its scheme', (t) => {
  const named: readonly [string, Scheme][] = [
    ['$2a$', 'bcrypt'],
    ['$2b$', 'bcrypt'],
    ['$2x$', 'bcrypt'],
    ['$2y$', 'bcrypt'],
    ['$2$', 'unsupported'],
    ['$2z$', 'unsupported'],
    ['$apr1$', 'apr1'],
    ['$APR1$', 'unsupported'],
    ['$1$', 'md5'],
    ['$5$', 'sha256'],
    ['$6$', 'sha512'],
    ['$y$j9T$', 'unsupported'],
    ['$', 'unsupported'],
    ['{SHA}', 'sha'],
    ['{sha}', 'unsupported'],
    ['{SSHA}', 'unsupported'],
    ['Pe0L5GCw5oCxE', 'crypt'],
    ['Pe0L5GCw5oCxE.', 'unsupported'],
    ['Pe0L5GCw5oCx', 'unsupported'],
    ['P-0L5GCw5oCxE', 'unsupported'],
    ['Pe0L5GCw5oC+E', 'unsupported'],
    ['_J9..rasmG1gANnusqQA', 'unsupported'],
    ['*', 'unsupported'],
    ['', 'unsupported'],
  ]
  for (const [stored, scheme] of named) t.equal(identifyScheme(stored), scheme, JSON.stringify(stored))
  t.end()
})

t.test('only {SHA} is cheap enough for the event loop', (t) => {
  t.equal(isCheap('sha'), true)
  for (const scheme of ['bcrypt', 'apr1', 'md5', 'sha256', 'sha512', 'crypt', 'unsupported'] as const) {
    t.equal(isCheap(scheme), false, scheme)
  }
  t.end()
})

t.test('cost ranks order texts by the time they take, within a scheme and across schemes', (t) => {
  const password = Buffer.from('x')
  const ascending = [
    '*',
    hashPassword('sha', password),
    hashPassword('crypt', password),
    hashPassword('apr1', password),
    hashPassword('bcrypt', password, { cost: 4 }),
    hashPassword('bcrypt', password, { cost: 5 }),
    hashPassword('sha512', password, { rounds: 20_000 }),
    hashPassword('bcrypt', password, { cost: 8 }),
  ]
  const ranks = ascending.map(costRank)
  t.same(
    ranks,
    [...ranks].sort((a, b) => a - b),
  )
  t.equal(new Set(ranks).size, ranks.length, 'no two are equal')
  t.equal(costRank(hashPassword('sha256', password)), costRank(hashPassword('sha256', password, { rounds: 5000 })))
  t.equal(costRank('$1$ab$mjsFk9LmfULxjpkDdKGTj/'), costRank(hashPassword('apr1', password)))
  t.end()
})

t.test('a text nothing can match costs nothing, so that it is never chosen as the dummy', (t) => {
  for (const stored of [
    '$2y$99$x',
    '$2y$',
    '$apr1$salt',
    '$1$a b$mjsFk9LmfULxjpkDdKGTj/',
    '$5$rounds=999999999$x',
    '$6$',
    '',
    'plain',
  ]) {
    t.equal(costRank(stored), 0, JSON.stringify(stored))
  }
  t.end()
})
