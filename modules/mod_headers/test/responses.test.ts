import { rawExchange } from '@gatewright/testing'
import t from 'tap'
import alias from '../../mod_alias/src/index.ts'
import env from '../../mod_env/src/index.ts'
import mime from '../../mod_mime/src/index.ts'
import { fieldsOf, headersSite } from './support/answers.ts'

const IN_ORDER: readonly (readonly [what: string, lines: readonly string[], fields: readonly string[]])[] = [
  ['set replaces all fields of the name', ['add X-A a', 'add x-a b', 'set X-A c'], ['X-A: c']],
  ['setifempty sets an absent field', ['setifempty X-A a', 'setifempty X-A b'], ['X-A: a']],
  ['add adds a field', ['add X-A a', 'add X-A b'], ['X-A: a', 'X-A: b']],
  ['append extends the first field', ['add X-A a', 'add X-A b', 'append X-A c'], ['X-A: a, c', 'X-A: b']],
  ['append sets an absent field', ['append X-A a'], ['X-A: a']],
  ['merge omits a listed item', ['merge X-A a', 'merge X-A b', 'merge X-A a', 'merge X-A A'], ['X-A: a, b, A']],
  ['unset removes all', ['set X-A a', 'add X-A b', 'set X-B b', 'unset x-a'], ['X-B: b']],
  ['edit replaces the first match', ['set X-A "hello world"', 'edit X-A o 0'], ['X-A: hell0 world']],
  ['edit* replaces all', ['set X-A "hello world"', 'edit* X-A o 0'], ['X-A: hell0 w0rld']],
  [
    'edit moves the fields of the name to the end',
    ['add X-A hello', 'add X-B b', 'add X-A world', 'edit X-A l L'],
    ['X-B: b', 'X-A: heLlo', 'X-A: worLd'],
  ],
  ['edit ignores an absent field', ['edit X-A ^ a'], []],
  ['edit inserts groups into a computed value', ['set X-A abc', 'edit X-A (b) "[%{V}e$1]"'], ['X-A: a[vb]c']],
  [
    'note keeps the first value',
    ['add X-A 1', 'add X-A 2', 'note X-A N', 'set X-B "expr=%{note:N}"'],
    ['X-A: 1', 'X-A: 2', 'X-B: 1'],
  ],
  [
    'note of an absent field removes the note',
    ['set X-A 1', 'note X-A N', 'note X-C N', 'set X-B "expr=[%{note:N}]"'],
    ['X-A: 1', 'X-B: []'],
  ],
  ['the name of a note is a format', ['set X-A 1', 'note X-A "n%{V}e"', 'set X-B "expr=%{note:nv}"'], ['X-A: 1', 'X-B: 1']],
  ['echo copies fields of the request', ['echo ^X-E', 'echo "(?i)^x-f"'], ['X-E: e', 'X-F: f']],
  ['echo adds to existing fields', ['set X-E z', 'echo ^X-E'], ['X-E: z', 'X-E: e']],
  [
    'env= requires a variable',
    ['set X-A a env=V', 'set X-B b env=W', 'set X-C c env=!V', 'set X-D d env=!W'],
    ['X-A: a', 'X-D: d'],
  ],
  ['expr= requires an expression to hold', ['set X-A a expr=true', 'set X-B b expr=false'], ['X-A: a']],
  [
    'conditions see fields that earlier rules set',
    ['set X-A a', 'set X-B b "expr=%{resp:X-A} == \'a\'"', 'set X-C c "expr=%{resp:X-A} == \'b\'"'],
    ['X-A: a', 'X-B: b'],
  ],
  ['a value may be an expression', ['set X-A "expr=%{REQUEST_URI}?"'], ['X-A: /f.txt?']],
  ['formats are filled in', ['set X-A "%% %{V}e %{W}e %{V}s"'], ['X-A: % v (null) (null)']],
]

for (const [what, lines, fields] of IN_ORDER) {
  t.test(what, async (t) => {
    const config = ['SetEnv V v', ...lines.map((line) => `Header ${line}`)].join('\n')
    const server = await headersSite(t, config, { modules: [env] })
    const answer = await server.inject({ target: '/f.txt', headers: { 'X-E': 'e', 'X-F': 'f' } })
    t.equal(answer.status, 200)
    t.same(fieldsOf(answer), fields)
  })
}

const TYPES: readonly (readonly [lines: readonly string[], type: string | undefined])[] = [
  [['edit Content-Type plain html'], 'text/html'],
  [['always edit Content-Type plain html'], 'text/html'],
  [['set Content-Type a/b'], 'a/b'],
  [['always set Content-Type a/b', 'set content-type c/d'], 'c/d'],
  [['setifempty Content-Type a/b'], 'a/b'],
  [['set Content-Type a/b', 'setifempty Content-Type c/d'], 'a/b'],
  [['append Content-Type a/b'], 'text/plain'],
  [['add Content-Type a/b'], 'text/plain'],
  [['unset Content-Type'], undefined],
  [['always unset Content-Type'], undefined],
]

