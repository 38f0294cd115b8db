import t from 'tap'
import { complaints, refusal } from './support/refusal.ts'

const UNKNOWN = (name: string): string =>
  `Invalid command '${name}', perhaps misspelled or defined by a module not included in the server configuration`
const LEVELS = 'Log level keyword must be one of emerg/alert/crit/error/warn/notice/info/debug/trace1/.../trace8'
const ELSE = '<Else> or <ElseIf> section without previous <If> or <ElseIf> section in same scope'
const inside = (section: string, line: string): string => `<${section} />\n${line}\n</${section.split(' ')[0]}>`

/** Lines, the number of the reported line, and the message; a help text follows one that ends in `, `. */
const REFUSED: readonly (readonly [string, number, string])[] = [
  ['Foo', 1, UNKNOWN('Foo')],
  ['\n\nFoo bar', 3, UNKNOWN('Foo')],
  ['<Foo>\n</Foo>', 1, UNKNOWN('<Foo')],
  ['AuthzDBMAuthoritative off', 1, UNKNOWN('AuthzDBMAuthoritative')],
  ['\xef\xbb\xbfListen 80', 1, UNKNOWN('\xef\xbb\xbfListen')],
  ['Foo\\\nBar x', 2, UNKNOWN('FooBar')],
  ['Quux \\\nx\\\ny', 3, UNKNOWN('Quux')],
  ['<ifmodule core.c>\nQuux\n</IFMODULE>', 2, UNKNOWN('Quux')],
  ['"Quux" x', 1, UNKNOWN('Quux')],
  ['AllowOverride None', 1, 'AllowOverride not allowed here'],
  ['<VirtualHost *>\nAllowOverride None\n</VirtualHost>', 2, 'AllowOverride not allowed in <VirtualHost> context'],
  [inside('Directory', 'Listen 80'), 2, 'Listen not allowed in <Directory> context'],
  [inside('Directory', 'KeepAlive On'), 2, 'KeepAlive not allowed in <Directory> context'],
  [inside('Location', 'DocumentRoot /'), 2, 'DocumentRoot not allowed in <Location> context'],
  [inside('Files', 'Timeout 3'), 2, 'Timeout not allowed in <Files> context'],
  ['<If true>\nTimeout 3\n</If>', 2, 'Timeout not allowed in <If> context'],
  [inside('Directory', '<Limit GET>\nTimeout 3\n</Limit>'), 3, 'Timeout not allowed in <Limit> context'],
  ...['Listen 80', 'PidFile p', 'ServerTokens Prod', 'Mutex default', 'ThreadsPerChild 2', 'RegexDefaultOptions none'].map(
    (line): [string, number, string] => [
      `<VirtualHost *>\n${line}\n</VirtualHost>`,
      2,
      `${line.split(' ')[0]} cannot occur within <VirtualHost> section`,
    ],
  ),
  ['<Directory>\n</Directory>', 1, '<Directory> directive requires additional arguments'],
  ['<Directory / \n</Directory>', 1, "<Directory> directive missing closing '>'"],
  ['<Directory / /x>\n</Directory>', 1, 'Multiple <Directory> arguments not (yet) supported.'],
  ['<LocationMatch a b>\n</LocationMatch>', 1, 'Multiple <LocationMatch> arguments not (yet) supported.'],
  ['<If "true" "x">\n</If>', 1, 'Multiple <If> arguments not supported.'],
  ["<If %{REQUEST_URI} == 'x'>\n</If>", 1, 'Cannot parse condition clause: syntax error, unexpected $end'],
  ['<If>\n</If>', 1, '<If> directive requires additional arguments'],
  ['<VirtualHost>\n</VirtualHost>', 1, '<VirtualHost> directive requires additional arguments'],
  ...['Directory ~', 'DirectoryMatch', 'Location ~', 'LocationMatch', 'Files ~', 'FilesMatch'].map(
    (opening): [string, number, string] => [`<${opening} "(">\n</${opening.split(' ')[0]}>`, 1, 'Regex could not be compiled'],
  ),
  ['<Else>\n</Else>', 1, ELSE],
  ['<ElseIf true>\n</ElseIf>', 1, ELSE],
  ['<If true>\n</If>\n<Else>\n</Else>\n<Else>\n</Else>', 5, ELSE],
  ['<If true>\n</If>\n<Else>\n</Else>\n<ElseIf true>\n</ElseIf>', 5, ELSE],
  ['<If true>\n</If>\n<Directory />\n<Else>\n</Else>\n</Directory>', 4, ELSE],
  ['<If true>\n</If>\n<Else foo>\n</Else>', 3, '<Else> does not take an argument'],
  [inside('Directory', '<Limit TRACE>\n</Limit>'), 2, 'TRACE cannot be controlled by <Limit>, see TraceEnable'],
  [inside('Directory', '<Limit GET>\n<Limit POST>\n</Limit>\n</Limit>'), 3, '<Limit> directive excludes all methods'],
  [
    inside('Directory', '<Limit GET>\n<Limit GET>\n</Limit>\n</Limit>'),
    3,
    '<Limit> directive specifies methods already excluded',
  ],
  [inside('Directory', 'AllowOverride Foo'), 2, 'Illegal override option Foo'],
  [inside('Directory', 'AllowOverride Nonfatal'), 2, '=Override, =Unknown or =All expected after Nonfatal'],
  [inside('Directory', 'AllowOverride Options=Foo'), 2, 'Illegal option Foo'],
  [inside('Directory', 'AllowOverrideList None Options'), 2, "'None' not allowed with other directives in AllowOverrideList"],
  ['Options Foo', 1, 'Illegal option Foo'],
  ['Options Indexes +ExecCGI', 1, 'Either all Options must start with + or -, or no Option may.'],
  ['Options +Indexes ExecCGI', 1, 'Either all Options must start with + or -, or no Option may.'],
  ['Options +None', 1, "You may not use 'Options +None' or 'Options -None'."],
  ['Options -All', 1, "You may not use 'Options +All' or 'Options -All'."],
  ['Options Indexes None', 1, "'Options None' must be the first Option given."],
  ['Options Indexes All', 1, "'Options All' must be the first option given."],
  ['KeepAlive', 1, 'KeepAlive must be On or Off'],
  ['KeepAlive maybe', 1, 'KeepAlive must be On or Off'],
  ['KeepAliveTimeout foo', 1, 'KeepAliveTimeout has wrong format'],
  ['LimitRequestLine -1', 1, 'LimitRequestLine "-1" must be a non-negative integer'],
  ['LimitRequestFields -1', 1, 'LimitRequestFields "-1" must be a non-negative integer (0 = no limit)'],
  ['LimitRequestFieldSize -1', 1, 'LimitRequestFieldsize "-1" must be a non-negative integer'],
  ['LimitRequestFieldSize', 1, 'LimitRequestFieldsize takes one argument, '],
  ['LimitRequestBody foo', 1, 'LimitRequestBody requires a non-negative integer.'],
  ['LimitRequestBody -1', 1, 'LimitRequestBody requires a non-negative integer.'],
  ['LimitInternalRecursion 0', 1, 'The recursion limit must be greater than zero.'],
  ['LimitInternalRecursion a', 1, 'The recursion limit must be greater than zero.'],
  ['LimitInternalRecursion 5 0', 1, 'The recursion limit must be greater than zero.'],
  ['ServerTokens foo', 1, "ServerTokens takes 1 argument: 'Prod(uctOnly)', 'Major', 'Minor', 'Min(imal)', 'OS', or 'Full'"],
  ['ServerSignature foo', 1, 'ServerSignature: use one of: off | on | email'],
  ['UseCanonicalName foo', 1, "parameter must be 'on', 'off', or 'dns'"],
  ['HostnameLookups foo', 1, "parameter must be 'on', 'off', or 'double'"],
  ['EnableSendfile foo', 1, "parameter must be 'on' or 'off'"],
  ['TraceEnable foo', 1, "TraceEnable must be one of 'on', 'off', or 'extended'"],
  ['AllowEncodedSlashes foo', 1, 'AllowEncodedSlashes must be On, Off, or NoDecode'],
  ['AcceptPathInfo foo', 1, 'AcceptPathInfo must be set to on, off or default'],
  ['MaxRanges foo', 1, "MaxRanges requires 'none', 'default', 'unlimited' or a positive integer"],
  ['MaxRanges -1', 1, "MaxRanges requires 'none', 'default', 'unlimited' or a positive integer"],
  ['FileETag Foo', 1, "Unknown keyword 'Foo' for FileETag directive"],
  [
    'HttpProtocolOptions foo',
    1,
    "HttpProtocolOptions accepts 'Unsafe' or 'Strict' (default), 'RegisteredMethods' or 'LenientMethods' (default), and 'Require1.0' or 'Allow0.9' (default)",
  ],
  ['RegexDefaultOptions foo', 1, "RegexDefaultOptions: option 'foo' unknown"],
  ['LogLevel foo', 1, LEVELS],
  ['LogLevel core:foo', 1, `core:foo: ${LEVELS}`],
  ['LogLevel foo:debug', 1, 'Cannot find module foo'],
  ...['', ' 404', ' 404 plain two', ' 404 "text" more', ' 404 ""'].map((words): [string, number, string] => [
    `ErrorDocument${words}`,
    1,
    'ErrorDocument takes two arguments, ',
  ]),
  ['ErrorDocument 999 x', 1, 'Unsupported HTTP response code 999'],
  ['ErrorDocument abc x', 1, 'Unsupported HTTP response code abc'],
  ['ErrorDocument 418 x', 1, 'Unsupported HTTP response code 418'],
  ['ErrorLogFormat "%Z"', 1, 'Unrecognized error log format directive %Z'],
  ['ErrorLogFormat foo "%t"', 1, 'ErrorLogFormat type must be one of request, connection'],
  ['Listen foo', 1, 'Port must be specified'],
  ['Listen 127.0.0.1', 1, 'Port must be specified'],
  ['Listen 0', 1, 'Invalid address or port'],
  ['Listen 99999', 1, 'Invalid address or port'],
  ['Listen', 1, 'Listen requires 1 or 2 arguments.'],
  ['Listen 80 http x', 1, 'Listen requires 1 or 2 arguments.'],
  ['Listen 8200\nListen 8200', 2, 'Cannot define multiple Listeners on the same IP:port'],
  ['<VirtualHost *:0>\n</VirtualHost>', 1, 'The address or port is invalid'],
  ['<VirtualHost *:99999>\n</VirtualHost>', 1, 'The address or port is invalid'],
  ['ServerName foo:bar', 1, 'The port number "foo:bar" is outside the appropriate range (i.e., 1..65535).'],
  ['ServerName https://foo:99999', 1, 'The port number "https://foo:99999" is outside the appropriate range (i.e., 1..65535).'],
  ['ServerAlias x', 1, 'ServerAlias only used in <VirtualHost>'],
  ['DocumentRoot /nonexist', 1, "DocumentRoot '/nonexist' is not a directory, or is not readable"],
  ['DocumentRoot @ROOT@/docs/f', 1, "DocumentRoot 'ROOT/docs/f' is not a directory, or is not readable"],
  ['DocumentRoot /x # note', 1, 'DocumentRoot takes one argument, '],
  ['DocumentRoot ""', 1, 'DocumentRoot takes one argument, '],
  ['DocumentRoot "/x"y', 1, 'DocumentRoot takes one argument, '],
  ['Mutex file:/nonexist default', 1, 'Invalid Mutex directory in argument file:/nonexist'],
  ['Mutex default DEFAULT', 1, 'Mutex type DEFAULT is not valid'],
  ['Mutex sysvsem foo', 1, 'Mutex type foo is not valid'],
  ['Protocols', 1, 'Protocols requires at least one argument, '],
  ['Port 80', 1, 'Port was replaced with Listen in Apache 2.0'],
]

