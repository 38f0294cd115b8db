import { type AnyModule, DECLINED, HTTP_FORBIDDEN, HTTP_INTERNAL_SERVER_ERROR, HTTP_UNAUTHORIZED, OK } from '@gatewright/api'
import { type FileTree, rawExchange, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { moduleOf, wordsModule } from './support/modules.ts'

const FILES: FileTree = { 'docs/f': 'f', 'docs/404.txt': 'our own page', 'docs/d/x': '' }
const HTML = 'text/html; charset=iso-8859-1'

async function serve(t: Test, config: string, modules: readonly AnyModule[] = []): Promise<TestServer> {
  const server = await site({ modules: [wordsModule, ...modules], config, files: FILES })
  t.teardown(() => server.close())
  return server
}

/** An ErrorDocument line for 404, and the answer to a request for a missing resource. */
const FORMS: readonly (readonly [string, { status: number; body?: string; type?: string; location?: string }])[] = [
  ['ErrorDocument 404 "not here"', { status: 404, body: 'not here', type: HTML }],
  ['ErrorDocument 404 "not here', { status: 404, body: 'not here', type: HTML }],
  ['ErrorDocument 404 "say \\"no\\""', { status: 404, body: 'say "no"', type: HTML }],
  ['ErrorDocument 404 plain', { status: 404, body: 'plain', type: HTML }],
  ['ErrorDocument 404 "for %{REQUEST_URI}"', { status: 404, body: 'for /none', type: HTML }],
  ['ErrorDocument 404 /404.txt', { status: 404, body: 'our own page' }],
  ['ErrorDocument 404 "/404.txt"', { status: 404, body: 'our own page' }],
  ["ErrorDocument 404 '/404.txt'", { status: 404, body: 'our own page' }],
  ['ErrorDocument 404 "/404.txt x"', { status: 404, body: '/404.txt x', type: HTML }],
  ['ErrorDocument 404 "http://other.example/ x"', { status: 404, body: 'http://other.example/ x', type: HTML }],
  ['ErrorDocument 404 "http://other.example/x"', { status: 302, location: 'http://other.example/x', type: HTML }],
  ['ErrorDocument 404 mailto:x@y', { status: 302, location: 'mailto:x@y', type: HTML }],
  ['ErrorDocument 404 //x/y', { status: 404, type: HTML }],
  ['ErrorDocument 404 "Default"', { status: 404, type: HTML }],
  ['ErrorDocument 404 http://other.example/x', { status: 302, location: 'http://other.example/x', type: HTML }],
  ['ErrorDocument 404 default', { status: 404, type: HTML }],
  ['ErrorDocument 404 "text"\nErrorDocument 404 default', { status: 404, type: HTML }],
  [
    'ErrorDocument 404 "text"\n<Location /none>\nErrorDocument 403 "other"\n</Location>',
    { status: 404, body: 'text', type: HTML },
  ],
  [
    'ErrorDocument 404 "text"\n<Location /none>\nErrorDocument 404 "nearer"\n</Location>',
    { status: 404, body: 'nearer', type: HTML },
  ],
  ['ErrorDocument 404 "text"\n<Location /none>\nErrorDocument 404 default\n</Location>', { status: 404, type: HTML }],
  ['ErrorDocument 403 "text"', { status: 404, type: HTML }],
]

for (const [config, expected] of FORMS) {
  t.test(
    `${JSON.stringify(config)} answers with ${expected.status} ${expected.body ?? expected.location ?? 'and the built-in page'}`,
    async (t) => {
      const server = await serve(t, config)
      const { status, body, header } = await server.inject('/none')
      t.equal(status, expected.status)
      if (expected.body === undefined) t.match(body, `<title>${expected.status} `)
      else t.equal(body, expected.body)
      t.equal(header('Content-Type'), expected.type)
      t.equal(header('Location'), expected.location)
      t.equal(header('Content-Length'), String(body.length))
      t.strictSame(server.errors(), [])
    },
  )
}

t.test('a HEAD request gets the head of the error document and nothing else', async (t) => {
  const server = await serve(t, 'ErrorDocument 404 /404.txt')
  t.match(await server.inject({ method: 'HEAD', target: '/none' }), { status: 404, body: '' })
})

t.test('a POST gets the error document by GET, and so does a HEAD', async (t) => {
  const methods: string[] = []
  const look = moduleOf('look', ({ hooks }) =>
    hooks.fixups.add((request) => {
      methods.push(request.method)
      return OK
    }),
  )
  const server = await serve(t, 'ErrorDocument 404 /404.txt', [look])
  const response = await server.inject({ method: 'POST', target: '/none', body: 'x' })
  t.match(response, { status: 404, body: 'our own page' })
  t.match(await server.inject({ method: 'HEAD', target: '/none' }), { status: 404, body: '' })
  t.strictSame(methods, ['POST', 'GET', 'HEAD', 'GET'])
})

t.test('the local document receives the original request and status', async (t) => {
  const seen: unknown[] = []
  const look = moduleOf('look', ({ hooks }) =>
    hooks.fixups.add((request) => {
      if (request.prev !== null) {
        seen.push(request.uri, request.args, request.status, request.prev.uri)
        for (const name of ['REDIRECT_STATUS', 'REDIRECT_URL', 'REDIRECT_QUERY_STRING']) seen.push(request.env.get(name))
      }
      return OK
    }),
  )
  const server = await serve(t, 'ErrorDocument 404 /404.txt?why', [look])
  await server.inject('/none?x=1')
  // Only programs receive the URL and the query, and there are none.
  t.strictSame(seen, ['/404.txt', 'why', 404, '/none', '404', undefined, undefined])
})

t.test('if the document fails as well, the built-in page of the first error mentions it', async (t) => {
  for (const [config, modules] of [
    ['ErrorDocument 404 /also-missing', []],
    [
      'ErrorDocument 404 /404.txt\n<Location /404.txt>\nWord x\n</Location>',
      [moduleOf('closed', ({ hooks }) => hooks.accessChecker.add(({ uri }) => (uri === '/404.txt' ? HTTP_FORBIDDEN : OK)))],
    ],
  ] as const) {
    const server = await serve(t, config, modules)
    const { status, body } = await server.inject('/none')
    t.equal(status, 404)
    t.match(body, /<title>404 Not Found<\/title>/)
    t.match(body, /could not be shown:\nthe attempt ended with 404 Not Found\./)
    t.notMatch(body, 'our own page')
  }
})

t.test('what a document that fails as well adds to the headers of errors is sent, a challenge for instance', async (t) => {
  const gate = moduleOf('gate', ({ hooks }) =>
    hooks.accessChecker.add((request) => {
      if (request.uri !== '/404.txt') return OK
      request.errHeadersOut.set('WWW-Authenticate', 'Basic realm="x"')
      return HTTP_UNAUTHORIZED
    }),
  )
  const config = 'ErrorDocument 404 /404.txt\n<Location /404.txt>\nWord x\n</Location>'
  const server = await serve(t, config, [gate])
  const response = await server.inject('/none')
  t.equal(response.status, 404)
  t.equal(response.header('WWW-Authenticate'), 'Basic realm="x"')
})

t.test('an error document that leads to itself ends', async (t) => {
  const server = await serve(t, 'ErrorDocument 404 /none')
  const { status, body } = await server.inject('/none')
  t.equal(status, 404)
  t.match(body, '<title>404 Not Found</title>')
})

t.test('headers of the success go, headers that are sent always stay', async (t) => {
  const sets = moduleOf('sets', ({ hooks }) =>
    hooks.fixups.add((request) => {
      request.headersOut.set('X-Success', 'yes')
      request.errHeadersOut.set('X-Always', 'yes')
      return request.uri === '/closed' ? HTTP_FORBIDDEN : DECLINED
    }),
  )
  for (const config of ['', 'ErrorDocument 403 "text"']) {
    const { status, header } = await (await serve(t, config, [sets])).inject('/closed')
    t.equal(status, 403)
    t.equal(header('X-Success'), undefined)
    t.equal(header('X-Always'), 'yes')
  }
})

t.test('an ErrorDocument of a section counts for errors that the section causes', async (t) => {
  const closed = moduleOf('closed', ({ hooks }) =>
    hooks.accessChecker.add(({ uri }) => (uri.startsWith('/d/') ? HTTP_FORBIDDEN : OK)),
  )
  const server = await serve(t, '<Directory @ROOT@/docs/d>\nErrorDocument 403 "closed here"\n</Directory>', [closed])
  t.match(await server.inject('/d/x'), { status: 403, body: 'closed here' })
})

t.test('an error of the request line is answered by the document of the server', async (t) => {
  const server = await serve(t, 'ErrorDocument 400 "bad request"')
  t.match(await server.inject('/%zz'), { status: 400, body: 'bad request' })
  t.match(await server.inject({ target: '/', headers: { Host: 'a b' } }), { status: 400 })
})

t.test('an error that ends the connection ends it under the page of the error before it as well', async (t) => {
  const broken = moduleOf('broken', ({ hooks }) => {
    hooks.fixups.add(({ uri }) => (uri === '/broken' ? HTTP_INTERNAL_SERVER_ERROR : DECLINED))
  })
  const server = await serve(t, 'ErrorDocument 404 /broken\nErrorDocument 500 http://other.example/', [broken])
  const port = await server.listen()
  for (const [path, status] of [
    ['/none', 404],
    ['/broken', 302],
  ] as const) {
    const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
    const answers = (await rawExchange(port, request.repeat(2))).split(/(?=HTTP\/1\.1 )/)
    t.equal(answers.length, 1)
    t.ok(answers[0]?.startsWith(`HTTP/1.1 ${status} `))
    t.match(answers[0], '\r\nConnection: close\r\n')
  }
})

t.test(
  'an ErrorDocument beyond the limit of redirects is an internal error, and the page mentions the first error',
  async (t) => {
    const redirecting = moduleOf('redirecting', ({ hooks }) => {
      hooks.handler.add((request) => {
        const step = /^\/step(\d)$/.exec(request.uri)?.[1]
        if (step === undefined) return DECLINED
        return step === '0' ? HTTP_FORBIDDEN : request.internalRedirect(`/step${Number(step) - 1}`)
      })
    })
    const server = await serve(t, 'LimitInternalRecursion 3\nErrorDocument 403 /404.txt', [redirecting])
    const within = await server.inject('/step2')
    t.same([within.status, within.body], [403, 'our own page'])
    const beyond = await server.inject('/step3')
    t.equal(beyond.status, 500)
    t.match(beyond.body, /<title>500 Internal Server Error<\/title>[\s\S]*403 Forbidden/)
  },
)

t.test('an error document that fails with the fields of a sub-request does not send them with the first error', async (t) => {
  const asking = moduleOf('asking', ({ hooks }) => {
    hooks.accessChecker.add((request) => (request.uri === '/denied' ? HTTP_FORBIDDEN : OK))
    hooks.fixups.add(async (request) => {
      if (request.uri === '/asks') request.errHeadersOut.set('X-Challenge', 'who')
      if (request.uri === '/page') request.addFieldsOf(await request.lookupUri('/asks'))
      return request.uri === '/asks' || request.uri === '/page' ? HTTP_UNAUTHORIZED : OK
    })
  })
  const server = await serve(t, 'ErrorDocument 403 /page', [asking])
  const page = await server.inject('/page')
  t.same([page.status, page.header('X-Challenge')], [401, 'who'])
  const denied = await server.inject('/denied')
  t.same([denied.status, denied.header('X-Challenge')], [403, undefined])
})

t.test('the length of an error page is stated unless the page is longer than the buffer of httpd', async (t) => {
  const server = await serve(
    t,
    `ErrorDocument 404 "${'x'.repeat(8000)}"\n<Location /long>\nErrorDocument 404 "${'x'.repeat(8001)}"\n</Location>`,
  )
  t.equal((await server.inject('/short')).header('Content-Length'), '8000')
  const long = await server.inject('/long')
  t.match(long, { status: 404, body: 'x'.repeat(8001) })
  t.equal(long.header('Content-Length'), undefined)
})