for (const [lines, type] of TYPES) {
  t.test(`${lines.join(', ')} of text/plain: the type sent is ${type ?? 'none'}`, async (t) => {
    const server = await headersSite(t, `${lines.map((line) => `Header ${line}`).join('\n')}\nAddType text/plain .txt`, {
      modules: [mime],
      files: { 'conf/mime.types': '' },
    })
    const answer = await server.inject('/f.txt')
    t.same(
      answer.headers.filter(([name]) => name === 'Content-Type').map(([, value]) => value),
      type === undefined ? [] : [type],
    )
  })
}

t.test('if the response has no type, an added one is sent', async (t) => {
  const server = await headersSite(t, 'Header add Content-Type a/b')
  t.equal((await server.inject('/f.txt')).header('Content-Type'), 'a/b')
})

t.test('rules do not affect fields that the server writes itself', async (t) => {
  const names = ['Date', 'Server', 'Content-Length', 'Transfer-Encoding']
  const config = names.map((name) => `Header set ${name} 99\nHeader always add ${name} 98`).join('\n')
  const server = await headersSite(t, `${config}\nHeader echo ^Content-Length$`)
  const answer = await server.inject({ target: '/f.txt', method: 'POST', body: 'abc' })
  t.equal(answer.body, 'hello\n')
  for (const name of names) {
    const values = answer.headers.filter(([one]) => one.toLowerCase() === name.toLowerCase()).map(([, value]) => value)
    t.ok(values.length <= 1 && !/^9[89]$/.test(values[0] ?? ''), `${name}: ${values}`)
  }
  t.equal(answer.header('Content-Length'), '6')
})

const STATUSES: readonly (readonly [
  what: string,
  request: Parameters<typeof ask>[0],
  status: number,
  fields: readonly string[],
])[] = [
  ['a response gets both, always first', { target: '/f.txt' }, 200, ['X-A: always', 'X-A: success']],
  ['HEAD gets the same as GET', { target: '/f.txt', method: 'HEAD' }, 200, ['X-A: always', 'X-A: success']],
  ['a range gets both', { target: '/f.txt', headers: { Range: 'bytes=0-1' } }, 206, ['X-A: always', 'X-A: success']],
  ['304 gets both', { target: '/f.txt', headers: { 'If-None-Match': '*' } }, 304, ['X-A: always', 'X-A: success']],
  ['412 gets both', { target: '/f.txt', headers: { 'If-Match': '"x"' } }, 412, ['X-A: always', 'X-A: success']],
  ['OPTIONS gets both', { target: '/f.txt', method: 'OPTIONS' }, 200, ['X-A: always', 'X-A: success']],
  ['a built-in page gets only the always rules', { target: '/none' }, 404, ['X-A: always']],
  ['and so does a text of ErrorDocument', { target: '/text/none' }, 404, ['X-A: always']],
  ['and so does a redirect', { target: '/old' }, 302, ['X-A: always']],
  ['and so does a redirect to an error document', { target: '/away/none' }, 302, ['X-A: always']],
  ['and so does 405', { target: '/f.txt', method: 'PUT' }, 405, ['X-A: always']],
  ['and so does an invalid request', { target: '/f.txt', headers: { Expect: 'odd' } }, 417, ['X-A: always']],
  ['an error document of this server gets both', { target: '/page/none' }, 404, ['X-A: always', 'X-A: success', 'X-Page: yes']],
  ['a missing error document gets only the always rules', { target: '/lost/none' }, 404, ['X-A: always']],
  ['TRACE gets neither', { target: '/f.txt', method: 'TRACE' }, 200, []],
  ['OPTIONS * gets neither', { target: '*', method: 'OPTIONS' }, 200, []],
]

const STATUS_SITE = `
Header set X-A success
Header always set X-A always
Redirect /old http://example.com/
<Location "/text">
ErrorDocument 404 "not here"
</Location>
<Location "/away">
ErrorDocument 404 http://example.com/
</Location>
<Location "/page">
ErrorDocument 404 /err.html
Header set X-Folder lost
</Location>
<Location "/lost">
ErrorDocument 404 /nowhere
</Location>
<Location "/err.html">
Header set X-Page yes
</Location>`

for (const [what, request, status, fields] of STATUSES) {
  t.test(what, async (t) => {
    const answer = await ask(request, t)
    t.equal(answer.status, status)
    t.same(fieldsOf(answer), fields)
  })
}

