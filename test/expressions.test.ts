import { chmodSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { AnyModule } from '@gatewright/api'
import { type FileTree, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import alias from '../modules/mod_alias/src/index.ts'
import authBasic from '../modules/mod_auth_basic/src/index.ts'
import authnCore from '../modules/mod_authn_core/src/index.ts'
import authnFile from '../modules/mod_authn_file/src/index.ts'
import authzCore from '../modules/mod_authz_core/src/index.ts'
import authzUser from '../modules/mod_authz_user/src/index.ts'
import dir from '../modules/mod_dir/src/index.ts'
import headers from '../modules/mod_headers/src/index.ts'
import mime from '../modules/mod_mime/src/index.ts'
import setenvif from '../modules/mod_setenvif/src/index.ts'

const MODULES: readonly AnyModule[] = [alias, authBasic, authnCore, authnFile, authzCore, authzUser, dir, headers, mime, setenvif]

async function serve(t: Test, config: string, files: FileTree = {}): Promise<TestServer> {
  const server = await site({
    modules: MODULES,
    config: `TypesConfig /dev/null\nAddType text/html .html\n<Directory @ROOT@>\nRequire all granted\n</Directory>\n${config}`,
    files: { 'docs/page.html': 'page', 'docs/dir/inner.html': 'inner', ...files },
  })
  t.teardown(() => server.close())
  return server
}

/** The value of a string when the response is sent. */
async function textOf(t: Test, text: string, target = '/page.html'): Promise<string | undefined> {
  const server = await serve(t, `Header always set X-Value "expr=<${text}>"`)
  return (await server.inject(target)).header('X-Value')
}

/** Whether a condition grants access for requests of a page. */
async function holds(t: Test, condition: string, target = '/dir/inner.html'): Promise<boolean> {
  const server = await serve(t, `<Location /dir>\nRequire expr ${condition}\n</Location>`)
  const { status } = await server.inject(target)
  if (status !== 200 && status !== 403) throw new Error(`${condition}: ${status}`)
  return status === 200
}

t.test('LAST_MODIFIED is the epoch until a handler has set it', async (t) => {
  const server = await serve(
    t,
    '<Location /dir>\nAuthName "%{LAST_MODIFIED}"\nAuthType Basic\nRequire valid-user\n</Location>\nHeader set X-Value "expr=%{LAST_MODIFIED}"',
  )
  const stamp = (date: Date): string => {
    const parts = [date.getMonth() + 1, date.getDate(), date.getHours(), date.getMinutes(), date.getSeconds()]
    return date.getFullYear() + parts.map((part) => String(part).padStart(2, '0')).join('')
  }
  t.equal((await server.inject('/page.html')).header('X-Value'), stamp(new Date(Date.UTC(2020, 0, 2, 3, 4, 5))))
  t.equal((await server.inject('/dir/inner.html')).header('WWW-Authenticate'), `Basic realm="${stamp(new Date(0))}"`)
})

t.test('SCRIPT_USER is the owner of the file, or of the folder if the file is missing', async (t) => {
  const { username } = userInfo()
  t.equal(await textOf(t, '%{SCRIPT_USER}'), `<${username}>`)
  t.equal(await textOf(t, '%{SCRIPT_USER}', '/dir/missing'), `<${username}>`)
})

t.test('HANDLER is the answering handler, or the content type without one', async (t) => {
  t.equal(await textOf(t, '%{HANDLER}'), '<text/html>')
  t.equal(await textOf(t, '%{HANDLER}', '/missing'), '<>')
})

t.test('CONN_LOG_ID and REQUEST_LOG_ID are those of the error log, once something was logged', async (t) => {
  const server = await serve(
    t,
    'ErrorLogFormat "%{c}L|%L|%M"\nHeader always set X-Value "expr=%{CONN_LOG_ID}|%{REQUEST_LOG_ID}"\n<Location /dir>\nRequire all denied\n</Location>',
  )
  t.equal((await server.inject('/page.html')).header('X-Value'), '|')
  const value = (await server.inject('/dir/inner.html')).header('X-Value') ?? ''
  t.match(value, /^[\w+/]{11}\|[\w+/]{11}$/)
  t.ok(
    server.errors().some((line) => line.startsWith(`${value}|AH01630`)),
    value,
  )
})

t.test('AUTH_TYPE and REMOTE_USER are available in AuthName when it is sent to the client', async (t) => {
  const server = await serve(
    t,
    '<Location />\nAuthType Basic\nAuthName "%{AUTH_TYPE}:%{REMOTE_USER}"\nAuthUserFile @ROOT@/users\nRequire valid-user\n</Location>',
    { users: 'alice:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=\n' },
  )
  t.equal((await server.inject('/page.html')).header('WWW-Authenticate'), 'Basic realm="Basic:"')
  const answer = await server.inject({ target: '/page.html', headers: { Authorization: `Basic ${btoa('alice:wrong')}` } })
  t.equal(answer.header('WWW-Authenticate'), 'Basic realm="Basic:alice"')
})

t.test('names in Vary are in the order in which httpd evaluates', async (t) => {
  for (const [condition, vary] of [
    ['%{HTTP:A} == %{HTTP:B}', 'B,A'],
    ['%{HTTP:A} -eq %{HTTP:B}', 'B,A'],
    ['%{HTTP:A} -strmatch %{HTTP:B}', 'B,A'],
    ["'%{HTTP:A}%{HTTP:B}' == ''", 'A,B'],
    ["'%{HTTP:A}%{HTTP:B}x' == 'x'", 'B,A'],
    ["'x' in {%{HTTP:A}, %{HTTP:B}}", 'B,A'],
    ["%{HTTP:A} . %{HTTP:B} . %{HTTP:C} == ''", 'A,B,C'],
    ["'%{HTTP:A}%{HTTP:B}' . %{HTTP:C} . %{HTTP:D} == ''", 'C,D,B,A'],
    ["%{HTTP:A} . '%{HTTP:B}%{HTTP:C}' . %{HTTP:D} == ''", 'A,B,C,D'],
    ['%{HTTP:A} == %{HTTP:A}', 'A'],
    ["req('A B') == ''", 'A,B'],
  ] as const) {
    const server = await serve(t, `Header set X-Value 1 "expr=${condition}"`)
    t.equal((await server.inject('/page.html')).header('Vary'), vary, condition)
  }
})

t.test('-F finds files from the folder of the request, and what climbs out of it is refused', async (t) => {
  for (const [path, expected] of [
    ['inner.html', true],
    ['./inner.html', true],
    ['missing', false],
    ['../page.html', false],
    ['', false],
    ['.', false],
  ] as const) {
    t.equal(await holds(t, `-F '${path}'`), expected, path)
  }
})

t.test('-U within a sub-request for itself is false', async (t) => {
  t.equal(await holds(t, "-U 'inner.html' || %{IS_SUBREQ} == 'true'"), true)
  t.equal(await holds(t, "-U '/dir/inner.html' || -U '/page.html'"), true)
  t.equal(await holds(t, "-U '/missing/none' && -U '/page.html'"), true, 'a file that is missing shows in the handler only')
  t.equal(await holds(t, "-U '/a%2fb'"), false)
})

t.test('-x tests a symbolic link itself, which is executable by every user', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatewright-x-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'plain'), '')
  writeFileSync(join(folder, 'program'), '')
  chmodSync(join(folder, 'program'), 0o755)
  symlinkSync('plain', join(folder, 'link'))
  t.equal(await holds(t, `-x '${folder}/plain'`), false)
  t.equal(await holds(t, `-x '${folder}/program'`), true)
  t.equal(await holds(t, `-x '${folder}/link'`), true)
})

