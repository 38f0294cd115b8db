import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { hasPhpFpm, phpFpm, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import proxy from '../../mod_proxy/src/index.ts'
import setenvif from '../../mod_setenvif/src/index.ts'
import proxyFcgi from '../src/index.ts'

const modules = [authzCore, proxy, proxyFcgi]
const skip = hasPhpFpm() ? false : 'php8.2-fpm is not installed'

/** A folder with files. */
function folder(t: Test, files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'gw-php-'))
  t.teardown(() => rmSync(root, { recursive: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }
  return root
}

const HANDLER = (socket: string): string =>
  `<FilesMatch "\\.php$">\nSetHandler "proxy:unix:${socket}|fcgi://localhost"\n</FilesMatch>\n`

t.test('PHP-FPM behind SetHandler', { skip }, async (t) => {
  const fpm = await phpFpm()
  t.teardown(() => fpm.close())
  const root = folder(t, {
    'x.php':
      '<?php echo $_SERVER["SCRIPT_NAME"], "|", $_SERVER["PATH_INFO"] ?? "-", "|", $_SERVER["SCRIPT_FILENAME"], "|", getenv("HTTP_PROXY") ?: "none";',
    'post.php': '<?php echo md5(file_get_contents("php://input"));',
    'upload/x.jpg': '<?php echo "executed";',
    'error.php': '<?php error_log("oops"); http_response_code(418); echo "tea";',
    'empty.php': '<?php header("Location: /x");',
    'inject.php': '<?php header("Location: /x\\r\\nSet-Cookie: evil=1"); echo "x";',
  })
  const config = `DocumentRoot "${root}"\n<Directory "${root}">\nRequire all granted\n</Directory>\n${HANDLER(fpm.socket)}`
  const server = await site({ modules, config })
  t.teardown(() => server.close())

  t.test('a script gets its name, its path and the rest of the path', async (t) => {
    const { status, body } = await server.inject('/x.php/a/b?c')
    t.equal(status, 200)
    t.equal(body.toString(), `/x.php|/a/b|${root}/x.php|none`)
  })

  t.test('a field Proxy does not become a proxy of the script', async (t) => {
    const { body } = await server.inject({ target: '/x.php', headers: { Proxy: 'http://evil.test' } })
    t.match(body.toString(), /\|none$/)
  })

  t.test('a body of any size arrives', async (t) => {
    const { createHash } = await import('node:crypto')
    for (const size of [1, 16_384, 1_000_000]) {
      const body = Buffer.alloc(size, 'xyz')
      const response = await server.inject({ method: 'POST', target: '/post.php', body, headers: { 'Content-Type': 'text/x' } })
      t.equal(response.body.toString(), createHash('md5').update(body).digest('hex'), String(size))
    }
  })

  t.test('a file that is no script is not executed because the name of a script follows its own', async (t) => {
    for (const target of ['/upload/x.jpg/.php', '/upload/x.jpg/a.php', '/upload/x.jpg%00.php', '/upload/x.jpg%2f.php']) {
      const { body } = await server.inject(target)
      t.notMatch(body.toString(), 'executed', target)
    }
  })

  t.test('a status without a meaning is passed on, and errors are logged', async (t) => {
    const response = await server.inject('/error.php')
    t.match(response, { status: 418, body: 'tea' })
    t.match(server.errors().join('\n'), /AH01071: Got error '.*oops/)
  })

  t.test('a missing script is answered by the responder', async (t) => {
    const response = await server.inject('/none.php')
    t.match(response, { status: 404, body: 'File not found.\n' })
    t.match(server.errors().join('\n'), "AH01071: Got error 'Primary script unknown'")
  })

  t.test('HEAD runs the script and has no body', async (t) => {
    t.match(await server.inject({ method: 'HEAD', target: '/x.php' }), { status: 200, body: '' })
  })

  t.test('a script without output has a body of length 0', async (t) => {
    const response = await server.inject('/empty.php')
    t.match([response.status, response.header('Content-Length'), response.body], [302, '0', ''])
  })

  t.test('a script cannot add fields by a line end', async (t) => {
    const response = await server.inject('/inject.php')
    t.notOk(JSON.stringify(response.headers).includes('evil'))
  })
})

/** A responder that answers every connection with the same bytes, and then closes it. */
async function responder(t: Test, answer: (write: (bytes: Buffer | string) => boolean) => void, ends = true): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      answer((bytes) => !socket.destroyed && socket.write(bytes))
      if (ends) socket.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => void server.close())
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

function stdout(text: string): Buffer {
  return Buffer.concat([Buffer.from([1, 6, 0, 1, text.length >> 8, text.length & 255, 0, 0]), Buffer.from(text, 'latin1')])
}

const END = Buffer.from([1, 3, 0, 1, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])

async function answerOf(
  t: Test,
  port: number,
  more = '',
): Promise<{ status: number; body: string; log: string; fields: string }> {
  const config = `<Location "/">\nRequire all granted\n</Location>\n${more}\nProxyPass / fcgi://127.0.0.1:${port}/`
  const server = await site({ modules, config })
  t.teardown(() => server.close())
  const { status, body, headers } = await server.inject('/a/x.php')
  return { status, body: body.toString(), log: server.errors().join('\n'), fields: JSON.stringify(headers) }
}

t.test('what a responder may do wrong has the status and the log line of httpd', async (t) => {
  const closes = await answerOf(t, await responder(t, () => {}))
  t.equal(closes.status, 503)
  t.match(closes.log, /AH01067: Failed to read FastCGI header/)
  t.match(closes.log, /AH01075: Error dispatching request to/)

  const other = await answerOf(t, await responder(t, (write) => write('HTTP/1.1 200 OK\r\n\r\n')))
  t.equal(other.status, 503)
  t.match(other.log, /AH01068: Got bogus version 72/)

  const record = [stdout('Content-Type: text/x\r\nX-A: b\r\nno colon\r\n\r\none\ntwo'), END]
  const line = await answerOf(t, await responder(t, (write) => write(Buffer.concat(record))), 'ErrorDocument 500 own')
  t.match(line, { status: 500, body: '' })
  t.match(line.fields, /"Content-Type","text\/x"/)
  t.notMatch(line.fields, /X-A/)
  t.match(line.log, /malformed header from script 'x\.php': Bad header: two/)
  t.match(line.log, /AH01070: Error parsing script headers/)

  const long = await answerOf(
    t,
    await responder(t, (write) => write(Buffer.concat([stdout(`A: ${'b'.repeat(9000)}\r\n\r\nx`), END]))),
  )
  t.match(long, { status: 500, body: '' })
  t.match(long.log, 'End of script output before headers: x.php')

  for (const [text, status] of [
    ['abc', 500],
    ['200abc', 200],
    ['404', 404],
    ['99', 500],
  ] as const) {
    const answer = Buffer.concat([stdout(`Status: ${text}\r\n\r\nx`), END])
    const response = await answerOf(t, await responder(t, (write) => write(answer)))
    t.match(response, { status, body: 'x' }, text)
    t.equal(response.log.includes(`Invalid status line from script 'x.php': ${text}`), status === 500, text)
  }

  const late = await answerOf(t, await responder(t, () => {}, false), 'ProxyTimeout 1')
  t.equal(late.status, 504)
  t.match(late.log, /AH01075/)

  const refused = await answerOf(t, 1)
  t.equal(refused.status, 503)
  t.match(refused.log, /AH01079: failed to make connection to backend: 127.0.0.1/)
})

t.test('fields about the connection and a carriage return of a responder do not reach the client', async (t) => {
  const own = 'Connection: close, X\r\nTransfer-Encoding: chunked\r\nContent-Length: 99\r\nX-A: b\r\n\r\nabc'
  const passed = await answerOf(t, await responder(t, (write) => write(Buffer.concat([stdout(own), END]))))
  t.match(passed, { status: 200, body: 'abc' })
  t.notMatch(passed.fields, '99')
  const split = 'Location: /x\rSet-Cookie: evil\r\n\r\n'
  const refused = await answerOf(t, await responder(t, (write) => write(Buffer.concat([stdout(split), END]))))
  t.equal(refused.status, 500)
  t.notMatch(refused.fields, 'evil')
})

t.test('a head that never ends is refused', async (t) => {
  const port = await responder(
    t,
    (write) => {
      const part = stdout('X: y\r\n'.repeat(5000))
      for (let i = 0; i < 60; i++) write(part)
    },
    false,
  )
  t.match(await answerOf(t, port), { status: 500 })
})

t.test('ProxyErrorOverride replaces the page of a script', async (t) => {
  const port = await responder(t, (write) => write(Buffer.concat([stdout('Status: 404 Gone\r\n\r\nlost'), END])))
  const response = await answerOf(t, port, 'ProxyErrorOverride On\nErrorDocument 404 "own"')
  t.match(response, { status: 404, body: 'own' })
})

t.test('a script that makes the page of an error keeps the status of the error', async (t) => {
  const port = await responder(t, (write) => write(Buffer.concat([stdout('A: b\r\n\r\nlost'), END])))
  const config = `<Location "/">\nRequire all granted\n</Location>\nErrorDocument 404 /a/x.php\nProxyPass /a/ fcgi://127.0.0.1:${port}/`
  const server = await site({ modules, config })
  t.teardown(() => server.close())
  t.match(await server.inject('/missing'), { status: 404, body: 'lost' })
})

t.test('ProxyFCGISetEnvIf sets, captures and removes variables', async (t) => {
  let received = ''
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (chunk) => {
      received = chunk.toString('latin1')
      socket.end(Buffer.concat([stdout('A: b\r\n\r\nok'), END]))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const rules = [
    'ProxyFCGISetEnvIf "reqenv(\'REQUEST_URI\') =~ m#^/(\\w+)/#" FIRST "<$1>"',
    'ProxyFCGISetEnvIf true !REMOTE_ADDR',
    'ProxyFCGISetEnvIf "%{REQUEST_METHOD} == \'POST\'" NEVER x',
    'ProxyFCGISetEnvIf "reqenv(\'FIRST\') == \'<a>\'" LATER "%{REQUEST_METHOD}"',
    'ProxyFCGIBackendType GENERIC',
  ].join('\n')
  t.match(await answerOf(t, port, rules), { status: 200, body: 'ok' })
  t.match(received, 'FIRST<a>')
  t.match(received, 'LATERGET')
  t.match(received, 'SCRIPT_FILENAME/a/x.php')
  t.notMatch(received, 'REMOTE_ADDR')
  t.notMatch(received, 'NEVER')
})

t.test('proxy-fcgi-pathinfo decides where a script ends and PATH_INFO begins', async (t) => {
  const root = folder(t, { 'd.x/i.php': '' })
  let received = ''
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (chunk) => {
      received = chunk.toString('latin1')
      socket.end(Buffer.concat([stdout('A: b\r\n\r\nok'), END]))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  for (const [value, script, pathInfo] of [
    ['first-dot', '/p/d.x', '/i.php/a b'],
    ['last-dot', '/p/d.x/i.php', '/a b'],
    ['full', '/p/d.x/i.php', '/a b'],
    ['unescape', '/p', `${root}/d.x/i.php/a b`],
    ['', '/p/d.x/i.php/a b', `${root}/d.x/i.php/a%20b`],
  ]) {
    const config = `<Location "/">\nRequire all granted\n</Location>\nSetEnvIf Request_URI /p proxy-fcgi-pathinfo=${value || 'whole'}\nProxyPass /p/ fcgi://127.0.0.1:${port}${root}/`
    const front = await site({ modules: [...modules, setenvif], config })
    t.equal((await front.inject('/p/d.x/i.php/a%20b')).status, 200)
    await front.close()
    t.match(received, `SCRIPT_NAME${script}`, value)
    t.match(received, `PATH_INFO${pathInfo}`, value)
  }
})
