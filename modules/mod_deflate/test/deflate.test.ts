import { randomBytes } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type AnyModule, DECLINED, defineModule } from '@gatewright/api'
import { rawExchange, type SiteOptions, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import setenvif from '../../mod_setenvif/src/index.ts'
import deflate from '../src/index.ts'

type TestServer = Awaited<ReturnType<typeof site>>

const TEXT = 'a text that is worth compressing. '.repeat(30)
const GZIP = { 'Accept-Encoding': 'gzip' }
/**
 * Compressible text with more symbols than zlib buffers, so that output begins before the end of the input.
 */
const LARGE = randomBytes(150_000).toString('hex')

async function serve(
  t: Test,
  config: string,
  files: SiteOptions['files'] = {},
  modules: readonly AnyModule[] = [],
): Promise<TestServer> {
  const server = await site({
    modules: [authzCore, setenvif, deflate, ...modules],
    config,
    files: { 'docs/f.txt': TEXT, 'docs/large.txt': LARGE, ...files },
  })
  t.teardown(() => server.close())
  return server
}

const unzip = (body: string): string => gunzipSync(Buffer.from(body, 'latin1')).toString('latin1')

/** The body of a chunked response, with one byte per character. */
function unchunk(response: string): string {
  let at = response.indexOf('\r\n\r\n') + 4
  let body = ''
  for (;;) {
    const end = response.indexOf('\r\n', at)
    const length = Number.parseInt(response.slice(at, end), 16)
    if (!(length > 0)) return body
    body += response.slice(end + 2, end + 2 + length)
    at = end + 2 + length + 2
  }
}

t.test('a response is compressed for a client that accepts gzip, and its fields show it', async (t) => {
  const server = await serve(t, 'SetOutputFilter DEFLATE')
  const plain = await server.inject('/f.txt')
  t.equal(plain.body, TEXT)
  t.equal(plain.header('Vary'), 'Accept-Encoding')
  t.equal(plain.header('Content-Encoding'), undefined)
  const { body, header } = await server.inject({ target: '/f.txt', headers: GZIP })
  t.equal(unzip(body), TEXT)
  t.equal(header('Content-Encoding'), 'gzip')
  t.equal(header('Content-Length'), String(body.length))
  t.equal(header('ETag'), plain.header('ETag')?.replace(/"$/, '-gzip"'))
})

t.test('a compressed body is reused until the file changes or the settings differ', async (t) => {
  const other = '<VirtualHost *:8080>\nDeflateCompressionLevel 1\n</VirtualHost>'
  const server = await serve(t, `SetOutputFilter DEFLATE\nListen 8080\n${other}`)
  const ask = (localPort?: number) => server.inject({ target: '/f.txt', headers: GZIP, localPort })
  const bodies = [(await ask()).body, (await ask()).body, (await ask(8080)).body]
  t.equal(bodies[1], bodies[0])
  for (const body of bodies) t.equal(unzip(body), TEXT)
})

t.test('simultaneous requests get the same text', async (t) => {
  const server = await serve(t, 'SetOutputFilter DEFLATE')
  const answers = await Promise.all(Array.from({ length: 8 }, () => server.inject({ target: '/f.txt', headers: GZIP })))
  for (const { body } of answers) t.equal(unzip(body), TEXT)
})

t.test('a long body is compressed while it is sent, in chunks', async (t) => {
  const server = await serve(t, 'SetOutputFilter DEFLATE')
  const port = await server.listen()
  const ask = (version: string) =>
    rawExchange(port, `GET /large.txt HTTP/${version}\r\nHost: a\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n`)
  const chunked = await ask('1.1')
  t.match(chunked, /\r\nTransfer-Encoding: chunked\r\n/)
  t.notMatch(chunked, /\r\nContent-Length:/)
  t.equal(unzip(unchunk(chunked)), LARGE)
  const old = await ask('1.0')
  t.equal(unzip(old.slice(old.indexOf('\r\n\r\n') + 4)), LARGE)
})

t.test('HEAD has the same headers as GET', async (t) => {
  const server = await serve(t, 'SetOutputFilter DEFLATE')
  const get = await server.inject({ target: '/f.txt', headers: GZIP })
  const head = await server.inject({ method: 'HEAD', target: '/f.txt', headers: GZIP })
  t.equal(head.body, '')
  t.equal(head.header('Content-Length'), get.header('Content-Length'))
  t.equal(head.header('Content-Encoding'), 'gzip')
  const large = await server.inject({ method: 'HEAD', target: '/large.txt', headers: GZIP })
  t.equal(large.header('Content-Encoding'), 'gzip')
  t.equal(large.header('Content-Length'), undefined)
})

t.test('ranges are those of the compressed bytes', async (t) => {
  const server = await serve(t, 'SetOutputFilter DEFLATE')
  const whole = await server.inject({ target: '/f.txt', headers: GZIP })
  const part = await server.inject({ target: '/f.txt', headers: { ...GZIP, Range: 'bytes=0-9' } })
  t.match(part, { status: 206, body: whole.body.slice(0, 10) })
  t.equal(part.header('Content-Range'), `bytes 0-9/${whole.body.length}`)
})

t.test('68 bytes are not compressed, 69 are', async (t) => {
  const server = await serve(t, 'SetOutputFilter DEFLATE', { 'docs/68.txt': 'x'.repeat(68), 'docs/69.txt': 'x'.repeat(69) })
  const short = await server.inject({ target: '/68.txt', headers: GZIP })
  t.equal(short.header('Content-Encoding'), undefined)
  t.equal(short.header('Vary'), undefined)
  t.equal((await server.inject({ target: '/69.txt', headers: GZIP })).header('Content-Encoding'), 'gzip')
})

t.test('a short stream whose length is known is not compressed', async (t) => {
  const streams = defineModule({
    name: 'streams_module',
    source: 'mod_streams.c',
    register({ hooks }) {
      hooks.handler.add((request) => {
        const contentLength = Number(request.args)
        request.contentType = 'text/html'
        async function* chunks(): AsyncGenerator<string> {
          yield 'x'.repeat(contentLength)
        }
        return request.respond(Object.assign(chunks(), { contentLength }))
      })
    },
  })
  const server = await serve(t, 'SetOutputFilter DEFLATE', {}, [streams])
  const short = await server.inject({ target: '/f.txt?68', headers: GZIP })
  t.match([short.header('Content-Encoding'), short.header('Vary'), short.body.length], [undefined, undefined, 68])
  const long = await server.inject({ target: '/f.txt?69', headers: GZIP })
  t.equal(unzip(long.body), 'x'.repeat(69))
})

t.test('environment variables prevent or force compression', async (t) => {
  const server = await serve(
    t,
    'SetOutputFilter DEFLATE\nSetEnvIf X-No . no-gzip\nSetEnvIf X-Html . gzip-only-text/html\nSetEnvIf X-Force . force-gzip',
  )
  const coding = async (headers: Readonly<Record<string, string>>): Promise<string | undefined> =>
    (await server.inject({ target: '/f.txt', headers })).header('Content-Encoding')
  t.equal(await coding({ ...GZIP, 'X-No': '1' }), undefined)
  t.equal(await coding({ ...GZIP, 'X-Html': '1' }), undefined)
  t.equal(await coding({ 'X-Force': '1' }), 'gzip')
})

t.test('the output of a handler is compressed, unless it is already encoded', async (t) => {
  const page = defineModule({
    name: 'page_module',
    source: 'mod_page.c',
    register({ hooks }) {
      hooks.handler.add((request) => {
        if (request.handler !== 'page') return DECLINED
        if (request.args !== null) request.headersOut.set('Content-Encoding', request.args)
        return request.send('text/html', TEXT)
      })
    },
  })
  const server = await serve(t, 'SetOutputFilter DEFLATE\n<Location /page>\nSetHandler page\n</Location>', {}, [page])
  t.equal(unzip((await server.inject({ target: '/page', headers: GZIP })).body), TEXT)
  t.equal(unzip((await server.inject({ target: '/page?identity', headers: GZIP })).body), TEXT)
  const coded = await server.inject({ target: '/page?br', headers: GZIP })
  t.equal(coded.body, TEXT)
  t.equal(coded.header('Content-Encoding'), 'br')
})

t.test('DeflateAlterETag determines how the tag changes', async (t) => {
  for (const [word, pattern] of [
    ['AddSuffix', /^"[^"]+-gzip"$/],
    ['NoChange', /^"[^"-]+-[^"-]+"$/],
    ['Remove', /^undefined$/],
  ] as const) {
    const server = await serve(t, `SetOutputFilter DEFLATE\nDeflateAlterETag ${word}\nFileETag MTime Size`)
    const { header } = await server.inject({ target: '/f.txt', headers: GZIP })
    t.match(String(header('ETag')).replace(/^W\//, ''), pattern, word)
  }
})

t.test('INFLATE decompresses gzip, and DEFLATE may compress it again', async (t) => {
  const encoded = { 'docs/z.txt': gzipSync(TEXT), 'docs/large.gz': gzipSync(LARGE) }
  const coding = defineModule({
    name: 'coding_module',
    source: 'mod_coding.c',
    register({ hooks }) {
      hooks.fixups.add((request) => {
        if (request.uri !== '/f.txt') request.contentEncoding = 'x-gzip'
        return DECLINED
      })
    },
  })
  const server = await serve(
    t,
    'SetOutputFilter INFLATE\n<Location /again>\nSetOutputFilter DEFLATE;INFLATE\n</Location>',
    { ...encoded, 'docs/again/z.txt': gzipSync(TEXT) },
    [coding],
  )
  const { body, header } = await server.inject('/z.txt')
  t.equal(body, TEXT)
  t.equal(header('Content-Encoding'), undefined)
  t.match(header('ETag'), /-gunzip"$/)
  t.equal((await server.inject('/f.txt')).body, TEXT, 'an uncompressed file is unchanged')
  const again = await server.inject({ target: '/again/z.txt', headers: GZIP })
  t.equal(unzip(again.body), TEXT)
  t.match(again.header('ETag'), /-gunzip-gzip"$/)
  const port = await server.listen()
  const large = await rawExchange(port, 'GET /large.gz HTTP/1.0\r\n\r\n')
  t.equal(large.slice(large.indexOf('\r\n\r\n') + 4), LARGE)
})

t.test('INFLATE stops if a little input makes too much output', async (t) => {
  const coding = defineModule({
    name: 'coding_module',
    source: 'mod_coding.c',
    register({ hooks }) {
      hooks.fixups.add((request) => {
        request.contentEncoding = 'gzip'
        return DECLINED
      })
    },
  })
  const bomb = gzipSync(Buffer.alloc(5_000_000))
  const server = await serve(t, 'SetOutputFilter INFLATE', { 'docs/bomb': bomb }, [coding])
  const port = await server.listen()
  const answer = await rawExchange(port, 'GET /bomb HTTP/1.0\r\n\r\n')
  t.ok(answer.length < 1_000_000, `${answer.length} bytes were sent`)
  t.match(server.errors().join('\n'), /AH02650: Inflated content ratio is larger than the configured limit 200 by 3 time\(s\)/)
})

t.test('a client that disconnects during the response causes no failure', async (t) => {
  const server = await serve(t, 'SetOutputFilter DEFLATE')
  const port = await server.listen()
  const { connect } = await import('node:net')
  await new Promise<void>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write('GET /large.txt HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n'),
    )
    socket.once('data', () => socket.destroy())
    socket.on('close', () => resolve())
    socket.on('error', reject)
  })
  t.equal(unzip((await server.inject({ target: '/f.txt', headers: GZIP })).body), TEXT)
  t.same(server.errors(), [])
})
