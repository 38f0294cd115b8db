import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { seededNumbers } from '@gatewright/testing'
import t from 'tap'
import { type DocumentItem, parseDocument, printDocument } from '../src/index.ts'

/** Files to generate. */
const COUNT = 10_000

const PIECES = [
  ...['Require all granted', 'Options +Indexes', 'ServerName "a b"', "Header set X 'it\\'s'", 'RewriteRule ^(.*)$ /x?$1 [L,QSA]'],
  ...[
    '<Directory "/srv">',
    '</Directory>',
    '<IfModule !mod_x.c>',
    '</IfModule>',
    '</ifmodule>',
    '<RequireAll>',
    '</RequireAll>',
    '<Broken',
  ],
  ...['# comment', '#', '# goes on \\', '', '', '   ', '\t', '\\', 'LogFormat "%h \\', '  "%r"" x', '</', '<', '>', '<>', '</>'],
  ...['Define A ${B}', 'x\0y', '\u00e9\u00ff', '"', "'", '\r', 'a\rb'],
]
const ENDS = ['\n', '\n', '\n', '\r\n', '\\\n', '\\\r\n', '\\ \n']
const INDENTS = ['', '', '  ', '\t', ' \t ']

function randomFile(random: (below: number) => number): string {
  let text = ''
  for (let lines = random(30); lines > 0; lines--)
    text += INDENTS[random(INDENTS.length)] + PIECES[random(PIECES.length)] + ENDS[random(ENDS.length)]
  // Half of the files end without line end.
  return random(2) === 0 ? text : text.slice(0, -1)
}

t.test(`${COUNT} generated files come back byte for byte, also through JSON`, async (t) => {
  const random = seededNumbers(20)
  let sections = 0
  for (let count = 0; count < COUNT; count++) {
    const text = randomFile(random)
    const document = parseDocument(text)
    if (document.items.some(({ kind }) => kind === 'section')) sections++
    if (printDocument(document) !== text || printDocument(JSON.parse(JSON.stringify(document))) !== text) {
      t.equal(printDocument(document), text)
      return
    }
  }
  t.ok(sections > COUNT / 4, 'sections occur in many of them')
})

t.test('every file of the example site and of an installed Apache is printed byte for byte', async (t) => {
  const folders = [join(import.meta.dirname, '../../../conf'), '/etc/apache2'].filter(
    (folder) => statSync(folder, { throwIfNoEntry: false }) !== undefined,
  )
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  let seen = 0
  for (const file of files) {
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) continue
    const text = readFileSync(file, 'latin1')
    t.equal(printDocument(parseDocument(text)), text, file)
    seen++
  }
  t.ok(seen > 5)
})

t.test('the tree contains names, words, texts, comments and their lines', async (t) => {
  const text =
    '# top\nListen 80\n\n<Directory "/a b">\n  Require ip 10 \\\n    11 # not a comment\n</directory>\n<If "true">\nDeny'
  const { items } = parseDocument(text)
  t.match(items, [
    { kind: 'comment', text: ' top', line: 1 },
    { kind: 'directive', name: 'Listen', words: ['80'], text: '80', line: 2, lastLine: 2 },
    { kind: 'blank', line: 3 },
    {
      kind: 'section',
      name: 'Directory',
      text: '"/a b"',
      words: ['/a b'],
      line: 4,
      items: [
        { kind: 'directive', name: 'Require', words: ['ip', '10', '11', '#', 'not', 'a', 'comment'], line: 5, lastLine: 6 },
      ],
      closing: { name: 'directory', line: 7 },
    },
    { kind: 'section', name: 'If', items: [{ kind: 'directive', name: 'Deny', text: '', line: 9 }], closing: null },
  ])
})

t.test('items that a tool makes are written in the style around them, on one line each', async (t) => {
  const { items } = parseDocument('<Directory /a>\n    Options None\n</Directory>')
  const made: DocumentItem = { kind: 'directive', name: 'Require', text: '', words: ['user', 'a b', 'c"d', 'e\nDeny'] }
  const [directory] = items
  if (directory?.kind !== 'section') throw new Error('no section')
  const section: DocumentItem = { kind: 'section', name: 'Files', text: '"x"', words: ['x'], items: [made], closing: null }
  t.equal(
    printDocument({
      items: [{ ...directory, items: [...directory.items, made, { kind: 'comment', text: ' two\nlines' }] }, section],
    }),
    '<Directory /a>\n    Options None\n    Require user "a b" "c\\"d" "e Deny"\n    # two lines\n</Directory>\n' +
      '<Files "x">\n  Require user "a b" "c\\"d" "e Deny"\n</Files>\n',
  )
})
