import type { Request } from '@gatewright/api'
import { type InjectedResponse, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { moduleOf, wordsModule } from './support/modules.ts'

/** A server on which a module sets fields at the very end, and its response. */
async function answer(
  t: Test,
  set: (request: Request) => void,
  headers: Record<string, string> = {},
): Promise<{ readonly server: TestServer; readonly response: InjectedResponse }> {
  const setter = moduleOf('setter', ({ hooks }) => hooks.fixupHeaders.add(set))
  const server = await site({ modules: [wordsModule, setter], files: { 'docs/f': 'secret' } })
  t.teardown(() => server.close())
  return { server, response: await server.inject({ target: '/f', headers }) }
}

t.test('the Vary fields of both tables become one, each of its names once', async (t) => {
  const { response } = await answer(t, ({ headersOut, errHeadersOut }) => {
    headersOut.add('Vary', 'a, b')
    headersOut.add('Vary', 'B,d')
    errHeadersOut.add('Vary', 'c, A')
  })
  t.equal(response.header('Vary'), 'c,A,b,d')
})

t.test('a module that sets Connection: close closes the connection', async (t) => {
  const { response } = await answer(t, ({ headersOut }) => headersOut.set('Connection', 'Close'), { Connection: 'keep-alive' })
  t.equal(response.status, 200)
  t.equal(response.header('Connection'), 'Close')
  t.equal(response.header('Keep-Alive'), undefined)
})

t.test("modules' connection tokens are sent in addition to the server's", async (t) => {
  const { response } = await answer(t, ({ headersOut }) => headersOut.set('Connection', 'foo'), { Connection: 'close' })
  t.equal(response.header('Connection'), 'foo, close')
})

const INVALID: readonly (readonly [string, string, string])[] = [
  ['X A', 'a', "AH02429: Response header name 'X A' contains invalid characters, aborting request"],
  ['', 'a', 'AH02428: Empty response header name, aborting request'],
  [
    'X',
    'a\r\nSet-Cookie: b',
    "AH02430: Response header 'X' value of 'a\\r\\nSet-Cookie: b' contains invalid characters, aborting request",
  ],
  ['X', 'a\x01', "AH02430: Response header 'X' value of 'a\\x01' contains invalid characters, aborting request"],
]

for (const [name, value, message] of INVALID) {
  const field = JSON.stringify(`${name}: ${value}`)
  for (const table of ['headersOut', 'errHeadersOut'] as const) {
    t.test(`${field} in ${table} is not sent, nor what it was to go with`, async (t) => {
      const { server, response } = await answer(t, (request) => {
        if (request.status === 200) request[table].set(name, value)
      })
      t.equal(response.status, 500)
      t.match(response.body, '500 Internal Server Error')
      t.notMatch(response.body, 'secret')
      t.strictSame(namesOf(response), ['Date', 'Server', 'X-Words', 'Connection', 'Content-Type'])
      t.match(server.errors(), [message])
    })

    t.test(`${field} in ${table} of the error page as well leaves nothing but the status`, async (t) => {
      const { server, response } = await answer(t, (request) => request[table].set(name, value))
      t.equal(response.status, 500)
      t.equal(response.body, '')
      t.strictSame(namesOf(response), ['Date', 'Server', 'Content-Length', 'Connection'])
      t.match(server.errors(), [message, message])
    })
  }
}

t.test('a value of several lines is sent in one', async (t) => {
  const { response } = await answer(t, (request) => {
    request.contentType = 'text/plain;\r\n  charset=utf-8'
    request.errHeadersOut.set('X-A', 'a\r\n \t b\r\n\tc')
    request.headersOut.add('X-B', 'd')
    request.headersOut.add('X-B', 'e\r\n f')
    request.headersOut.add('X-B', 'g')
  })
  t.equal(response.status, 200)
  t.equal(response.header('Content-Type'), 'text/plain; charset=utf-8')
  t.equal(response.header('X-A'), 'a b c')
  t.strictSame(
    response.headers.filter(([name]) => name === 'X-B').map(([, value]) => value),
    ['d', 'e f', 'g'],
  )
})

t.test('a line end that no blank follows is not a fold', async (t) => {
  for (const value of ['a\n b', 'a\r\n', 'a\r\n\r\n b', 'a\r b']) {
    const { response } = await answer(t, ({ headersOut }) => headersOut.set('X-A', value))
    t.equal(response.status, 500, JSON.stringify(value))
  }
})

t.test('a value may have tabs and bytes above 127', async (t) => {
  const { response } = await answer(t, ({ headersOut }) => headersOut.set('X', 'a\tb\xe9'))
  t.equal(response.header('X'), 'a\tb\xe9')
})

for (const table of ['headersOut', 'errHeadersOut'] as const) {
  t.test(`Transfer-Encoding in ${table} is not sent unless it ends with chunked: the body is framed by its length`, async (t) => {
    const { response } = await answer(t, (request) => {
      request[table].set('transfer-encoding', 'chunked, gzip')
      request[table].set('Content-Length', '1')
    })
    t.equal(response.status, 200)
    t.equal(response.header('Transfer-Encoding'), undefined)
    t.strictSame(
      response.headers.filter(([name]) => name === 'Content-Length'),
      [['Content-Length', '6']],
    )
    t.equal(response.body, 'secret')
  })

  t.test(`a module that sets Transfer-Encoding: chunked in ${table} states its own chunks, without a length`, async (t) => {
    const { response } = await answer(t, (request) => {
      request[table].set('transfer-encoding', 'chunked')
      request[table].set('Content-Length', '1')
    })
    t.equal(response.status, 200)
    t.equal(response.header('Transfer-Encoding'), 'chunked')
    t.equal(response.header('Content-Length'), undefined)
    t.equal(response.header('Connection'), 'close', 'what follows a wrong chunk is no other response')
  })
}

t.test('a response whose status is that of an interim one is a 500', async (t) => {
  const { server, response } = await answer(t, (request) => {
    if (request.status === 200) request.status = 100
  })
  t.equal(response.status, 500)
  t.notMatch(response.body, 'secret')
  t.match(server.errors(), ['AH01579: Invalid response status 100'])
})

function namesOf({ headers }: InjectedResponse): string[] {
  return headers.map(([field]) => field)
}

t.test('a media type cannot contain additional header fields', async (t) => {
  const splitter = moduleOf('splitter', ({ hooks }) => {
    hooks.handler.add((request) => request.send('text/plain\r\nSet-Cookie: a=b', 'x'))
  })
  const server = await site({ modules: [wordsModule, splitter] })
  t.teardown(() => server.close())
  const response = await server.inject('/split')
  t.equal(response.status, 500)
  t.equal(response.header('Set-Cookie'), undefined)
  t.match(server.errors(), [/AH02430: Response header 'Content-Type' value of /])
})