t.test('file and filesize take regular files only', async (t) => {
  t.equal(await textOf(t, `%{filesize:${import.meta.dirname}}`), '<0>')
  t.equal(await textOf(t, '%{filesize:/missing}'), '<0>')
  for (const [path, reason] of [
    [import.meta.dirname, 'Cannot read from file'],
    ['/missing', 'Cannot open file'],
  ]) {
    const server = await serve(t, `<Location />\nRequire expr file('${path}') == ''\n</Location>`)
    t.equal((await server.inject('/page.html')).status, 500)
    t.match(server.errors().join('\n'), `AH02320: Error evaluating expression in 'Require expr': ${reason} ${path}`)
  }
})

t.test('an address on the left of -ipmatch may be written in every way that C reads', async (t) => {
  for (const address of ['127.0.0.1', '127.1', '0x7f000001', '2130706433', '0177.0.0.1', '127.0.1'])
    t.equal(await holds(t, `'${address}' -ipmatch '127.0.0.1'`), true, address)
  for (const address of ['', '127.0.0.256', '127.0.0.1:80', '1.2.3.4.5', '4294967296', '08', 'name'])
    t.equal(await holds(t, `'${address}' -ipmatch '127.0.0.0/8' || '${address}' -ipmatch '0.0.0.0/1'`), false, address)
})

t.test('SetEnvIfExpr uses $1 literally after a pattern that did not match', async (t) => {
  const value = async (condition: string): Promise<string | undefined> => {
    const server = await serve(t, `SetEnvIfExpr "${condition}" V=$1\\\\x\nHeader set X-Value "%{V}e"`)
    return (await server.inject('/page.html')).header('X-Value')
  }
  t.equal(await value("'a' =~ /(a)/"), 'ax')
  t.equal(await value("'a' !~ /(b)/"), '$1\\x')
  t.equal(await value("'a' =~ /(a)/ && 'a' =~ /a/"), 'ax')
})

t.test('a pattern that takes too long denies access', async (t) => {
  const evil = '^(?:(?:a+)+(?=b))+c$'
  const server = await serve(
    t,
    `<Location /dir>
    <RequireAll>
    Require all granted
    Require not expr "%{HTTP:X-E} =~ /${evil}/"
    </RequireAll>
    </Location>
    <FilesMatch "${evil}">
    Require all denied
    </FilesMatch>`,
  )
  // It has the text that every match must contain, so that the matcher has to try.
  const long = `${'a'.repeat(100)}!bc`
  const hopeless = 'a'.repeat(100)
  t.equal((await server.inject({ target: '/dir/inner.html', headers: { 'X-E': 'x' } })).status, 200)
  t.equal((await server.inject({ target: '/dir/inner.html', headers: { 'X-E': hopeless } })).status, 200)
  t.equal((await server.inject({ target: '/dir/inner.html', headers: { 'X-E': long } })).status, 500)
  t.equal((await server.inject(`/${long}`)).status, 500)
  t.match(
    server.errors().join('\n'),
    `AH02320: Error evaluating expression in 'Require expr': Regular expression '${evil}' took longer than 100 ms`,
  )
})
