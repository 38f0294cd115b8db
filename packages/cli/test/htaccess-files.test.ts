import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { buildProgram, Site } from './fixtures/site.ts'

const program = await buildProgram(t.testdir({}))

function site(t: Test, files: Readonly<Record<string, string>>, ...sections: string[]): Site {
  const made = new Site(program, t.testdir({}), 65_535)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(made.root, 'htdocs', path), { recursive: true })
    made.file(`htdocs/${path}/.htaccess`, text)
  }
  made.configure(...sections.map((line) => line.replaceAll('@DOCS@', join(made.root, 'htdocs'))))
  return made
}

const ALL = ['<Directory "@DOCS@">', 'AllowOverride All', '</Directory>']

t.test('files without mistakes are counted', async (t) => {
  const made = site(t, { a: 'Options None\n', 'a/b': 'ErrorDocument 404 /x\n' }, ...ALL)
  t.strictSame(await made.run('-t', '--htaccess'), {
    status: 0,
    stdout: ['2 .htaccess files checked in 3 folders, 0 wrong'],
    stderr: ['Syntax OK'],
  })
})

t.test('every error of every file is reported with its line and advice, and the status is 1', async (t) => {
  const made = site(
    t,
    {
      a: 'Optins None\n\nListen 80\n<IfModule core.c>\nErrorDocument 999 x\n</IfModule>\n',
      'a/b': '<Files x>\nAcceptPathInfo maybe\nContentDigest perhaps\n</Files>\n</Files>\n',
    },
    ...ALL,
  )
  const docs = join(made.root, 'htdocs')
  const { status, stdout, stderr } = await made.run('-t', '--htaccess', docs)
  t.equal(status, 1)
  t.strictSame(stdout, ['2 .htaccess files checked in 3 folders, 2 wrong'])
  t.strictSame(stderr, [
    `${docs}/a/.htaccess:1: Invalid command 'Optins', perhaps misspelled or defined by a module not included in the server configuration`,
    'hint: did you mean Options?',
    `${docs}/a/.htaccess:3: Listen not allowed here`,
    'hint: Listen is allowed outside of sections',
    `${docs}/a/.htaccess:5: Unsupported HTTP response code 999`,
    `${docs}/a/b/.htaccess:2: AcceptPathInfo must be set to on, off or default`,
    `${docs}/a/b/.htaccess:3: ContentDigest must be On or Off`,
    `${docs}/a/b/.htaccess:5: </Files> without matching <Files> section`,
  ])
})

t.test("AllowOverride determines which directives a folder's file may contain", async (t) => {
  const sections = [
    '<Directory />',
    'AllowOverride None',
    '</Directory>',
    '<Directory "@DOCS@/a">',
    'AllowOverride Options',
    '</Directory>',
  ]
  const made = site(t, { a: 'Options None\nErrorDocument 404 /x\n', b: 'NoSuchDirective\n' }, ...sections)
  const docs = join(made.root, 'htdocs')
  const { status, stdout, stderr } = await made.run('-t', '--htaccess')
  t.equal(status, 1)
  t.strictSame(stdout, ['1 .htaccess file checked in 3 folders, 1 wrong; 1 not read by the server, AllowOverride is None there'])
  t.strictSame(stderr, [
    `${docs}/a/.htaccess:2: ErrorDocument not allowed here`,
    'hint: AllowOverride of this folder must include FileInfo',
  ])
})

t.test(
  'without an AllowOverride line every directive of a file is a mistake, also below an Alias that a section names',
  async (t) => {
    const made = site(
      t,
      { a: 'Options None\n', b: '# nothing\n' },
      '<Directory "@DOCS@/../aliased">',
      'Options None',
      '</Directory>',
    )
    const aliased = join(made.root, 'aliased')
    mkdirSync(aliased)
    made.file('aliased/.htaccess', 'Options None\n')
    const { status, stdout, stderr } = await made.run('-t', '--htaccess')
    t.equal(status, 1)
    t.strictSame(stdout, ['3 .htaccess files checked in 4 folders, 2 wrong'])
    t.strictSame(
      stderr,
      [aliased, join(made.root, 'htdocs/a')].flatMap((folder) => [
        `${folder}/.htaccess:1: Options not allowed here`,
        'hint: AllowOverride of this folder must include Options',
      ]),
    )
  },
)

t.test('several folders are checked, and a missing one is reported', async (t) => {
  const made = site(t, { a: '', b: 'Foo\n', c: 'Bar\n' }, ...ALL)
  const docs = join(made.root, 'htdocs')
  const { status, stderr } = await made.run(
    '-t',
    '--htaccess',
    join(docs, 'a'),
    '--htaccess',
    join(docs, 'b'),
    `--htaccess=${docs}/none`,
  )
  t.equal(status, 1)
  t.equal(stderr.filter((line) => line.startsWith(`${docs}/b/.htaccess:1: Invalid command 'Foo'`)).length, 1)
  t.notOk(stderr.some((line) => line.includes('Bar')))
  t.ok(stderr.includes(`${docs}/none: no such folder`))
})

t.test('an error in the configuration is reported before any file is checked', async (t) => {
  const made = site(t, { a: 'Foo\n' }, 'KeepAlive maybe')
  const { status, stderr } = await made.run('-t', '--htaccess')
  t.equal(status, 1)
  t.equal(stderr[1], 'KeepAlive must be On or Off')
  t.equal(stderr.length, 2)
})
