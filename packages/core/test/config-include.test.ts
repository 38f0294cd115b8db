import { createServer, type FileTree, serverRoot, site } from '@gatewright/testing'
import t from 'tap'
import { wordsModule } from './support/modules.ts'
import { refusal } from './support/refusal.ts'

/** The words that a configuration with these files sets, in order. */
async function words(config: string, files: FileTree): Promise<string> {
  const server = await site({ modules: [wordsModule], config, files })
  const response = await server.inject('/')
  await server.close()
  return response.header('X-Words') ?? ''
}

const TREE: FileTree = {
  'inc/z': 'Word z',
  'inc/a': 'Word a',
  'inc/Zs/q': 'Word Zs/q',
  'inc/sub/m': 'Word sub/m',
  'inc/.d': 'Word .d',
  'inc/b': 'Word b',
  'one/x.conf': 'Word one/x',
  'one/B.conf': 'Word one/B',
  'one/.hidden.conf': 'Word one/hidden',
  'two/x.conf': 'Word two/x',
  'two/deep.conf/inner': 'Word two/inner',
  'conf/self': 'Word self',
}

/** An Include line and the order of what it reads. */
const READ: readonly (readonly [string, string])[] = [
  ['Include inc/a', 'a'],
  ['Include ./inc/../inc/a', 'a'],
  ['Include @ROOT@/inc/a', 'a'],
  ['include "inc/a"', 'a'],
  ['Include inc', '.d Zs/q a b sub/m z'],
  ['Include inc/', '.d Zs/q a b sub/m z'],
  ['Include inc/*', 'Zs/q a b sub/m z'],
  ['Include inc/[a-b]', 'a b'],
  ['Include inc/?', 'a b z'],
  ['Include one/*.conf', 'one/B one/x'],
  ['Include one/.*.conf', 'one/hidden'],
  ['Include [ot]*/x.conf', 'one/x two/x'],
  ['IncludeOptional */B.conf', 'one/B'],
  ['Include two/*.conf', 'two/inner two/x'],
  ['IncludeOptional none', ''],
  ['IncludeOptional none/*.conf', ''],
  ['IncludeOptional inc/*.none', ''],
  ['IncludeOptional */none.conf', ''],
  ['Word before\nInclude inc/b\nWord after', 'before b after'],
  ['<Location />\nInclude inc/b\n</Location>\nWord outer', 'outer b'],
  ['<IfModule none.c>\nInclude nowhere\n</IfModule>\nWord x', 'x'],
  ['ServerRoot @ROOT@/inc\nInclude sub', 'sub/m'],
]

for (const [config, expected] of READ) {
  t.test(`${JSON.stringify(config)} reads ${expected === '' ? 'nothing' : expected}`, async (t) => {
    t.equal(await words(config, TREE), expected)
  })
}

t.test('an included file starts from the ServerRoot, not from its own folder', async (t) => {
  t.equal(await words('Include inc/a', { 'inc/a': 'Include inc/b', 'inc/b': 'Word b' }), 'b')
})

t.test('an include that finds nothing fails, wherever in its pattern the gap is', async (t) => {
  for (const [line, message] of [
    ['Include inc/*.none', "Include/IncludeOptional: No matches for the wildcard '*.none' in 'ROOT/inc', failing"],
    ['Include o*/*.none', "Include/IncludeOptional: No matches for the wildcard '*.none' in 'ROOT/one', failing"],
    ['Include */B.conf', /^Could not open configuration file ROOT\/[^o]\w*\/B\.conf: No such file or directory$/],
    ['Include none/*', 'Include/IncludeOptional: Could not open directory ROOT/none: No such file or directory'],
    ['Include none', 'Could not open configuration file ROOT/none: No such file or directory'],
  ] as const) {
    t.match(await refusal(line, { files: TREE }), { phase: 'read', line: 1, message }, line)
  }
})

t.test('errors found while reading are reported through every including line', async (t) => {
  const files = { 'a.conf': '\nInclude b.conf', 'b.conf': '\n\n</Directory>' }
  const refused = await refusal('\n\n\nInclude a.conf', { files })
  t.strictSame(refused.console, [
    'httpd: Syntax error on line 4 of ROOT/conf/httpd.conf: Syntax error on line 2 of ROOT/a.conf: Syntax error on line 3 of ROOT/b.conf: </Directory> without matching <Directory> section',
  ])
})

t.test('mistakes found when a directive is applied name the included file alone', async (t) => {
  const refused = await refusal('\nInclude a.conf', { files: { 'a.conf': '\nNoSuchThing' } })
  t.strictSame(refused.console.slice(0, 2), [
    'AH00526: Syntax error on line 2 of ROOT/a.conf:',
    "Invalid command 'NoSuchThing', perhaps misspelled or defined by a module not included in the server configuration",
  ])
})

t.test('a section opens and closes in the same file', async (t) => {
  const opens = await refusal('Include a.conf\n</Directory>', { files: { 'a.conf': '<Directory />' } })
  t.equal(
    opens.console[0],
    'httpd: Syntax error on line 1 of ROOT/conf/httpd.conf: Syntax error on line 1 of ROOT/a.conf: ROOT/a.conf:1: <Directory> was not closed.',
  )
  const closes = await refusal('<Directory />\nInclude a.conf', { files: { 'a.conf': '</Directory>' } })
  t.match(closes.message, 'Syntax error on line 1 of ROOT/a.conf: </Directory> without matching <Directory> section')
})

t.test('a file that includes itself ends at a depth of 128', async (t) => {
  const refused = await refusal('Include a.conf', { files: { 'a.conf': 'Include a.conf' } })
  t.equal(refused.console[0].split('Syntax error on line 1 of ').length - 1, 129)
  t.ok(refused.message.endsWith(': Exceeded maximum include depth of 128, There appears to be a recursion.'))
})

t.test('128 files within each other are no recursion', async (t) => {
  const files: Record<string, string> = { f127: 'Word bottom' }
  for (let depth = 0; depth < 127; depth++) files[`f${depth}`] = `Include f${depth + 1}`
  t.equal(await words('Include f0', files), 'bottom')
})

t.test('the files that were read are listed with the lines that include them', async (t) => {
  const { root, remove } = serverRoot({ 'a.conf': '\nInclude b.conf', 'b.conf': '' })
  t.teardown(remove)
  const server = await createServer({ config: 'ServerName x\nDocumentRoot docs\nInclude a.conf', serverRoot: root })
  t.teardown(() => server.close())
  t.strictSame(
    server.configuration.includes.map(({ path, from, depth }) => [path.slice(root.length), from?.line ?? 0, depth]),
    [
      ['/conf/httpd.conf', 0, 0],
      ['/a.conf', 3, 1],
      ['/b.conf', 2, 2],
    ],
  )
})
