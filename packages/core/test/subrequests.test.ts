import { symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import {
  type AnyModule,
  DECLINED,
  FILTER_RANK,
  HTTP_FORBIDDEN,
  HTTP_UNAUTHORIZED,
  OK,
  type OutputFilter,
  type Request,
} from '@gatewright/api'
import { authTypeOf } from '@gatewright/api/peers'
import { type FileTree, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { moduleOf, wordsModule } from './support/modules.ts'
import { bare } from './support/refusal.ts'

const FILES: FileTree = { 'docs/f': 'f', 'docs/sub/g': 'g', 'docs/sub/h': 'h' }

async function serve(t: Test, modules: readonly AnyModule[], config = ''): Promise<TestServer> {
  const server = await site({ modules: [wordsModule, ...modules], config, files: FILES })
  t.teardown(() => server.close())
  return server
}

/** Answers `/look` with the result of a function. */
const looking = (find: (request: Request) => Promise<unknown> | unknown): AnyModule =>
  moduleOf('look', ({ hooks }) =>
    hooks.handler.add(async (request) =>
      request.uri === '/look' && request.main === null
        ? request.send('application/json', JSON.stringify(await find(request)))
        : DECLINED,
    ),
  )

const ask = async (server: TestServer, target = '/look'): Promise<unknown> => JSON.parse((await server.inject(target)).body)

t.test('a sub-request does not have the port of the Host field', async (t) => {
  const server = await serve(t, [
    looking(async (request) => {
      const sub = await request.lookupUri('/f')
      return [request.absoluteUrl('/x'), sub.absoluteUrl('/x')]
    }),
  ])
  const answer = await server.inject({ target: '/look', headers: { Host: 'h.test:8123' } })
  t.same(JSON.parse(answer.body), ['http://h.test:8123/x', 'http://h.test/x'])
})

t.test('what is set in the fields of a sub-request does not reach the request of the client', async (t) => {
  const fake = moduleOf('fake', ({ hooks }) => {
    hooks.fixups.add((request) => {
      if (request.main !== null) request.headersIn.set('Authorization', 'Basic YWxpY2U6c2VjcmV0')
      return OK
    })
  })
  const seen = looking(async (request) => {
    const sub = await request.lookupUri('/f')
    return [request.headersIn.get('Authorization') ?? null, sub.headersIn.get('Authorization')]
  })
  t.strictSame(await ask(await serve(t, [fake, seen])), [null, 'Basic YWxpY2U6c2VjcmV0'])
})

t.test('a sub-request does not have the fields that describe the body of its request', async (t) => {
  const names = ['Content-Length', 'Content-Type', 'Expires', 'Last-Modified', 'X-Other']
  const seen = looking(async (request) => {
    const sub = await request.lookupUri('/f')
    return names.filter((name) => sub.headersIn.has(name))
  })
  const server = await serve(t, [seen])
  const headers = { 'Content-Type': 'a/b', Expires: '1', 'Last-Modified': '1', 'X-Other': '1' }
  t.strictSame(JSON.parse((await server.inject({ target: '/look', headers })).body), names.slice(1), 'without a body')
  const sent = { method: 'POST', target: '/look', headers: { ...headers, 'Content-Length': '1' }, body: 'b' }
  t.strictSame(JSON.parse((await server.inject(sent)).body), ['X-Other'])
})

t.test('a sub-request reports whether a URI would be served, and its type', async (t) => {
  const server = await serve(
    t,
    [
      looking(async (request) => {
        const found: unknown[] = []
        for (const uri of ['/f', '/sub/g?x=1', 'sub/g', '/sub/../f', '/none', '/f/info']) {
          const sub = await request.lookupUri(uri)
          found.push([
            uri,
            sub.status,
            sub.uri,
            sub.args,
            sub.filename.replace(request.server.documentRoot, ''),
            sub.fileInfo?.kind ?? null,
          ])
        }
        return found
      }),
    ],
    '',
  )
  t.strictSame(await ask(server), [
    ['/f', 200, '/f', null, '/f', 'file'],
    ['/sub/g?x=1', 200, '/sub/g', 'x=1', '/sub/g', 'file'],
    ['sub/g', 200, '/sub/g', null, '/sub/g', 'file'],
    ['/sub/../f', 200, '/f', null, '/f', 'file'],
    ['/none', 200, '/none', null, '/none', null],
    ['/f/info', 200, '/f/info', null, '/f', 'file'],
  ])
})

t.test('the URI of a sub-request for a file is decoded although the name was', async (t) => {
  const server = await serve(
    t,
    [
      looking(async (request) => {
        const found: unknown[] = []
        for (const name of ['p%20q', 'p%2fq', 'p%zz', 'sub/%zz', 'f']) {
          const sub = await request.lookupFile(name)
          found.push([sub.status, sub.uri, sub.filename.replace(request.server.documentRoot, '')])
        }
        return found
      }),
    ],
    'LogLevel info',
  )
  t.match(await ask(server), [
    [200, '/p q', '/p%20q'],
    [404, '/p/q', '/p%2fq'],
    [400, '/p%zz', '/p%zz'],
    [400, '', '/sub/%zz'],
    [200, '/f', '/f'],
  ])
  t.strictSame(
    server.errors().map((line) => /AH\d+/.exec(line)?.[0]),
    ['AH00026', 'AH10244', 'AH10244'],
  )
})

t.test('a file that is looked up from a lookup that has no URI has none either', async (t) => {
  const server = await serve(t, [
    looking(async (request) => {
      const outer = await request.lookupFile(`${request.server.documentRoot}/sub/g`)
      const inner = await outer.lookupFile(`${request.server.documentRoot}/sub/h`)
      return [outer.uri, outer.status, inner.uri, inner.status]
    }),
  ])
  t.strictSame(await ask(server), ['', 200, '', 200])
  t.strictSame(server.errors(), [])
})

t.test('a condition is evaluated before and after the URL is decoded, and once more for the file', async (t) => {
  const server = await serve(t, [], `LogLevel info\n<If "-U '/%zz'">\nWord never\n</If>`)
  t.equal((await server.inject('/f')).status, 200)
  t.equal(server.errors().filter((line) => line.includes('AH10244')).length, 3)
})

t.test("a URL that cannot be decoded is answered with the server's settings, regardless of sections", async (t) => {
  const server = await serve(t, [], '<LocationMatch "^/sub/">\nErrorDocument 404 "of the section"\n</LocationMatch>')
  t.equal((await server.inject('/sub/none')).body, 'of the section')
  t.match((await server.inject('/sub/g%2f')).body, '<title>404 ')
})

t.test('-F does not hold for a file that is led elsewhere', async (t) => {
  const leading = moduleOf('leading', ({ hooks }) =>
    hooks.fixups.add((request) => {
      if (request.main !== null) request.filename = 'redirect:/f'
      return OK
    }),
  )
  const config = `<If "-F 'f'">\nWord there\n</If>`
  const plain = await serve(t, [], `<Directory @ROOT@/docs>\n${config}\n</Directory>`)
  t.equal((await plain.inject('/f')).header('X-Words'), 'there')
  const led = await serve(t, [leading], `<Directory @ROOT@/docs>\n${config}\n</Directory>`)
  t.equal((await led.inject('/f')).header('X-Words'), '')
})

t.test('a sub-request is a GET of the same client with separate tables', async (t) => {
  const server = await serve(t, [
    looking(async (request) => {
      request.env.set('A', 'before')
      const sub = await request.lookupUri('/f')
      sub.env.set('B', 'sub')
      sub.notes.set('n', 'sub')
      sub.headersOut.set('X-Sub', 'sub')
      return {
        method: sub.method,
        main: sub.main === request,
        prev: sub.prev,
        client: sub.useragentAddress,
        accept: sub.headersIn.get('accept'),
        env: [sub.env.get('A'), request.env.get('B') ?? null, request.notes.get('n') ?? null],
        header: request.headersOut.get('X-Sub') ?? null,
      }
    }),
  ])
  const response = await server.inject({
    method: 'POST',
    target: '/look',
    headers: { Accept: 'x/y' },
    body: '',
    remoteAddress: '192.0.2.9',
  })
  t.strictSame(JSON.parse(response.body), {
    method: 'GET',
    main: true,
    prev: null,
    client: '192.0.2.9',
    accept: 'x/y',
    env: ['before', null, null],
    header: null,
  })
})

t.test(
  'a sub-request for a file below the folder of its request has a URI, and meets Location sections; access is decided again there',
  async (t) => {
    const asked: string[] = []
    const module = moduleOf('below', ({ hooks }) => {
      hooks.accessChecker.add((request) => {
        asked.push(`${request.main === null ? 'request' : 'file'} ${request.uri}`)
        return OK
      })
      hooks.handler.add(async (request) => {
        if (request.uri !== '/sub/g' && request.uri !== '/f') return DECLINED
        const sub = await request.lookupFile(`${request.server.documentRoot}/${request.uri === '/f' ? 'f' : 'sub/h'}`)
        return request.send('text/plain', sub.uri)
      })
    })
    const server = await serve(t, [module], '<Location /sub>\nWord location\n</Location>')
    t.equal((await server.inject('/sub/g')).body, '/sub/h')
    t.equal((await server.inject('/f')).body, '/f')
    t.strictSame(asked, ['request /sub/g', 'file /sub/h', 'request /f'])
  },
)

t.test('a sub-request for a file beside its request meets folders and files', async (t) => {
  const config =
    '<Location /sub>\nWord location\n</Location>\n<Directory @ROOT@/docs/sub>\nWord folder\n</Directory>\n<Files h>\nWord file\n</Files>'
  const module = moduleOf('beside', ({ hooks, services: _services }) =>
    hooks.handler.add(async (request) => {
      if (request.uri !== '/sub/g') return DECLINED
      const sub = await request.lookupFile('h')
      const absolute = await request.lookupFile(`${request.server.documentRoot}/f`)
      return request.send(
        'text/plain',
        [sub.uri, sub.filename.replace(request.server.documentRoot, ''), absolute.uri, absolute.fileInfo?.kind].join(' '),
      )
    }),
  )
  const seen: string[] = []
  const words = moduleOf('seen', ({ hooks }) =>
    hooks.fixups.add((request) => {
      seen.push(`${request.main === null ? 'request' : 'sub'} ${request.uri}`)
      return OK
    }),
  )
  const server = await serve(t, [module, words], config)
  t.equal((await server.inject('/sub/g')).body, '/sub/h /sub/h  file')
  t.strictSame(seen, ['request /sub/g', 'sub /sub/h', 'sub '])
})

t.test('the phases of a sub-request depend on the kind of lookup', async (t) => {
  const trace: string[] = []
  const phases = moduleOf('phases', ({ hooks }) => {
    for (const name of [
      'postReadRequest',
      'translateName',
      'mapToStorage',
      'headerParser',
      'accessChecker',
      'typeChecker',
      'fixups',
      'handler',
    ] as const) {
      hooks[name].add(
        (request) => {
          if (request.main !== null) trace.push(name)
          return DECLINED
        },
        { rank: 'really-first' },
      )
    }
    hooks.logTransaction.add((request) => void trace.push(request.main === null ? 'logged' : 'logged sub'))
  })
  const config = '<Location /f>\nOptions None\n</Location>\n<Files h>\nOptions None\n</Files>'
  const server = await serve(
    t,
    [
      phases,
      looking(async (request) => {
        await request.lookupUri('/f')
        trace.push('|')
        await request.lookupFile(`${request.server.documentRoot}/sub/h`)
      }),
    ],
    config,
  )
  await server.inject('/look')
  t.equal(
    trace.join(' '),
    'translateName mapToStorage accessChecker typeChecker fixups | mapToStorage accessChecker typeChecker fixups logged',
  )
})

t.test('access is decided anew for other sections, and not again for the same', async (t) => {
  let asked: string[] = []
  const gate = moduleOf('gate', ({ hooks }) =>
    hooks.accessChecker.add((request) => {
      asked.push(request.uri)
      request.authType = 'Stub'
      return request.uri === '/sub/g' ? HTTP_FORBIDDEN : OK
    }),
  )
  const users = moduleOf('users', ({ hooks }) =>
    hooks.fixups.add((request) => {
      if (request.main === null) request.user = 'somebody'
      return OK
    }),
  )
  const server = await serve(
    t,
    [
      gate,
      users,
      looking(async (request) => {
        const same = await request.lookupUri('/f')
        const other = await request.lookupUri('/sub/g')
        return [same.status, same.user, same.authType, other.status, other.user]
      }),
    ],
    '<Location /sub>\nWord own\n</Location>',
  )
  t.strictSame(await ask(server), [200, 'somebody', 'Stub', 403, null])
  t.strictSame(asked, ['/look', '/sub/g'])
  asked = []
})

t.test('a Directory pattern that fits a folder counts for sub-requests into it, and for no others', async (t) => {
  const module = moduleOf('inside', ({ hooks }) =>
    hooks.handler.add(async (request) => {
      if (request.main !== null) return DECLINED
      const [inside, outside] = [await request.lookupUri('/sub/g'), await request.lookupUri('/f')]
      return request.send('text/plain', `${inside.config === request.config} ${outside.config === request.config}`)
    }),
  )
  const server = await serve(t, [module], '<DirectoryMatch "/docs/sub/$">\nWord folder\n</DirectoryMatch>')
  t.equal((await server.inject('/sub/')).body, 'true false')
  t.equal((await server.inject('/sub/h')).body, 'true true', 'where no pattern fits both folders have the same')
})

t.test('an internal redirect to other sections is decided anew', async (t) => {
  const module = moduleOf('go', ({ hooks }) => {
    hooks.accessChecker.add((request) => (request.uri === '/sub/g' ? HTTP_FORBIDDEN : OK))
    hooks.handler.add((request) => (request.uri === '/go' ? request.internalRedirect('/sub/g') : DECLINED))
  })
  const server = await serve(t, [module], '<Location /sub>\nWord own\n</Location>')
  const response = await server.inject('/go')
  t.equal(response.status, 403)
  t.notMatch(response.body, /^g$/m)
})

t.test('an internal redirect serves another URI as the answer, with the environment renamed', async (t) => {
  const seen: unknown[] = []
  const module = moduleOf('go', ({ hooks }) => {
    hooks.handler.add((request) => {
      if (request.uri !== '/go') return DECLINED
      request.env.set('VARIABLE', 'value')
      request.errHeadersOut.set('X-Kept', 'kept')
      request.headersOut.set('X-Dropped', 'dropped')
      return request.internalRedirect('/sub/g?y=2')
    })
    hooks.logTransaction.add((request) => void seen.push(request.uri))
    hooks.fixups.add((request) => {
      if (request.prev !== null) {
        seen.push(
          request.method,
          request.args,
          request.prev.uri,
          ...['REDIRECT_VARIABLE', 'REDIRECT_STATUS', 'REDIRECT_URL', 'REDIRECT_QUERY_STRING', 'VARIABLE'].map(
            (name) => request.env.get(name) ?? null,
          ),
        )
      }
      return OK
    })
  })
  const server = await serve(t, [module])
  const response = await server.inject({ method: 'POST', target: '/go?x=1', body: 'b' })
  t.match(response, { status: 200, body: 'g' })
  t.equal(response.header('X-Kept'), 'kept')
  t.equal(response.header('X-Dropped'), undefined)
  t.strictSame(seen, ['POST', 'y=2', '/go', 'value', '200', null, null, null, '/go'])
})

const redirecting = moduleOf('loop', ({ hooks }) =>
  hooks.handler.add((request) => {
    const left = /^\/loop(\d+)$/.exec(request.uri)?.[1]
    if (left === undefined) return DECLINED
    return left === '0' ? request.send('text/plain', 'out') : request.internalRedirect(`/loop${Number(left) - 1}`)
  }),
)
const TOO_MANY = (limit: number): string =>
  `[core:error] AH00124: Request exceeded the limit of ${limit} internal redirects due to probable configuration error. Use 'LimitInternalRecursion' to increase the limit if necessary. Use 'LogLevel debug' to get a backtrace.`

/** LimitInternalRecursion, a number of redirects in a row, and the status. */
const REDIRECTS: readonly (readonly [string, number, number])[] = [
  ['', 0, 200],
  ['', 10, 200],
  ['', 11, 500],
  ['LimitInternalRecursion 5', 5, 200],
  ['LimitInternalRecursion 5', 6, 500],
  ['LimitInternalRecursion 20', 20, 200],
  ['LimitInternalRecursion 20 5', 20, 200],
]

for (const [line, redirects, status] of REDIRECTS) {
  t.test(
    `${redirects} internal redirects ${status === 200 ? 'are allowed' : 'are too many'} with ${line || 'the default'}`,
    async (t) => {
      const server = await serve(t, [redirecting], line)
      const response = await server.inject(`/loop${redirects}`)
      t.equal(response.status, status)
      if (status === 200) t.equal(response.body, 'out')
      const limit = Number(line.split(' ')[1] ?? 10)
      t.strictSame(server.errors().map(bare), status === 200 ? [] : [TOO_MANY(limit)])
    },
  )
}

t.test('sub-requests within sub-requests end at a depth', async (t) => {
  const nesting = moduleOf('nesting', ({ hooks }) =>
    hooks.fixups.add(async (request) => {
      const left = Number(/^\/nest(\d+)$/.exec(request.uri)?.[1] ?? 0)
      if (left > 0) request.status = (await request.lookupUri(`/nest${left - 1}`)).status
      return OK
    }),
  )
  const status = async (line: string, depth: number): Promise<unknown> => {
    const server = await serve(
      t,
      [nesting, looking(async (request) => [(await request.lookupUri(`/nest${depth - 1}`)).status, server.errors().map(bare)])],
      line,
    )
    return ask(server)
  }
  const tooDeep = (limit: number): string =>
    `[core:error] AH00125: Request exceeded the limit of ${limit} subrequest nesting levels due to probable configuration error. Use 'LimitInternalRecursion' to increase the limit if necessary. Use 'LogLevel debug' to get a backtrace.`
  t.strictSame(await status('', 10), [200, []])
  t.strictSame(await status('', 11), [500, [tooDeep(10)]])
  t.strictSame(await status('LimitInternalRecursion 20 5', 5), [200, []])
  t.strictSame(await status('LimitInternalRecursion 20 5', 6), [500, [tooDeep(5)]])
})

t.test('a request may take over what a sub-request found', async (t) => {
  const module = moduleOf('over', ({ hooks }) =>
    hooks.fixups.add(async (request) => {
      if (request.uri !== '/over' || request.main !== null) return DECLINED
      const sub = await request.lookupUri('/sub/g')
      sub.headersOut.set('X-Sub', 'taken')
      sub.headersOut.set('Vary', 'B')
      request.headersOut.set('Vary', 'A')
      request.fastRedirect(sub)
      return OK
    }),
  )
  const server = await serve(t, [module], '<Directory @ROOT@/docs/sub>\nWord folder\n</Directory>')
  const response = await server.inject('/over')
  t.match(response, { status: 200, body: 'g' })
  t.equal(response.header('X-Sub'), 'taken')
  t.equal(response.header('Vary'), 'B,A')
  t.equal(response.header('X-Words'), 'folder')
})

t.test('a sub-request may be run: the caller receives its response after the filters', async (t) => {
  const shout: OutputFilter = {
    name: 'SHOUT',
    rank: FILTER_RANK.resource,
    filter: async (_request, body) => Buffer.from(body instanceof Uint8Array ? Buffer.from(body).toString().toUpperCase() : ''),
  }
  const words = moduleOf('made', ({ hooks, providers }) => {
    providers.outputFilters.add('SHOUT', shout)
    hooks.handler.add((request) => (request.uri === '/made' ? request.send('text/x-made', 'made') : DECLINED))
    hooks.handler.add((request) => (request.uri === '/moved' ? request.internalRedirect('/made') : DECLINED))
    hooks.handler.add((request) => (request.uri === '/late' ? Promise.resolve(HTTP_FORBIDDEN) : DECLINED))
  })
  const runs = looking(async (request) => {
    const found: unknown[] = []
    for (const uri of ['/f', '/made', '/moved', '/late', '/none', '/sub/g']) {
      const { status, contentType, body } = await (await request.lookupUri(uri)).run()
      found.push([uri, status, contentType, body instanceof Uint8Array ? Buffer.from(body).toString() : 'a stream'])
    }
    return found
  })
  const server = await serve(t, [words, runs], '<Location /sub>\nSetOutputFilter SHOUT\n</Location>')
  t.strictSame(await ask(server), [
    ['/f', 200, null, 'f'],
    ['/made', 200, 'text/x-made', 'made'],
    ['/moved', 200, 'text/x-made', 'made'],
    ['/late', 403, null, ''],
    ['/none', 404, null, ''],
    ['/sub/g', 200, null, 'G'],
  ])
})

t.test('only sub-requests can be run', async (t) => {
  const server = await serve(
    t,
    [
      looking(async (request) => {
        try {
          return await request.run()
        } catch (error) {
          return String(error)
        }
      }),
    ],
    '',
  )
  t.equal(await ask(server), 'TypeError: only a sub-request can be run')
})

t.test("the cleanups of a sub-request run with its main request's", async (t) => {
  const ran: string[] = []
  const module = looking(async (request) => {
    request.onDone(() => void ran.push('main'))
    const sub = await request.lookupUri('/f')
    sub.onDone(() => void ran.push('sub'))
    return ran.length
  })
  const server = await serve(t, [module])
  t.equal(await ask(server), 0)
  t.strictSame(ran, ['sub', 'main'])
})

t.test('a sub-request that requires another user has a challenge, made once', async (t) => {
  const server = await serve(
    t,
    [
      looking(async (request) => {
        const subs = [await request.lookupUri('/sub/g'), await request.lookupFile('sub/g'), await request.lookupUri('/f')]
        return subs.map((sub) => [sub.status, sub.errHeadersOut.getAll('WWW-Authenticate')])
      }),
      moduleOf('asking', ({ hooks, functions }) => {
        functions.offer(authTypeOf, () => 'Asking')
        hooks.accessChecker.add((request) => (request.filename.endsWith('/g') ? HTTP_UNAUTHORIZED : OK))
        hooks.noteAuthFailure.add((request, type) => {
          request.errHeadersOut.add('WWW-Authenticate', type)
          return OK
        })
      }),
    ],
    '<Files g>\nForceType text/plain\n</Files>',
  )
  t.strictSame(await ask(server), [
    [401, ['Asking']],
    [401, ['Asking']],
    [200, []],
  ])
})

t.test(
  'a sub-request for an entry of the folder has its URI, with a slash when it is a folder, and meets Location sections',
  async (t) => {
    const server = await serve(
      t,
      [
        looking(async (request) => {
          const found: unknown[] = []
          for (const [name, args] of [['f', 'y=2'], ['sub'], ['none', null], ['a:b']] as const) {
            const sub = await request.lookupEntry(name, args)
            const file = sub.filename.replace(request.server.documentRoot, '')
            found.push([sub.status, sub.uri, sub.args, file, sub.fileInfo?.kind ?? null])
          }
          return found
        }),
        moduleOf('closing', ({ hooks }) => {
          hooks.accessChecker.add((request) => (request.hasOption('Indexes') ? HTTP_FORBIDDEN : OK))
        }),
      ],
      '<Location /sub/>\nOptions +Indexes\n</Location>',
    )
    t.strictSame(await ask(server, '/look?x=1'), [
      [200, '/f', 'y=2', '/f', 'file'],
      [403, '/sub/', null, '/sub/', 'directory'],
      [200, '/none', null, '/none', null],
      [200, '/a:b', null, '/a:b', null],
    ])
  },
)

t.test('an entry inherits the path info of its request, and its URI begins with a single slash', async (t) => {
  const found: unknown[] = []
  const probing = moduleOf('probing', ({ hooks }) => {
    hooks.typeChecker.add(async (request) => {
      if (request.main !== null || !request.uri.includes('missing')) return DECLINED
      for (const name of ['f', 'sub']) {
        const sub = await request.lookupEntry(name)
        found.push([sub.uri, sub.pathInfo])
      }
      return DECLINED
    })
  })
  const server = await serve(t, [probing], 'MergeSlashes off')
  for (const url of ['/missing', '/missing/a/b', '/.//missing/a', 'http://x//missing//']) await server.inject(url)
  t.strictSame(found, [
    ['/f', ''],
    ['/sub/', ''],
    ['/f/a/b', '/a/b'],
    ['/sub//a/b', '/a/b'],
    ['/f/a', '/a'],
    ['/sub//a', '/a'],
    ['/f/', '/'],
    ['/sub//', '/'],
  ])
})

t.test("a link in the request's folder that must not be followed has a specific message", async (t) => {
  const server = await serve(
    t,
    [
      looking(async (request) => [
        (await request.lookupEntry('link')).status,
        (await request.lookupEntry('folder')).status,
        server.errors().map((line) => /AH\d+/.exec(line)?.[0]),
      ]),
    ],
    '<Directory @ROOT@/docs>\nOptions -FollowSymLinks\n</Directory>',
  )
  symlinkSync('f', join(server.serverRoot, 'docs/link'))
  symlinkSync('sub', join(server.serverRoot, 'docs/folder'))
  t.strictSame(await ask(server), [403, 403, ['AH00032', 'AH00037']])
})

t.test('Options are known by their words', async (t) => {
  const names = [
    'Indexes',
    'Includes',
    'IncludesNOEXEC',
    'FollowSymLinks',
    'SymLinksIfOwnerMatch',
    'ExecCGI',
    'MultiViews',
  ] as const
  const server = await serve(
    t,
    [looking((request) => names.filter((name) => request.hasOption(name)))],
    '<If "%{QUERY_STRING} == \'all\'">\nOptions All MultiViews\n</If>\n<If "%{QUERY_STRING} == \'two\'">\nOptions SymLinksIfOwnerMatch Indexes\n</If>',
  )
  t.strictSame(await ask(server), ['FollowSymLinks'])
  t.strictSame(await ask(server, '/look?two'), ['Indexes', 'SymLinksIfOwnerMatch'])
  t.match(await ask(server, '/look?all'), ['Indexes', 'Includes'])
  t.ok((await server.inject('/look?all')).body.includes('MultiViews'))
})

/** Options of an outer and of an inner section, and those of the two kinds of pages with elements that are in force. */
const INCLUDES: readonly (readonly [outer: string, inner: string, words: readonly string[]])[] = [
  ['None', 'Includes', ['Includes', 'IncludesNOEXEC']],
  ['None', 'IncludesNOEXEC', ['IncludesNOEXEC']],
  ['None', '-Includes +IncludesNOEXEC', ['IncludesNOEXEC']],
  ['None', '+Includes -IncludesNOEXEC', []],
  ['None', '-IncludesNOEXEC +Includes', ['Includes', 'IncludesNOEXEC']],
  ['None', '+IncludesNOEXEC -Includes', []],
  ['Includes', '-IncludesNOEXEC', []],
  ['Includes', '+IncludesNOEXEC', ['IncludesNOEXEC']],
  ['+Includes', '+IncludesNOEXEC', ['IncludesNOEXEC']],
  ['Includes', '+Indexes', ['Includes', 'IncludesNOEXEC']],
  ['IncludesNOEXEC', '+Includes', ['Includes', 'IncludesNOEXEC']],
  ['IncludesNOEXEC', '-Includes', []],
  ['All', '+IncludesNOEXEC', ['IncludesNOEXEC']],
]

t.test('IncludesNOEXEC is the part of Includes that runs no programs (CVE-2009-1195)', async (t) => {
  const names = ['Includes', 'IncludesNOEXEC'] as const
  for (const [outer, inner, words] of INCLUDES) {
    // The third section shows that what was taken away does not come back further inside.
    const config = `<Directory "@ROOT@/docs">\nOptions ${outer}\n</Directory>\n<Location "/look">\nOptions ${inner}\n</Location>
<If "true">\nServerSignature Off\n</If>`
    const server = await serve(t, [looking((request) => names.filter((name) => request.hasOption(name)))], config)
    t.strictSame(await ask(server), words, `${outer}, then ${inner}`)
  }
})

t.test('a module specifies the version of its content', async (t) => {
  const module = moduleOf('telling', ({ hooks }) =>
    hooks.handler.add((request) => {
      if (request.uri === '/none') request.setValidators()
      if (request.fileInfo?.kind !== 'directory') return DECLINED
      request.setValidators()
      return request.send('text/plain', 'a folder')
    }),
  )
  const server = await serve(t, [module], 'FileETag MTime')
  utimesSync(join(server.serverRoot, 'docs/sub'), 1_577_934_245, 1_577_934_245)
  const response = await server.inject('/sub/')
  t.equal(response.header('Last-Modified'), 'Thu, 02 Jan 2020 03:04:05 GMT')
  t.equal(response.header('ETag'), '"59b1f7226f340"')
  t.equal((await server.inject('/none')).status, 404, 'nothing is reported about a missing file')
})

t.test('shell patterns of the configuration and of clients differ in dots and backslashes', async (t) => {
  const server = await serve(t, [
    moduleOf('matching', ({ hooks, services }) =>
      hooks.handler.add((request) => {
        if (request.uri !== '/look') return DECLINED
        const written = services.shellPattern('*\\[a]')
        const sent = services.shellPattern('*\\[a]', { leadingDot: 'literal', backslash: 'ordinary' })
        return request.send(
          'application/json',
          JSON.stringify(['x[a]', '.[a]', 'x\\a', '.x\\a'].map((name) => [written.matches(name), sent.matches(name)])),
        )
      }),
    ),
  ])
  t.strictSame(await ask(server), [
    [true, false],
    [true, false],
    [false, true],
    [false, false],
  ])
})
