// Characters above U+00FF do not fit into a byte. Cut to one they become others: U+010D a carriage return, U+013C a `<`. Nothing that a response is made of may ever do that.
import {
  DECLINED,
  defineModule,
  FILTER_RANK,
  HTTP_FORBIDDEN,
  HTTP_METHOD_NOT_ALLOWED,
  HTTP_MOVED_TEMPORARILY,
  HTTP_UNAUTHORIZED,
  httpStatus,
  type MaybePromise,
  type Module,
  type Outcome,
  type Request,
  Table,
} from '@gatewright/api'
import { escapeHtml, html, isByteText, raw } from '@gatewright/api/text'
import { MemoryTransport } from '@gatewright/http'
import { site, type TestServer } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../modules/mod_authz_core/src/index.ts'
import headers from '../modules/mod_headers/src/index.ts'

/** Puts a text into one part of a response. */
type Sink = (request: Request, text: string) => MaybePromise<Outcome>

async function* piecesOf(text: string): AsyncGenerator<string> {
  yield 'begun '
  yield text
}

/** Sinks that refuse the text, or send it in another form than as bytes. */
const SINKS: Readonly<Record<string, Sink>> = {
  'the value of a field': (request, text) => {
    request.headersOut.set('X-Text', text)
    return request.send('text/plain', 'sent')
  },
  'a value that is added to a field': (request, text) => {
    request.headersOut.set('X-Text', 'a')
    request.headersOut.merge('X-Text', text)
    return request.send('text/plain', 'sent')
  },
  'the name of a field': (request, text) => {
    request.headersOut.add(text, 'value')
    return request.send('text/plain', 'sent')
  },
  'a cookie, sent always': (request, text) => {
    request.errHeadersOut.add('Set-Cookie', `name=${text}`)
    return request.send('text/plain', 'sent')
  },
  'a challenge': (request, text) => {
    request.errHeadersOut.set('WWW-Authenticate', `Basic realm="${text}"`)
    return HTTP_UNAUTHORIZED
  },
  'the content type': (request, text) => request.send(`text/plain; name="${text}"`, 'sent'),
  'the content type of ranges': (request, text) => {
    request.headersOut.set('Accept-Ranges', 'bytes')
    request.headersIn.set('Range', 'bytes=0-1,3-4')
    return request.send(`text/plain; name="${text}"`, 'some bytes to choose from')
  },
  'the content encoding': (request, text) => {
    request.contentEncoding = text
    return request.send('text/plain', 'sent')
  },
  'a content language': (request, text) => {
    request.contentLanguages = ['en', text]
    return request.send('text/plain', 'sent')
  },
  'an allowed method, in an error': (request, text) => {
    request.allowed = new Set(['GET', text])
    return HTTP_METHOD_NOT_ALLOWED
  },
  'where a redirect leads, and its page': (request, text) => {
    request.headersOut.set('Location', `/${text}`)
    return HTTP_MOVED_TEMPORARILY
  },
  'the note of an error page': (request, text) => {
    request.notes.set('error-notes', text)
    return HTTP_FORBIDDEN
  },
  'the variants of an error page': (request, text) => {
    request.notes.set('variant-list', text)
    return httpStatus(300)
  },
  'the method that an error page shows': (request, text) => {
    request.method = text
    return HTTP_METHOD_NOT_ALLOWED
  },
  'the text of an ErrorDocument': (request, text) => {
    request.uri = text
    return httpStatus(410)
  },
  'a field that Header makes of the user': (request, text) => {
    request.user = text
    return request.send('text/plain', 'sent')
  },
  'a field that Header makes of a variable': (request, text) => {
    request.env.set('TEXT', text)
    return request.send('text/plain', 'sent')
  },
  'a field that Header makes of the URI': (request, text) => {
    request.uri = `/${text}`
    return request.send('text/plain', 'sent')
  },
  'a body': (request, text) => request.send('text/html', text),
  'a body without a type': (request, text) => request.respond(text),
  'a piece of a stream': (request, text) => request.send('text/html', piecesOf(text)),
  'the body of an error page in place of another': (request, text) => {
    request.status = 404
    return request.send('text/html', text)
  },
  'markup of html': (request, text) => request.send('text/html', html`<p title="${text}">${[text]}</p>`.toString()),
  'escaped text': (request, text) => request.send('text/html', escapeHtml(text)),
  'markup that somebody vouched for': (request, text) => request.send('text/html', String(html`<p>${raw(text)}</p>`)),
  'a text in UTF-8': (request, text) => request.sendText('text/plain', text),
  'markup in UTF-8': (request, text) => request.sendText('text/html', html`<p>${text}</p>`),
  JSON: (request, text) => request.sendJson({ text }),
  'the URI of an internal redirect': (request, text) => request.internalRedirect(`/${text}`),
  'the URI of a sub-request': async (request, text) => {
    const sub = await request.lookupUri(`/${text}`)
    return request.send('text/plain', sub.filename)
  },
  'the file of a sub-request': async (request, text) => {
    const sub = await request.lookupFile(text)
    return request.send('text/plain', sub.filename)
  },
  'an entry of the folder': async (request, text) => {
    const sub = await request.lookupEntry(text, text)
    return request.send('text/plain', `${sub.filename}?${sub.args}`)
  },
  'the result of a filter, by a module that is not type-checked': (request, text) => {
    // A possible value in JavaScript, regardless of the types.
    const filter = JSON.parse(JSON.stringify({ name: 'WIDE', rank: FILTER_RANK.resource }))
    filter.filter = () => text
    request.addOutputFilter(filter)
    return request.send('text/plain', 'sent')
  },
}

