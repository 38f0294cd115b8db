import { readdirSync } from 'node:fs'
import { type ConfigError, createServer, FileSource, type LoadOptions, loadConfiguration, TextSource } from '@gatewright/core'
import t from 'tap'
import { refusal } from './support/refusal.ts'

/**
 * Lines, the number of the reported line, and the message; a help text follows a message that ends in a
 * blank.
 */
const REFUSED: readonly (readonly [string, number, string])[] = [
  ['<Directory />\n</Location>', 2, 'Expected </Directory> but saw </Location>'],
  ['<Directory />\n<Location />\n</Directory>\n</Location>', 3, 'Expected </Location> but saw </Directory>'],
  ['\n</Directory>', 2, '</Directory> without matching <Directory> section'],
  ['<Directory />\n</Directory', 2, "</Directory> directive missing closing '>'"],
  ['<Directory />\n</Directory >', 2, "</Directory> directive missing closing '>'"],
  ['<Directory/>\n</Directory>', 2, 'Expected </Directory/> but saw </Directory>'],
  ['#x\n<Directory />\nOptions None\n\n# more\n', 2, 'ROOT/conf/httpd.conf:2: <Directory> was not closed.'],
  [
    '\n<Directory />\n<Files x>',
    2,
    'ROOT/conf/httpd.conf:3: <Files> was not closed.\nROOT/conf/httpd.conf:2: <Directory> was not closed.',
  ],
  ['\n<IfModule foo.c>\nQuux\nQuux', 2, 'Expected </IfModule> before end of configuration'],
  ['\n<IfModule foo.c>\nQuux\n<Directory />\n</IfModule>', 2, 'Expected </Directory> but saw </IfModule>'],
  ['<IfModule core.c>\n<Directory />\n</IfModule>\n</Directory>', 3, 'Expected </Directory> but saw </IfModule>'],
  ['<IfModule core.c>\n</Directory>\n</IfModule>', 2, '</Directory> without matching <Directory> section'],
  ['<Directory />\n<IfModule core.c>\n</Directory>\n</IfModule>', 3, '</Directory> without matching <Directory> section'],
  ['<Directory />\n<IfModule foo.c>\n</IfModule>\n</IfModule>\n</Directory>', 4, 'Expected </Directory> but saw </IfModule>'],
  ['<Foo>\n</Bar>\nQuux', 2, 'Expected </Foo> but saw </Bar>'],
  ...['IfModule', 'IfDefine', 'IfFile', 'IfDirective', 'IfSection'].flatMap((name): [string, number, string][] => [
    [`<${name}>\n</${name}>`, 1, `<${name}> directive requires additional arguments`],
    [`<${name} >\n</${name}>`, 1, `<${name}> directive requires additional arguments`],
    [`<${name} A\n</${name}>`, 1, `<${name}> directive missing closing '>'`],
  ]),
  ['Include', 1, 'Include takes one argument, '],
  ['Include a b', 1, 'Include takes one argument, '],
  ['Include nofile.conf', 1, 'Could not open configuration file ROOT/nofile.conf: No such file or directory'],
  ['Include nodir/*.conf', 1, 'Include/IncludeOptional: Could not open directory ROOT/nodir: No such file or directory'],
  ['Include conf/*.nope', 1, "Include/IncludeOptional: No matches for the wildcard '*.nope' in 'ROOT/conf', failing"],
  ['ServerRoot', 1, 'ServerRoot takes one argument, '],
  ['ServerRoot /nonexist', 1, 'ServerRoot must be a valid directory'],
  ['DefaultRuntimeDir /nonexist', 1, 'DefaultRuntimeDir must be a valid directory, absolute or relative to ServerRoot'],
  ['Define', 1, 'Define takes 1-2 arguments, '],
  ['Define a b c', 1, 'Define takes 1-2 arguments, '],
  ['Define a:b c', 1, "Variable name must not contain ':'"],
  ['UnDefine', 1, 'UnDefine takes one argument, '],
  ['UnDefine a:b', 1, "Variable name must not contain ':'"],
  ['LoadModule foo_module', 1, 'LoadModule takes two arguments, '],
  [
    'LoadModule foo_module modules/mod_foo.so',
    1,
    'Cannot load modules/mod_foo.so into server: ROOT/modules/mod_foo.so: cannot open shared object file: No such file or directory',
  ],
  [
    'LoadModule foo_module /nowhere/mod_foo.so',
    1,
    'Cannot load /nowhere/mod_foo.so into server: /nowhere/mod_foo.so: cannot open shared object file: No such file or directory',
  ],
  ['LoadModule so_module modules/mod_so.so', 1, "module so_module is built-in and can't be loaded"],
  ['LoadFile', 1, 'LoadFile requires at least one argument, '],
  [
    'LoadFile /nonexist.so',
    1,
    'Cannot load /nonexist.so into server: /nonexist.so: cannot open shared object file: No such file or directory',
  ],
]