for (const [config, line, message] of REFUSED) {
  t.test(`${JSON.stringify(config)} is refused when it is applied`, async (t) => {
    const refused = await refusal(config, { files: { 'docs/f': '' } })
    t.match(refused, { phase: 'walk', file: 'ROOT/conf/httpd.conf', line })
    t.equal(message.endsWith(', ') ? refused.message.slice(0, message.length) : refused.message, message)
    t.equal(refused.console[0], `AH00526: Syntax error on line ${line} of ROOT/conf/httpd.conf:`)
    t.not(refused.console[1], undefined)
  })
}

t.test('other errors are identified by the beginning of their message', async (t) => {
  t.match((await refusal('<If "foo ==">\n</If>')).message, /^Cannot parse condition clause: \S/)
  t.match((await refusal('SetHandler "%{"')).message, /^Can't parse expression : \S/)
  t.match((await refusal('Mutex')).message, /^Mutex requires at least a mechanism argument \(Mutex mechanisms are: /)
  t.match((await refusal('Mutex foo:bar')).message, /^Invalid Mutex argument foo:bar \(Mutex mechanisms are: /)
})

t.test('the Error directive ends the start with its text', async (t) => {
  for (const [config, message] of [
    ['Error "out of order"', 'out of order'],
    ['Error', 'The Error directive was used with no message.'],
  ]) {
    t.match(await refusal(config), { line: 1, message })
  }
  t.strictSame(await complaints('<IfModule none.c>\nError "not reached"\n</IfModule>'), [])
})

const USELESS = (name: string, line: number): string =>
  name === 'AllowOverride'
    ? `[core:warn] AH00114: Useless use of ${name} in line ${line} of ROOT/conf/httpd.conf.`
    : `[core:warn] AH00115: Useless use of ${name} at ROOT/conf/httpd.conf:${line}`

/** Accepted lines (the first is line 3 of its file) and their warnings. */
const WARNED: readonly (readonly [string, readonly string[]])[] = [
  [inside('Location', 'AllowOverride None'), [USELESS('AllowOverride', 4)]],
  [inside('Files', 'AllowOverrideList Options'), [USELESS('AllowOverrideList', 4)]],
  ['<If true>\nAllowOverride All\n</If>', [USELESS('AllowOverride', 4)]],
  [inside('Directory', '<Limit GET>\nAllowOverride All\n</Limit>'), [USELESS('AllowOverride', 5)]],
  [
    inside('Directory', 'AllowOverrideList FooBar Options'),
    ["[core:warn] AH00116: Discarding unrecognized directive `FooBar' in AllowOverrideList at ROOT/conf/httpd.conf:4"],
  ],
  [
    inside('Directory', 'AllowOverrideList Listen'),
    ["[core:warn] AH02304: Discarding directive `Listen' not allowed in AllowOverrideList at ROOT/conf/httpd.conf:4"],
  ],
  ['DefaultType text/plain', ['[core:warn] AH00117: Ignoring deprecated use of DefaultType in line 3 of ROOT/conf/httpd.conf.']],
  ['DefaultType None', []],
  [
    'ErrorDocument 401 http://x.example/',
    ['[core:notice] AH00113: ROOT/conf/httpd.conf:3 cannot use a full URL in a 401 ErrorDocument directive --- ignoring!'],
  ],
  [
    'LimitInternalRecursion 3',
    ['[core:warn] AH00119: Limiting internal redirects to very low numbers may cause normal requests to fail.'],
  ],
  [
    'NameVirtualHost *',
    ['[core:notice] AH00548: NameVirtualHost has no effect and will be removed in the next release ROOT/conf/httpd.conf:3'],
  ],
  [
    '<VirtualHost no.such.example>\nServerName x\n</VirtualHost>',
    ['[core:error] AH00547: Could not resolve host name no.such.example -- ignoring!'],
  ],
  [
    '<VirtualHost 192.0.2.1>\n</VirtualHost>',
    ['[core:error] AH00549: Failed to resolve server name for 192.0.2.1 (check DNS) -- or specify an explicit ServerName'],
  ],
  [
    'LoadModule mpm_event_module modules/mod_mpm_event.so',
    ['[so:info] mpm_event_module is not loaded: this server uses its built-in process model'],
  ],
  [
    '<VirtualHost *>\nDocumentRoot @ROOT@/none\n</VirtualHost>',
    ['[core:warn] AH00112: Warning: DocumentRoot [ROOT/none] does not exist'],
  ],
]

for (const [config, lines] of WARNED) {
  t.test(`${JSON.stringify(config)} is accepted with ${lines.length === 0 ? 'no word' : 'a warning'}`, async (t) => {
    t.strictSame(await complaints(config), lines)
  })
}

/** Unusual lines that are accepted silently, as in httpd. */
const SILENT: readonly string[] = [
  'Options',
  inside('Directory', 'AllowOverride'),
  inside('Directory', 'AllowOverride Nonfatal=Foo'),
  'Timeout foo',
  'Timeout -5',
  'MaxKeepAliveRequests foo',
  'LimitRequestLine foo',
  'GracefulShutdownTimeout foo',
  'FileETag +INode MTime',
  'Protocols foo',
  'AcceptFilter http foo',
  '<Directory foo>\n</Directory>',
  inside('Directory', '<Limit foo>\n</Limit>'),
  '<VirtualHost *>\nServerName x\n</VirtualHost>\n<VirtualHost *>\nServerName x\n</VirtualHost>',
  '<VirtualHost *:81>\nServerName x\n</VirtualHost>',
  'Mutex file:logs default\nMutex sysvsem default OmitPID\nMutex fcntl:',
  'Listen 8200\nListen 127.0.0.1:8200',
  '<Directory /> foo\n</Directory> foo',
  '<Directory / >\n</DIRECTORY>',
  'KeepAlive On Off',
  'Options All -Indexes',
  'Options None +Indexes',
  '"Timeout" 3',
  'TIMEOUT 3',
  'keepalive oN',
]

for (const config of SILENT) {
  t.test(`${JSON.stringify(config)} is accepted without a word`, async (t) => {
    t.strictSame(await complaints(config), [])
  })
}

t.test('without a ServerName a server reports once which name it uses', async (t) => {
  const { createServer, serverRoot } = await import('@gatewright/testing')
  const { root, remove } = serverRoot()
  t.teardown(remove)
  const server = await createServer({ config: 'DocumentRoot docs', serverRoot: root })
  t.teardown(() => server.close())
  const lines = server.errors().filter((line) => line.includes('AH00558'))
  if (server.configuration.main.serverName.includes('.') && server.configuration.main.serverName !== '127.0.0.1') {
    t.strictSame(lines, [])
    return
  }
  t.strictSame(lines, [
    "AH00558: httpd: Could not reliably determine the server's fully qualified domain name, using 127.0.0.1. Set the 'ServerName' directive globally to suppress this message",
  ])
})
