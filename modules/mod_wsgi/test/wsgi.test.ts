import t from 'tap'
import { APPLICATIONS } from './applications.ts'
import { applications, logged, skip } from './support.ts'

const HEAD = /mod_wsgi \(pid=\d+\): Exception occurred processing WSGI script '\S+\/kinds\.wsgi'\.$/

t.test('applications answer as PEP 3333 says', { skip }, async (t) => {
  const server = await applications(t)
  const get = (kind: string): ReturnType<typeof server.inject> => server.inject(`/k/${kind}`)
  t.match(await get('write'), { status: 200, body: 'abc' }, 'write')
  t.match(await get('late'), { status: 200, body: 'x' }, 'start_response is called by the first part')
  t.match(await get('closed'), { status: 200, body: '12' }, 'empty parts')
  t.ok(await logged(server, /\[client \S+\] was closed$/), 'close is called')
  const replaced = await get('replaced')
  t.match(replaced, { statusLine: 'HTTP/1.1 500 Bad', body: 'error page' }, 'exc_info')
  t.equal(replaced.header('content-type'), 'text/html')
  t.match(await get('long'), { status: 200, body: '123' }, 'not more than Content-Length')
  t.match(await get('endless-length'), { status: 200, body: 'abc' }, 'an endless response of a known length ends')
  t.match(await get('no-content'), { status: 204, body: '' })
  const file = await get('file')
  t.equal(
    file.header('content-length'),
    String(APPLICATIONS['apps/kinds.wsgi'].length),
    'file_wrapper states the length of a file',
  )
  t.equal(file.body, APPLICATIONS['apps/kinds.wsgi'])
  t.equal((await get('file-like')).body.length, 200_000, 'file_wrapper, another object')
  const challenge = await get('challenge')
  t.match(challenge, { status: 401, body: 'mine' })
  t.equal(challenge.header('www-authenticate'), 'Basic realm="a"')
  const fields = await get('fields')
  t.equal(fields.statusLine, 'HTTP/1.1 201 Made')
  t.equal(fields.header('x-a'), '1, 2')
  const cookies = fields.headers.filter(([name]) => name.toLowerCase() === 'set-cookie').map(([, value]) => value)
  t.strictSame(cookies, ['a=1', 'b=2'])
  t.notMatch(fields.header('transfer-encoding') ?? '', 'foo', 'fields of the connection are the server’s')
  t.match((await get('location')).body, /PATH_INFO='\/there'\n[\s\S]*QUERY_STRING='q'/, 'Location is served by this server')
  const head = await server.inject({ method: 'HEAD', target: '/k/file' })
  t.match(head, { status: 200, body: '' })
  t.equal(head.header('content-length'), file.header('content-length'))
})

t.test('an application that fails is a 500, and its traceback is in the log', { skip }, async (t) => {
  const server = await applications(t)
  const failures: readonly (readonly [kind: string, error: string])[] = [
    ['not-started', 'RuntimeError: response has not been started'],
    ['raise', 'ValueError: boom'],
    ['raise-started', 'ValueError: started'],
    ['text', 'TypeError: sequence of byte string values expected, value of type str found'],
    ['none', "TypeError: 'NoneType' object is not iterable"],
    ['status', 'ValueError: status code is not a 3 digit integer'],
    ['header-line', 'ValueError: carriage return/line feed character present in header value'],
    ['header-blank', 'ValueError: space character present in header name'],
    ['header-number', 'TypeError: expected unicode object, value of type int found'],
    ['header-tuple', 'TypeError: start_response() argument 2 must be list, not tuple'],
  ]
  for (const [kind, error] of failures) {
    t.equal((await server.inject(`/k/${kind}`)).status, 500, kind)
    t.ok(await logged(server, new RegExp(`${error.replaceAll(/[().]/g, '\\$&')}$`)), error)
  }
  t.ok(server.errors().some((line) => HEAD.test(line)))
  const lines = server.errors().map((line) => line.replace(/^.*\[client \S+\] /, ''))
  const from = lines.indexOf('ValueError: boom')
  t.ok(lines.slice(0, from).includes("    raise ValueError('boom')"))
  t.notOk(
    lines.some((line) => line.includes('runner.py')),
    'frames of the runner are not shown',
  )
  t.equal((await server.inject('/k/exit')).status, 500)
  t.ok(await logged(server, /SystemExit exception raised by WSGI script '\S+' ignored\.$/))
  for (const [path, pattern] of [
    ['/syntax', /Could not read\/compile source file '\S+\/syntax\.wsgi'\.$/],
    ['/fails', /Failed to exec Python script file '\S+\/fails\.wsgi'\.$/],
    ['/empty', /Target WSGI script '\S+\/empty\.wsgi' does not contain WSGI application 'application'\.$/],
  ] as const) {
    t.equal((await server.inject(path)).status, 500, path)
    t.ok(await logged(server, pattern), String(pattern))
  }
})

t.test('a response that breaks off is cut for the client', { skip }, async (t) => {
  const server = await applications(t)
  const port = await server.listen()
  for (const kind of ['raise-later', 'replaced-too-late', 'close-fails', 'die-later'])
    await t.rejects(
      fetch(`http://127.0.0.1:${port}/k/${kind}`).then((response) => response.text()),
      kind,
    )
  t.ok(await logged(server, /ValueError: in close$/), 'an error of close is logged')
})

