import t from 'tap'
import { fakePattern, fakeServices, splitWords } from '../../mod_env/test/fakes/command.ts'
import { decideVersion } from '../src/decide.ts'
import version from '../src/index.ts'

const command = { words: splitWords, services: fakeServices({ pattern: fakePattern, httpdVersion: '2.4.71' }) }

t.test('the directive table has one container, decided while reading, for every place', async (t) => {
  t.same(Object.keys(version.directives ?? {}), ['<IfVersion'])
  const spec = version.directives?.['<IfVersion']
  t.equal(spec?.kind, 'condition')
  t.equal(spec?.readTime, true)
  t.equal(spec?.override, 'All')
  t.same(spec?.context, ['server', 'virtualhost', 'directory', 'htaccess'])
})

const DECIDED: readonly (readonly [string, boolean])[] = [
  ['2.4>', false],
  ['2.4.71>', true],
  ['>= 2.4>', true],
  ['~ 2.4.71>', true],
  ['~ ^4>', false],
  ['= /^2.4/>', true],
  ['/^2.4/>', true],
  ['== 2.4.71>', true],
  ['!== 2.4.71>', false],
  ['!>= 2.5>', true],
  ['!~ x>', true],
  ['"2.4.71">', true],
  ['= "2.4.71">', true],
  ['= "2.4.71" >', true],
  ['= 2.4.71 >', true],
  ['< 3>', true],
  ['<= 2.4.71>', true],
  ['> 2.4.70>', true],
  ['>= 2.>', true],
  ['>= 2.4.>', true],
  ['== /x/>', false],
  ['~ /2/>', false],
  ['< 2.4.71>', false],
  ['> 2.10>', false],
]

for (const [text, expected] of DECIDED) {
  t.test(`<IfVersion ${text} is ${expected ? 'kept' : 'skipped'} by release 2.4.71`, async (t) => {
    t.equal(decideVersion(text, command), expected)
  })
}

const INVALID =
  'Version appears to be invalid. It must have the format major[.minor[.patch]] where major, minor and patch are numbers.'
const UNCLOSED = "<IfVersion> directive missing closing '>'"

const REFUSED: readonly (readonly [string, string])[] = [
  ['>', INVALID],
  ['>>', INVALID],
  ['!>', INVALID],
  ['= >', INVALID],
  ['>=2.4>', INVALID],
  ['2.4.71.1>', INVALID],
  ['a>', INVALID],
  ['= 2.x>', INVALID],
  ['2.4.71a>', INVALID],
  ['>= .4>', INVALID],
  ['=> 2.4>', "unrecognized operator '=>'"],
  ['! 2.4.71>', "unrecognized operator '!'"],
  ['!! 2>', "unrecognized operator '!!'"],
  ['>== 2.4.70>', "unrecognized operator '>=='"],
  ['~= 2>', "unrecognized operator '~='"],
  ['=~ 2>', "unrecognized operator '=~'"],
  ['~ (>', 'Unable to compile regular expression'],
  ['= /^2.4>', 'Missing delimiting / of regular expression.'],
  ['== />', 'Missing delimiting / of regular expression.'],
  ['2.4.71', UNCLOSED],
  ['= 2.4.71 x>', UNCLOSED],
]

for (const [text, expected] of REFUSED) {
  t.test(`<IfVersion ${text} is an error`, async (t) => {
    t.equal(decideVersion(text, command), expected)
  })
}

t.test('more than three words are one too many', async (t) => {
  t.match(decideVersion('= 2.4.71 x y>', command), /^<IfVersion takes one, two or three arguments, /)
})