let sink: Sink = () => DECLINED
let text = ''

const sinks: Module = defineModule({
  name: 'sinks_module',
  source: 'mod_sinks.c',
  register({ hooks }) {
    hooks.handler.add((request) => (request.main === null && request.prev === null ? sink(request, text) : DECLINED))
  },
})

const OPEN = '<Location />\nRequire all granted\n</Location>\n'

const CONFIG = `${OPEN}
ServerSignature On
ErrorDocument 410 "Gone: %{REQUEST_URI}"
Header always set X-User "expr=%{REMOTE_USER}"
Header always set X-Variable "%{TEXT}e"
Header always set X-Uri "expr=%{REQUEST_URI}"
`

/** Every byte that the server sends, one character each; '' when it closes the connection without an answer. */
function bytesSent(server: TestServer, method: string = 'GET'): Promise<string> {
  const transport = new MemoryTransport()
  return new Promise((resolve) => {
    transport.onChange = () => {
      if (!transport.ended && !transport.closed) return
      transport.onChange = null
      resolve(transport.text)
    }
    server.worker.inject(transport, null)
    transport.feed(`${method} /f HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
    transport.feedEnd()
  })
}

/** A text with each unit truncated to its low byte. */
const cut = (wide: string): string => Buffer.from(wide, 'latin1').toString('latin1')

const BYTES_THAT_MATTER = '\r\n\0<>"&/ .;,:'

/** Each unit from U+0100 on whose low byte is one that means something, the 255 of each by turns; then whole blocks of 256. */
function* samples(turn: number): Generator<string> {
  for (const [index, byte] of [...BYTES_THAT_MATTER].entries()) {
    const high = 1 + ((turn * 37 + index * 53) % 255)
    yield String.fromCharCode((high << 8) | byte.charCodeAt(0))
  }
  for (let high = turn % STEP === 0 ? STEP : turn % STEP; high < 256; high += STEP) {
    yield String.fromCharCode(...Array.from({ length: 256 }, (_, low) => (high << 8) | low))
  }
  yield '\u{1f600}\u{10ffff}'
  yield '\ud800'
  yield '\udc0a'
}

/** A sink sees every eighth block, all sinks together each block several times. */
const STEP = 8

for (const [turn, [name, one]] of Object.entries(SINKS).entries()) {
  t.test(`no character is cut to a byte in ${name}`, async (t) => {
    const server = await site({ modules: [authzCore, headers, sinks], config: CONFIG, files: { 'docs/f': 'f' } })
    t.teardown(() => server.close())
    sink = one
    const faults: string[] = []
    for (const wide of samples(turn)) {
      text = `begin${wide}end`
      const sent = await bytesSent(server)
      if (sent.includes(cut(text))) faults.push(JSON.stringify(wide))
      if (sent !== '' && !/^HTTP\/1\.1 (?:200|206|30[02]|40[1345]|410|500) [^\r\n]+\r\n/.test(sent))
        faults.push(`${JSON.stringify(wide)}: ${sent}`)
    }
    t.strictSame(faults, [])
    text = 'plain'
    t.match(await bytesSent(server), /^HTTP\/1\.1 (?:200|206|30[02]|40[1345]|410) /, 'the sink works')
  })
}

t.test('an allowed method of the answer to OPTIONS is not cut to bytes', async (t) => {
  const server = await site({ modules: [authzCore, sinks], config: OPEN, files: { 'docs/f': 'f' } })
  t.teardown(() => server.close())
  sink = (request) => {
    request.allowed = new Set(['GET', text])
    return DECLINED
  }
  text = 'a\u010d\u010aSet-Cookie: owned'
  const sent = await bytesSent(server, 'OPTIONS')
  t.notMatch(sent, /owned/)
  t.match(sent, /^HTTP\/1\.1 500 /)
})

t.test('an invalid field is rejected when it is set, and the log names the module', async (t) => {
  const server = await site({ modules: [authzCore, sinks], config: OPEN, files: { 'docs/f': 'f' } })
  t.teardown(() => server.close())
  sink = SINKS['the value of a field'] ?? sink
  text = 'a\u010d\u010aSet-Cookie: session=owned'
  t.match(await bytesSent(server), /^HTTP\/1\.1 500 /)
  const [line = ''] = server.errors().filter((error) => error.includes('hook handler of mod_sinks.c failed'))
  t.match(
    line,
    'the value of X-Text has a character that is not one byte, U+010D at position 1: encode it first, with utf8Bytes or encodeURIComponent',
  )
  t.match(line, 'wide-text.test.ts', 'the stack leads to the line')
})

t.test('a table rejects every character above U+00FF and accepts every byte', async (t) => {
  const refused: number[] = []
  for (let code = 0; code <= 0xffff; code++) {
    const character = String.fromCharCode(code)
    const table = new Table()
    for (const act of [
      () => table.set('n', character),
      () => table.add(character, 'v'),
      () => table.merge('m', `a${character}`),
    ]) {
      let threw = false
      try {
        act()
      } catch (error) {
        threw = error instanceof TypeError
      }
      if (threw !== code > 0xff) refused.push(code)
    }
    if (isByteText(`${character}a`) !== code <= 0xff) refused.push(code)
  }
  t.strictSame(refused, [])
})

t.test('escaped text holds bytes only, and means what was written, for all of Unicode', async (t) => {
  const wrong: number[] = []
  for (let point = 0; point <= 0x10ffff; point += point < 0x10000 ? 1 : 97) {
    const character = String.fromCodePoint(point)
    const lone = point >= 0xd800 && point <= 0xdfff
    const expected =
      point > 0xff
        ? `a&#${lone ? 0xfffd : point};b`
        : `a${{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }[character] ?? character}b`
    if (escapeHtml(`a${character}b`) !== expected) wrong.push(point)
  }
  t.strictSame(wrong, [])
  t.equal(String(html`<p>100 €, ${'ü€'} ${raw('€')}</p>`), '<p>100 &#8364;, ü&#8364; €</p>')
})

t.test('texts and values are sent in UTF-8, with that charset', async (t) => {
  const server = await site({
    modules: [authzCore, sinks],
    config: `${OPEN}AddDefaultCharset ISO-8859-1`,
    files: { 'docs/f': 'f' },
  })
  t.teardown(() => server.close())
  const answered = async (made: (request: Request) => Outcome): Promise<readonly [string | undefined, string]> => {
    sink = made
    const response = await server.inject('/f')
    return [response.header('Content-Type'), Buffer.from(response.body, 'latin1').toString('utf8')]
  }
  t.strictSame(await answered((request) => request.sendText('text/plain', 'ü € \u{1f600}')), [
    'text/plain; charset=utf-8',
    'ü € \u{1f600}',
  ])
  t.strictSame(await answered((request) => request.sendText('text/html; charset="UTF-8"', html`<b>${'<ü€>'}</b>`)), [
    'text/html; charset="UTF-8"',
    '<b>&lt;ü&#8364;&gt;</b>',
  ])
  t.strictSame(await answered((request) => request.sendJson({ price: '€', list: [1, null] })), [
    'application/json; charset=utf-8',
    '{"price":"€","list":[1,null]}',
  ])
  for (const bad of [
    (request: Request) => request.sendText('text/plain; charset=iso-8859-1', 'a'),
    (request: Request) => request.sendJson(undefined),
    (request: Request) => request.send('text/plain', '€'),
  ]) {
    sink = bad
    t.equal((await server.inject('/f')).status, 500)
  }
})

t.test('configuration, its variables and the environment are bytes of UTF-8 everywhere', async (t) => {
  process.env.GATEWRIGHT_WIDE_TEXT = '5 €'
  t.teardown(() => delete process.env.GATEWRIGHT_WIDE_TEXT)
  const config = `${OPEN}Define PRICE "100 €"\nErrorDocument 404 "\${PRICE}, \${GATEWRIGHT_WIDE_TEXT}, %{osenv:GATEWRIGHT_WIDE_TEXT}, ü"\n`
  const server = await site({ modules: [authzCore], config })
  t.teardown(() => server.close())
  const { status, body } = await server.inject('/missing')
  t.equal(status, 404)
  t.equal(Buffer.from(body, 'latin1').toString('utf8'), '100 €, 5 €, 5 €, ü')
})
