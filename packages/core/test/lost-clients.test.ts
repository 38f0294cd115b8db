import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { DECLINED, DONE, FILTER_RANK, HTTP_FORBIDDEN, OK, type Outcome } from '@gatewright/api'
import { rawExchange, site } from '@gatewright/testing'
import t from 'tap'
import { moduleOf, openModule } from './support/modules.ts'

const FILES = { 'docs/f.txt': 'file' }

t.test('a client that resets while its request is decided is logged and cleaned up after, whatever the decision', async (t) => {
  const logged: string[] = []
  let cleaned = 0
  const slow = moduleOf('slow', ({ hooks }) => {
    hooks.accessChecker.add(async (request) => {
      request.onDone(() => void cleaned++)
      await pause(100)
      return request.uri === '/no' ? HTTP_FORBIDDEN : OK
    })
    hooks.logTransaction.add((request) => void logged.push(request.uri))
  })
  const server = await site({ modules: [openModule, slow], files: FILES })
  t.teardown(() => server.close())
  const port = await server.listen()
  for (const path of ['/f.txt', '/no']) {
    const socket = await connected(port)
    socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n`)
    await pause(30)
    socket.resetAndDestroy()
  }
  await until(() => logged.length === 2)
  t.same(logged.sort(), ['/f.txt', '/no'])
  t.equal(cleaned, 2)
  t.equal(server.worker.status().busy, 0)
})

t.test('a client that resets while a stream is silent ends the stream, and the request is logged', async (t) => {
  const logged: string[] = []
  let ended = false
  const events = moduleOf('events', ({ hooks }) => {
    hooks.handler.add((request) => {
      if (request.uri !== '/events') return DECLINED
      let sent = false
      const body: AsyncIterable<string> = {
        [Symbol.asyncIterator]: () => ({
          next: () => {
            if (sent) return new Promise(() => undefined)
            sent = true
            return Promise.resolve({ done: false, value: 'one' })
          },
          return: () => {
            ended = true
            return Promise.resolve({ done: true, value: undefined })
          },
        }),
      }
      return request.send('text/plain', body)
    })
    hooks.logTransaction.add((request) => void logged.push(request.uri))
  })
  const server = await site({ modules: [openModule, events], files: FILES })
  t.teardown(() => server.close())
  const socket = await connected(await server.listen())
  socket.write('GET /events HTTP/1.1\r\nHost: a\r\n\r\n')
  await new Promise((resolve) => socket.once('data', resolve))
  socket.resetAndDestroy()
  await until(() => logged.length === 1)
  t.same(logged, ['/events'])
  t.ok(ended, 'its source is closed')
})

t.test('a handler that reads a part of the body may refuse the request, or leave it to others', async (t) => {
  const partly = moduleOf('partly', ({ hooks }) => {
    hooks.handler.add(async (request) => {
      for await (const _ of request.readBody()) break
      return request.uri === '/no' ? HTTP_FORBIDDEN : DECLINED
    })
  })
  const server = await site({ modules: [openModule, partly], files: FILES })
  t.teardown(() => server.close())
  const port = await server.listen()
  for (const [path, status] of [
    ['/no', 403],
    ['/f.txt', 200],
  ] as const) {
    const text = await rawExchange(
      port,
      `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 10\r\n\r\n1234567890`,
    )
    t.match(text, new RegExp(`^HTTP/1\\.1 ${status} `), path)
  }
  t.same(
    server.errors().filter((line) => line.includes('crit')),
    [],
  )
})

t.test('what is no status of a response does not leave the client without one when a filter returns it', async (t) => {
  for (const [given, status, body] of [
    [DONE, 500, /Internal Server Error/],
    [DECLINED, 500, /Internal Server Error/],
    [OK, 200, /^censored$/],
    [HTTP_FORBIDDEN, 403, /Forbidden/],
  ] as readonly (readonly [Outcome, number, RegExp])[]) {
    for (const waits of [false, true]) {
      const filters = moduleOf('filters', ({ hooks }) => {
        hooks.insertFilter.add((request) => {
          request.addOutputFilter({
            name: 'FIRST',
            rank: FILTER_RANK.resource,
            filter: () => (waits ? Promise.resolve(given) : given),
          })
          request.addOutputFilter({ name: 'SECOND', rank: FILTER_RANK.resource, filter: () => Buffer.from('censored') })
        })
      })
      const server = await site({ modules: [openModule, filters], files: FILES })
      const response = await server.inject('/f.txt')
      t.equal(response.status, status, `${String(given)} ${waits}`)
      t.match(response.body, body, 'the filters after it still run')
      await server.close()
    }
  }
})

t.test('an error page whose filter fails each time ends in a response without a page', async (t) => {
  for (const waits of [false, true]) {
    let calls = 0
    const bad = moduleOf('bad', ({ hooks }) => {
      hooks.insertErrorFilter.add((request) =>
        request.addOutputFilter({
          name: 'BAD',
          rank: FILTER_RANK.protocol,
          filter: () => {
            calls++
            if (waits) return Promise.reject(new Error('x'))
            throw new Error('x')
          },
        }),
      )
    })
    const server = await site({ modules: [openModule, bad], files: FILES })
    const response = await server.inject('/absent')
    t.equal(response.status, 500)
    t.equal(response.body, '')
    t.ok(calls < 10, `${calls} calls`)
    await server.close()
  }
})

t.test('a response is logged and counted before the next request of its connection is served', async (t) => {
  const logged: string[] = []
  const late = moduleOf('late', ({ hooks }) => {
    hooks.handler.add((request) =>
      request.uri === '/late' ? pause(20).then(() => request.send('text/plain', 'late')) : DECLINED,
    )
    hooks.logTransaction.add((request) => void logged.push(`${request.uri} ${request.connection.keepalives}`))
  })
  const server = await site({ modules: [openModule, late], files: FILES, config: 'MaxKeepAliveRequests 1' })
  t.teardown(() => server.close())
  const port = await server.listen()
  const text = await rawExchange(
    port,
    'GET /late HTTP/1.1\r\nHost: a\r\n\r\nGET /f.txt HTTP/1.1\r\nHost: a\r\n\r\nGET /f.txt?2 HTTP/1.1\r\nHost: a\r\n\r\n',
  )
  t.same(logged, ['/late 0', '/f.txt 1'])
  t.equal(text.match(/HTTP\/1\.1 200/g)?.length, 2)
})

t.test('a stream that is not sent is closed', async (t) => {
  const closed: string[] = []
  const streams = moduleOf('streams', ({ hooks }) => {
    hooks.handler.add((request) => {
      if (request.uri === '/304') request.status = 304
      const body: AsyncIterable<string> = {
        [Symbol.asyncIterator]: () => ({
          next: () => Promise.resolve({ done: true, value: undefined }),
          return: () => {
            closed.push(request.uri)
            return Promise.resolve({ done: true, value: undefined })
          },
        }),
      }
      return request.send('text/plain', body)
    })
    hooks.fixupHeaders.add((request) => {
      if (request.uri === '/failed') throw new Error('x')
    })
  })
  const server = await site({ modules: [openModule, streams], files: FILES })
  t.teardown(() => server.close())
  for (const [method, target, status] of [
    ['GET', '/sent', 200],
    ['HEAD', '/head', 200],
    ['GET', '/304', 304],
    ['GET', '/failed', 500],
  ] as const)
    t.equal((await server.inject({ method, target })).status, status, target)
  t.same(closed.sort(), ['/304', '/failed', '/head'])
})

t.test('a handler that fails after its redirect has begun to answer changes neither the answer nor the log', async (t) => {
  const logged: string[] = []
  const ended: string[] = []
  const redirecting = moduleOf('redirecting', ({ hooks }) => {
    hooks.handler.add(async (request) => {
      request.onDone(() => void ended.push(request.uri))
      if (request.uri === '/new') {
        const body = async function* (): AsyncGenerator<string> {
          yield 'new'
          await pause(50)
          yield 'er'
        }
        return request.send('text/plain', body())
      }
      if (request.uri !== '/old') return DECLINED
      await request.internalRedirect('/new')
      return HTTP_FORBIDDEN
    })
    hooks.logTransaction.add((request) => void logged.push(request.uri))
  })
  const server = await site({ modules: [openModule, redirecting], files: FILES, config: 'ErrorDocument 403 /f.txt' })
  t.teardown(() => server.close())
  const response = await server.inject('/old')
  t.equal(response.status, 200)
  t.equal(response.body, 'newer')
  t.same(logged, ['/old'])
  t.same(ended, ['/new', '/old'], 'cleaned up, last first')
})

t.test('the time of a redirect is not charged to the function that waits for it', async (t) => {
  const redirecting = moduleOf('redirecting', ({ hooks }) => {
    hooks.fixups.add(async (request) => {
      if (request.uri === '/new') await pause(700)
      return OK
    })
    hooks.handler.add(async (request) => {
      if (request.uri === '/old') return request.internalRedirect('/new')
      if (request.uri !== '/new') return DECLINED
      await pause(700)
      return request.send('text/plain', 'new')
    })
  })
  const server = await site({ modules: [openModule, redirecting], files: FILES, config: 'Timeout 1' })
  t.teardown(() => server.close())
  const response = await server.inject('/old')
  t.equal(response.status, 200)
  t.equal(response.body, 'new')
})

function connected(port: number): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => resolve(socket))
    socket.on('error', () => undefined)
  })
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(10)
}