async function ask(
  request: { target: string; method?: string; headers?: Record<string, string> },
  test: Parameters<typeof headersSite>[0],
): ReturnType<Awaited<ReturnType<typeof headersSite>>['inject']> {
  const server = await headersSite(test, STATUS_SITE, { modules: [alias] })
  return server.inject(request)
}

t.test('for an error page, rules neither see nor change its existing fields', async (t) => {
  const server = await headersSite(
    t,
    `Redirect /old http://example.com/
    Header always edit Location ^ E
    Header always unset Location
    Header always set X-Early late
    Header always set X-Early early early
    Header always set X-Seen "expr=%{resp:Location}"`,
    { modules: [alias] },
  )
  const answer = await server.inject('/old')
  t.same(fieldsOf(answer, 'Location'), [
    'X-Early: late',
    'X-Seen: http://example.com/',
    'X-Early: early',
    'Location: http://example.com/',
  ])
})

t.test('the type of an error page can be edited', async (t) => {
  const server = await headersSite(t, 'Header always edit Content-Type ; ";x=1;"\nHeader edit Content-Type html other')
  t.equal((await server.inject('/none')).header('Content-Type'), 'text/html;x=1; charset=iso-8859-1')
})

t.test('rules of outer sections are applied first, and those of .htaccess last among folders', async (t) => {
  const server = await headersSite(
    t,
    `Header append X-M main
    <Directory "@ROOT@/docs">
    AllowOverride FileInfo
    Header append X-M docs
    </Directory>
    <Files "f.txt">
    Header append X-M files
    </Files>
    <Location "/sub">
    Header append X-M location
    </Location>
    <If "true">
    Header append X-M if
    </If>`,
    { files: { 'docs/sub/f.txt': '', 'docs/sub/.htaccess': 'Header append X-M htaccess\nHeader set X-Early 1 early' } },
  )
  t.same(fieldsOf(await server.inject('/sub/f.txt')), ['X-M: main, docs, htaccess, files, location, if'])
})

t.test('.htaccess requires AllowOverride FileInfo', async (t) => {
  const server = await headersSite(t, '<Directory "@ROOT@/docs">\nAllowOverride Limit\n</Directory>', {
    files: { 'docs/sub/f.txt': '', 'docs/sub/.htaccess': 'Header set X-A a' },
  })
  t.equal((await server.inject('/sub/f.txt')).status, 500)
  t.match(server.errors().join('\n'), 'Header not allowed here')
})

t.test('a failed expression is logged: a condition is ignored, a value is empty', async (t) => {
  const server = await headersSite(
    t,
    `Header set X-A a "expr=file('/nonexistent/x') == ''"\nHeader set X-B "expr=%{file:/nonexistent/x}"`,
  )
  t.same(fieldsOf(await server.inject('/f.txt')), ['X-A: a', 'X-B: '])
  const log = server.errors().join('\n')
  t.match(log, /\[headers:error\].*AH01501: Failed to evaluate expression \(.*\) - ignoring/)
  t.match(log, /\[headers:error\].*AH02557: Can't evaluate value expression: /)
})

t.test('the log shows which rules are applied', async (t) => {
  const server = await headersSite(t, 'LogLevel headers:trace2\nHeader always set X-A a')
  await server.inject('/f.txt')
  await server.inject('/none')
  const log = server.errors().join('\n')
  t.match(log, /\[headers:trace2\].*AH01502: headers: ap_headers_output_filter\(\)/)
  t.match(log, /\[headers:debug\].*AH01503: headers: ap_headers_error_filter\(\)/)
})

t.test('with Transfer-Encoding: chunked, a body leaves as it is, without a length, and the connection closes', async (t) => {
  const body = '5\r\nhello\r\n0\r\n\r\n'
  const lines =
    'Header set Transfer-Encoding "gzip, Chunked"\n<Location "/other.txt">\nHeader set Transfer-Encoding gzip\n</Location>'
  const server = await headersSite(t, lines, { files: { 'docs/chunks.txt': body, 'docs/other.txt': body } })
  const port = await server.listen()
  const ask = (path: string): Promise<string> => rawExchange(port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  const text = await ask('/chunks.txt')
  t.match(text, /\r\nTransfer-Encoding: gzip, Chunked\r\n/)
  t.match(text, /\r\nConnection: close\r\n/)
  t.notMatch(text, /\r\nContent-Length:/)
  t.ok(text.endsWith(`\r\n\r\n${body}`), text)
  const other = await rawExchange(port, 'GET /other.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  t.match(other, new RegExp(`\\r\\nContent-Length: ${body.length}\\r\\n`), 'another coding is ignored')
})