t.test('the body of a request is read as the application asks for it', { skip }, async (t) => {
  const server = await applications(t, 'WSGIChunkedRequest On\n')
  const post = (target: string, body: string, headers: Record<string, string> = {}): ReturnType<typeof server.inject> =>
    server.inject({ method: 'POST', target, body, headers: { 'Content-Length': String(body.length), ...headers } })
  t.equal((await post('/k/input', 'abcdef\nline2\nl3\n')).body, "[b'abc', b'def\\n', b'li', [b'ne2\\n', b'l3\\n'], [], b'', b'']")
  t.equal((await post('/k/sum', 'b'.repeat(3_000_000))).body, '3000000')
  t.equal((await post('/k/other', 'unread')).status, 200, 'an application may leave it unread')
})

t.test('what an application prints is logged with its client', { skip }, async (t) => {
  const server = await applications(t)
  t.equal((await server.inject('/k/errors')).body, 'ok')
  for (const text of ['one', 'two', 'to stdout', 'caf\\\\xc3\\\\xa9', 'un'])
    t.ok(await logged(server, new RegExp(`^.*\\[wsgi:error\\] .*\\[client \\S+\\] ${text}$`)), text)
})

t.test('a handler of signals is not installed', { skip }, async (t) => {
  const server = await applications(t)
  t.equal((await server.inject('/k/signal')).body, 'ok')
  t.ok(await logged(server, /Callback registration for signal 15 ignored\.$/))
})

t.test('the environ has the variables of CGI and of mod_wsgi', { skip }, async (t) => {
  const server = await applications(
    t,
    'SetEnv FOO bar\nWSGIScriptAliasMatch ^/m/([a-z]+) @ROOT@/apps/$1.wsgi process-group=d\n<Location /environ/secret>\nWSGIPassAuthorization On\n</Location>\n',
  )
  const ask = async (target: string): Promise<ReadonlyMap<string, string>> => {
    const { body } = await server.inject({
      target,
      headers: { Host: 'h.example:81', Authorization: 'Basic YTpi', 'X-A': '1', X_B: '2' },
    })
    return new Map(body.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
  }
  const environ = await ask('/environ//a/c%20%41%e4;x?x=y&z=%20')
  const expected: Readonly<Record<string, string>> = {
    FOO: "'bar'",
    HTTP_X_A: "'1'",
    PATH_INFO: "'/a/c A\xe4;x'",
    QUERY_STRING: "'x=y&z=%20'",
    REQUEST_URI: "'/environ//a/c%20%41%e4;x?x=y&z=%20'",
    SCRIPT_NAME: "'/environ'",
    SCRIPT_FILENAME: `'${server.serverRoot}/apps/environ.wsgi'`,
    'apache.version': '(2, 4, 71)',
    'mod_wsgi.application_group': "''",
    'mod_wsgi.callable_object': "'application'",
    'mod_wsgi.process_group': "'d'",
    'mod_wsgi.request_handler': "'wsgi-script'",
    'mod_wsgi.script_name': "'/environ'",
    'mod_wsgi.path_info': "'/a/c A\xe4;x'",
    'mod_wsgi.version': '(4, 9, 4)',
    'wsgi.input_terminated': 'True',
    'wsgi.multiprocess': 'True',
    'wsgi.multithread': 'True',
    'wsgi.run_once': 'False',
    'wsgi.url_scheme': "'http'",
    'wsgi.version': '(1, 0)',
    BODY: "b''",
  }
  for (const [name, value] of Object.entries(expected)) t.equal(environ.get(name), value, name)
  for (const name of ['PATH', 'HTTP_X_B', 'HTTP_AUTHORIZATION']) t.notOk(environ.has(name), name)
  const matched = await ask('/m/environ/more')
  t.equal(matched.get('SCRIPT_NAME'), "'/m/environ'", 'what follows the match of a pattern')
  t.equal(matched.get('PATH_INFO'), "'/more'")
  t.equal((await ask('/environ/secret')).get('HTTP_AUTHORIZATION'), "'Basic YTpi'")
})

t.test('requests that no application is for are refused', { skip }, async (t) => {
  const server = await applications(
    t,
    `WSGIScriptAlias /missing @ROOT@/apps/missing.wsgi
WSGIScriptAlias /folder/ @ROOT@/apps/
WSGIScriptAlias /group @ROOT@/apps/environ.wsgi process-group=nope
<Location /k/restricted>
WSGIRestrictProcess other
</Location>
<Location /plain>
SetHandler wsgi-script
</Location>
`,
    { 'docs/plain/a.wsgi': 'x = 1\n' },
  )
  for (const [target, status, text] of [
    ['/missing', 404, 'Target WSGI script not found or unable to stat: '],
    ['/folder/', 403, 'Attempt to invoke directory as WSGI application: '],
    ['/group', 500, "No WSGI daemon process called 'nope' has been configured: "],
    ['/k/restricted', 500, "Daemon process called 'd' cannot be accessed by this WSGI application: "],
  ] as const) {
    t.equal((await server.inject(target)).status, status, target)
    t.ok(await logged(server, new RegExp(text)), text)
  }
  t.equal(
    (await server.inject({ method: 'POST', target: '/k/sum', body: 'b', headers: { 'Transfer-Encoding': 'chunked' } })).status,
    411,
  )
})
