import t from 'tap'
import { refusal } from './support/refusal.ts'

/** Lines, the number of the line that is blamed, and the message; a message that ends in a blank goes on with a help text. */
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
