import t from 'tap'
import { compilePattern, PatternError, type PatternFlags, patternGroups } from '../src/index.ts'
import { patternRows } from './support/pattern-rows.ts'

function compiled(source: string, flags?: PatternFlags): RegExp {
  const pattern = compilePattern(source, flags)
  if (pattern instanceof PatternError) throw new Error(`${source}: ${pattern.message}`)
  return pattern
}

function refused(source: string): string {
  const pattern = compilePattern(source)
  return pattern instanceof PatternError ? `${pattern.reason}: ${pattern.message}` : 'no error'
}

for (const [title, rows] of Object.entries(patternRows)) {
  t.test(`${title} match as in PCRE`, async (t) => {
    for (const [source, flags, subject, found] of rows) {
      const pattern = compiled(source, flags)
      const match = pattern.exec(subject)
      const name = `${source} ${JSON.stringify(flags)} on ${JSON.stringify(subject)}`
      t.same(match === null ? null : [...match], found, name)
      t.equal(pattern.test(subject), found !== null, `${name}, test`)
    }
  })
}

t.test('what PCRE refuses is a syntax error', async (t) => {
  const sources = [
    '(',
    ')',
    'a)',
    '(a',
    '(?',
    '(?P',
    '(?<n',
    '(?<>a)',
    '(?<1>a)',
    '(?z)',
    '(?^-i)a',
    '(?#x',
    '[',
    '[]',
    '[a',
    '[^',
    '[z-a]',
    '[\\d-z]',
    '[a-\\d]',
    '[[:alpha:]-z]',
    '[[:foo:]]',
    '[[.a.]]',
    '[[=a=]]',
    '[:alpha:]',
    '[\\B]',
    '[\\R]',
    '[\\N]',
    '[\\K]',
    '[\\400]',
    '*a',
    '+a',
    '?a',
    'a|*',
    '{2}',
    'a**',
    'a*?+',
    'a{2}{3}',
    'a+++',
    '^*',
    '\\b+',
    '$?',
    '(?i)*a',
    'a{3,2}',
    'a{65536}',
    '\\',
    '\\400',
    '\\o{}',
    '\\o{8}',
    '\\o',
    '\\x{}',
    '\\x{g}',
    '\\x{100}',
    '\\c',
    '\\c\xe9',
    '\\8',
    '\\1',
    '(a)\\2',
    '\\k<n>',
    '\\k',
    '\\kn',
    '\\g',
    '\\g{}',
    '\\g{-1}',
    '\\i',
    '\\u',
    '\\L',
    '\\N{U+41}',
    '\\p',
    '\\p{}',
    '(?<=a*)b',
    '(?<=a{1,2})b',
    '(?<=a(b|cd))e',
    '(?<=a?)b',
    '(?P=n)',
    `${'('.repeat(251)}${')'.repeat(251)}`,
  ]
  for (const source of sources) t.match(refused(source), /^syntax: ./, source.slice(0, 20))
})

t.test('what cannot be translated is named', async (t) => {
  const rows: readonly (readonly [string, string])[] = [
    ['(?R)', 'recursion (?R) is not supported'],
    ['(a)(?1)', 'recursion (?1) is not supported'],
    ['(a)(?-1)', 'recursion (?1) is not supported'],
    ['(?<n>a)(?&n)', 'recursion (?R) is not supported'],
    ['(?<n>a)(?P>n)', 'recursion (?P>name) is not supported'],
    ['(a)\\g<1>', 'recursion \\g<...> is not supported'],
    ['(?|(a)|(b))', 'branch reset (?|...) is not supported'],
    ['(a)?(?(1)b|c)', 'conditional (?(...)...) is not supported'],
    ['a(?C1)b', 'callout (?C) is not supported'],
    ['(*UTF8)a', 'verb (*UTF...) is not supported'],
    ['a(*SKIP)b', 'verb (*SKIP...) is not supported'],
    ['(?*a)', 'non-atomic lookaround is not supported'],
    ['a\\Kb', '\\K is not supported'],
    ['\\X', '\\X is not supported'],
    ['\\p{Greek}', 'property \\p{Greek} is not supported'],
    ['(a)?\\1', 'a back reference to a group that may be unset is not supported'],
    ['(a)|b\\1', 'a back reference to a group that may be unset is not supported'],
    ['\\2(a)(b)', 'a back reference to a group that may be unset is not supported'],
    ['(a\\1)', 'a back reference to a group that may be unset is not supported'],
    ['(?:(a)|b)*\\1', 'a back reference to a group that may be unset is not supported'],
    ['(?<n>a)(?<n>b)\\k<n>', 'a back reference to a name that several groups have is not supported'],
    ['(?:(a*)c?)+\\1', 'a back reference to a group that may keep the text of an earlier round is not supported'],
    ['(a)(?<=\\1)b', 'a back reference in a look-behind is not supported'],
    [
      '(?>(?:|a)*)b',
      'an atomic group or possessive quantifier around a repetition that prefers to match nothing is not supported',
    ],
  ]
  for (const [source, message] of rows) t.equal(refused(source), `unsupported: ${message}`, source)
})

t.test('an error knows its place', async (t) => {
  t.match(compilePattern('ab[z-a]'), { offset: 4 })
  t.match(compilePattern('ab(?R)'), { offset: 2 })
})

t.test('a pattern has no flags and keeps no state', async (t) => {
  const pattern = compiled('(?i)a')
  t.equal(pattern.flags, '')
  t.ok(pattern.test('xA') && pattern.test('xA'))
  t.equal(pattern.lastIndex, 0)
})

t.test('groups are counted and named as in the pattern, also after atomic groups', async (t) => {
  const groups = (source: string): unknown => {
    const { count, names, labels } = patternGroups(compiled(source))
    return { count, names: [...names], labels }
  }
  t.same(groups('abc'), { count: 0, names: [], labels: [undefined] })
  t.same(groups('(a)(?:b)(?<m>c)'), { count: 2, names: [['m', 2]], labels: [undefined, undefined, 'm'] })
  t.same(groups('(?>x)(?<m>c)(?>y)'), { count: 1, names: [['m', 1]], labels: [undefined, 'm'] })
  t.same(groups('(?<n>a)|(?<n>b)'), { count: 2, names: [['n', 2]], labels: [undefined, 'n', 'n'] })
  t.same(groups('[(]\\((?#()(?=(a))'), { count: 1, names: [], labels: [undefined, undefined] })
  t.equal(patternGroups(/(a)(?:b)(?<n>c)/).count, 2, 'of a RegExp made elsewhere too')
})

t.test('named groups are there in the match', async (t) => {
  const match = compiled('(?>x+)(?P<site>[a-z]+)/(?<page>.*)').exec('xxabc/d')
  t.equal(match?.groups?.['site'], 'abc')
  t.equal(match?.[2], 'd')
  t.equal(match?.length, 3)
})

t.test('a pattern with atomic groups replaces by the numbers of its own groups', async (t) => {
  t.equal('aab-aab'.replace(compiled('(?>a+)(b)'), '[$1]'), '[b]-aab')
})

t.test('groups whose text may differ from that of PCRE are listed', async (t) => {
  const unsteady = (source: string): number[] => [...patternGroups(compiled(source)).unsteady].sort()
  t.same(unsteady('(a)(b)?((c)d)+'), [])
  t.same(unsteady('(?:(a)|(b))+'), [1, 2])
  t.same(unsteady('(a*)*'), [1])
  t.same(unsteady('(a|b)(?:|c)*'), [0, 1])
})