for (const [config, line, message] of REFUSED) {
  t.test(`${JSON.stringify(config)} is refused while the lines are read`, async (t) => {
    const refused = await refusal(config)
    t.match(refused, { phase: 'read', file: 'ROOT/conf/httpd.conf', line })
    const whole = message.endsWith(', ') ? refused.message.slice(0, message.length) : refused.message
    t.equal(whole, message)
    t.not(refused.message.at(-1), ' ', 'a help text follows where one is due')
    const [shown] = refused.console
    t.equal(shown, `httpd: Syntax error on line ${line} of ROOT/conf/httpd.conf: ${refused.message.replace('\n', '\\n')}`)
  })
}

t.test('core and http are built in under other source names, so LoadModule looks for their file', async (t) => {
  for (const name of ['core_module', 'http_module']) {
    t.match(await refusal(`LoadModule ${name} modules/none.so`), { message: /^Cannot load modules\/none\.so into server: / })
  }
})

t.test('a mistake of balance at the end hides an unknown directive at the beginning', async (t) => {
  t.match(await refusal('NoSuchThing\n<Directory />'), { phase: 'read', line: 2 })
})

t.test('control bytes and backslashes in a message are shown escaped', async (t) => {
  const refused = await refusal('"A\\b\tc\x01" x')
  t.equal(
    refused.console[1],
    "Invalid command 'A\\\\b\\tc\\x01', perhaps misspelled or defined by a module not included in the server configuration",
  )
})

/** A start with lines of the command line before and after a main file. */
const options = (before: readonly string[], after: readonly string[], main: string | null = ''): LoadOptions => ({
  program: 'httpd',
  serverRoot: '/',
  configFile: '/gatewright-none/httpd.conf',
  defines: [],
  before: ['ServerName x', ...before],
  after,
  source: main === null ? new FileSource() : new TextSource(new Map([['/gatewright-none/httpd.conf', main]])),
  environment: {},
  report: () => undefined,
  builtIn: [],
  skipDocumentRootCheck: true,
  checkOnly: true,
})

/** Lines of -C, lines of -c, and the output on the console. */
const COMMAND_LINE: readonly (readonly [readonly string[], readonly string[], readonly string[]])[] = [
  [['</Foo>'], [], ['httpd: Syntax error in -C/-c directive: </Foo> without matching <Foo> section']],
  [[], ['<IfModule none.c>'], ['httpd: Syntax error in -C/-c directive: Expected </IfModule> before end of configuration']],
  [[], ['Timeout 3', 'KeepAlive maybe'], ['AH00526: Syntax error on line 2 of -c/-C directives:', 'KeepAlive must be On or Off']],
  [['Timeout'], [], ['AH00526: Syntax error on line 2 of -c/-C directives:', /^Timeout takes one argument, /.source]],
]

for (const [before, after, shown] of COMMAND_LINE) {
  t.test(`${JSON.stringify([...before, ...after])} on the command line is reported without a file`, async (t) => {
    const error = await loadConfiguration(options(before, after)).then(
      () => null,
      (thrown: ConfigError) => thrown,
    )
    const lines = error?.lines('httpd') ?? []
    t.equal(lines.length, shown.length)
    for (const [index, line] of shown.entries()) {
      if (line.startsWith('^')) t.match(lines[index], new RegExp(line))
      else t.equal(lines[index], line)
    }
  })
}

t.test('directives of the command line are applied before and after those of the file', async (t) => {
  const configuration = await loadConfiguration(
    options(['ErrorLog /dev/null', 'Timeout 1', 'KeepAliveTimeout 1'], ['Timeout 3'], 'Timeout 2\nKeepAliveTimeout 2'),
  )
  t.match(configuration.main, { timeout: 3000, keepAliveTimeout: 2000 })
})

t.test('a missing main file is reported without a line', async (t) => {
  const error = await loadConfiguration(options([], [], null)).catch((thrown: ConfigError) => thrown)
  t.match(error, {
    phase: 'read',
    message: 'Could not open configuration file /gatewright-none/httpd.conf: No such file or directory',
  })
})

t.test('a server without a given folder leaves no folder if its configuration is invalid', async (t) => {
  // A temporary folder that no other program uses.
  const scratch = t.testdir()
  const { TMPDIR } = process.env
  process.env.TMPDIR = scratch
  t.teardown(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  })
  const server = await createServer({ config: '' })
  t.equal(readdirSync(scratch).length, 1)
  await server.close()
  await t.rejects(createServer({ config: 'NoSuchThing' }), /Invalid command/)
  t.strictSame(readdirSync(scratch), [])
})
