import { configError, site } from '@gatewright/testing'
import t from 'tap'
import version from '../src/index.ts'

/** Whether the server applies the lines in `<IfVersion TEXT`. */
async function isKept(text: string): Promise<boolean> {
  const config = `ServerName skipped.test\n<IfVersion ${text}\nServerName kept.test\n</IfVersion>`
  const server = await site({ modules: [version], config })
  try {
    return server.configuration.main.serverName === 'kept.test'
  } finally {
    await server.close()
  }
}

/** The error of the server for `<IfVersion TEXT`. */
function refusal(text: string): Promise<string | undefined> {
  return configError({ modules: [version], config: `<IfVersion ${text}\n</IfVersion>` })
}

t.test('the directive table has one container, which is evaluated while lines are read, for every context', async (t) => {
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
  t.test(`<IfVersion ${text} is ${expected ? 'applied' : 'skipped'} by release 2.4.71`, async (t) => {
    t.equal(await isKept(text), expected)
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
    t.equal(await refusal(text), expected)
  })
}

t.test('more than three words are too many', async (t) => {
  t.match(await refusal('= 2.4.71 x y>'), /^<IfVersion takes one, two or three arguments, /)
})
