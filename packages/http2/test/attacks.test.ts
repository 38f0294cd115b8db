import t, { type Test } from 'tap'
import type { Http2Exchange } from '../src/index.ts'
import { WaitingChunks } from '../src/waiting-chunks.ts'
import {
  answerPlainly,
  answers,
  describe,
  FrameClient,
  frameBytes,
  type Handler,
  headOf,
  pseudoFields,
  uint32,
} from './support/client.ts'

const ENHANCE_YOUR_CALM = 'GOAWAY 11'
const FLOW_ERRORS = 'GOAWAY 1 last 17'

/**
 * An attacker and an ordinary client of one engine. After the attack, the ordinary client is served, the attacker is
 * disconnected with one line in the log if `ends`, and the engine counts one connection less.
 */
async function attack(
  t: Test,
  { ends, handler = answerPlainly, run }: { ends: string | null; handler?: Handler; run(client: FrameClient): Promise<void> },
): Promise<FrameClient> {
  const attacker = FrameClient.begun(handler)
  const other = FrameClient.beside(attacker)
  await attacker.frames()
  await other.frames()
  await run(attacker)
  await attacker.frames()
  other.request(1, '/ordinary')
  t.same(await answers(other), ['HEADERS 1 200', 'DATA 1 "/ordinary" end'], 'another client is served')
  const last =
    attacker.seen
      .map(describe)
      .filter((text) => text.startsWith('GOAWAY'))
      .at(-1) ?? null
  if (ends === null) t.equal(last, null, 'the connection persists')
  else {
    t.match(last ?? 'no GOAWAY', ends)
    t.equal(attacker.transport.ended, true)
  }
  const lines = attacker.reports.filter((line) => line.startsWith('info:'))
  t.equal(lines.length, ends === ENHANCE_YOUR_CALM || ends === FLOW_ERRORS ? 1 : 0, 'lines at level info')
  return attacker
}

t.test('streams that are opened and reset at once never begin, and are limited (CVE-2023-44487)', async (t) => {
  const attacker = await attack(t, {
    ends: ENHANCE_YOUR_CALM,
    async run(client) {
      for (let stream = 1; stream < 4000 && !client.transport.ended; stream += 2) {
        const request = frameBytes(1, 5, stream, client.block(pseudoFields('GET', '/')))
        client.transport.feed(Buffer.concat([request, frameBytes(3, 0, stream, uint32(8))]))
        if (stream % 200 === 1) await client.frames()
      }
    },
  })
  t.same(
    attacker.exchanges.map(({ target }) => target),
    ['/ordinary'],
  )
})

t.test('requests whose stream was reset count until the host has ended them', async (t) => {
  const waiting: (() => void)[] = []
  const attacker = await attack(t, {
    ends: null,
    handler: (exchange) =>
      void (exchange.target === '/ordinary' ? answerPlainly(exchange) : waiting.push(() => answerPlainly(exchange))),
    async run(client) {
      for (let stream = 1; stream < 1200; stream += 2) {
        client.request(stream)
        await client.frames()
        client.send(3, 0, stream, uint32(8))
      }
    },
  })
  t.equal(attacker.exchanges.filter(({ target }) => target === '/').length, 100, 'as many as streams may be open')
  t.equal(attacker.exchanges[0].connection.streams.waiting, 0, 'what was reset before its turn is forgotten')
  for (const answer of waiting) answer()
})

t.test('header blocks that are much longer when decoded are limited', async (t) => {
  const attacker = await attack(t, {
    ends: ENHANCE_YOUR_CALM,
    async run(client) {
      client.request(1, '/', [['x-a', 'y'.repeat(3900)]])
      for (let stream = 3; stream < 4000 && !client.transport.ended; stream += 2) {
        client.send(1, 5, stream, Buffer.concat([client.block(pseudoFields('GET', '/')), Buffer.alloc(30, 0xbe)]))
        if (stream % 20 === 1) await client.frames()
      }
    },
  })
  t.match(attacker.reports, ['info: session closed: too many header blocks that grow (ENHANCE_YOUR_CALM)'])
})

t.test('streams that the client makes the server reset are limited, too (CVE-2025-8671)', async (t) => {
  await attack(t, {
    ends: ENHANCE_YOUR_CALM,
    handler: answerOrdinary,
    async run(client) {
      for (let stream = 1; stream < 4000 && !client.transport.ended; stream += 2) {
        client.request(stream, '/', [['content-length', '9']], 'POST', false)
        client.send(0, 1, stream, 'short')
        if (stream % 20 === 1) await client.frames()
      }
    },
  })
})

t.test('streams whose client ignores flow control are few: the ninth ends the connection', async (t) => {
  await attack(t, {
    ends: FLOW_ERRORS,
    handler: answerOrdinary,
    async run(client) {
      for (let stream = 1; stream < 4000 && !client.transport.ended; stream += 2) {
        client.request(stream, '/', [], 'POST', false)
        client.send(8, 0, stream, uint32(0x7fff_ffff))
      }
    },
  })
})

t.test('a header block in too many frames ends the connection (CVE-2024-28182)', async (t) => {
  await attack(t, {
    ends: ENHANCE_YOUR_CALM,
    async run(client) {
      client.send(1, 1, 1, client.block(pseudoFields('GET', '/')))
      for (let i = 0; i < 100 && !client.transport.ended; i++) client.send(9, 0, 1)
    },
  })
})

t.test('a header block that is long when decoded is refused, and the table stays in step', async (t) => {
  const attacker = await attack(t, {
    ends: null,
    async run(client) {
      const large: [string, string] = ['x-a', 'y'.repeat(3900)]
      client.request(1, '/', [large])
      client.send(1, 5, 3, Buffer.concat([client.block(pseudoFields('GET', '/')), Buffer.alloc(16_000, 0xbe)]))
      client.request(5, '/', [large])
    },
  })
  t.same(
    attacker.seen.map(describe).filter((text) => text.startsWith('HEADERS')),
    ['HEADERS 1 200', 'HEADERS 3 431 end', 'HEADERS 5 200'],
  )
})

/** Answers only the other client. */
function answerOrdinary(exchange: Http2Exchange): void {
  if (exchange.target === '/ordinary') answerPlainly(exchange)
}

const FLOODS: Readonly<Record<string, (client: FrameClient, index: number) => void>> = {
  settings: (client) => client.send(4, 0, 0),
  pings: (client) => client.send(6, 0, 0, '12345678'),
  'frames of an unknown type': (client) => client.send(99, 0, 0),
  'frames without data': (client) => client.send(0, 0, 1),
  priorities: (client) => client.send(2, 0, 7, Buffer.concat([uint32(1), Buffer.from([9])])),
  'updates of priorities': (client) => client.send(16, 0, 0, Buffer.concat([uint32(1), Buffer.from('u=1')])),
  'updates of windows': (client) => client.send(8, 0, 1, uint32(1)),
}
for (const [name, flood] of Object.entries(FLOODS)) {
  t.test(`a flood of ${name} ends the connection`, async (t) => {
    await attack(t, {
      ends: ENHANCE_YOUR_CALM,
      handler: answerOrdinary,
      async run(client) {
        client.request(1, '/', [], 'POST', false)
        for (let i = 0; i < 30_000 && !client.transport.ended; i++) {
          flood(client, i)
          if (i % 1000 === 0) await client.frames()
        }
      },
    })
  })
}

t.test('answers that the client does not read stop the reading of its frames', async (t) => {
  const attacker = FrameClient.begun(answerPlainly)
  await attacker.frames()
  attacker.transport.stall()
  const ping = frameBytes(6, 0, 0, '12345678')
  const pings = Buffer.concat(Array.from({ length: 1000 }, () => ping))
  for (let i = 0; i < 9; i++) attacker.transport.feed(pings)
  for (let stream = 1; stream < 2000; stream += 2) attacker.request(stream, '/', [['x', 'y'.repeat(900)]])
  t.ok(attacker.transport.writableLength < 600_000, `${attacker.transport.writableLength} bytes are waiting`)
})

t.test('a client that opens no window occupies one response for a stream, until its time is over', async (t) => {
  const attacker = await attack(t, {
    ends: null,
    handler: (exchange) =>
      exchange.target === '/ordinary' ? answerPlainly(exchange) : exchange.respond(headOf(200), Buffer.alloc(1000), null),
    async run(client) {
      client.send(4, 0, 0, Buffer.concat([Buffer.from([0, 4]), uint32(0)]))
      for (let stream = 1; stream < 200; stream += 2) client.request(stream)
      await client.frames()
    },
  })
  t.same(
    attacker.exchanges.filter(({ answered }) => answered).map(({ target }) => target),
    ['/ordinary'],
  )
  attacker.engine.now += 61_000
  attacker.engine.tick()
  t.equal(
    attacker.exchanges.every(({ answered }) => answered),
    true,
  )
})

const TRICKS: Readonly<Record<string, (client: FrameClient) => void>> = {
  'an even number': (client) => client.request(2),
  'number 0': (client) => client.request(0),
  'data on an idle stream': (client) => client.send(0, 1, 9, 'x'),
  'a reset of an idle stream': (client) => client.send(3, 0, 9, uint32(8)),
  'a window for an idle stream': (client) => client.send(8, 0, 9, uint32(1)),
  'an acknowledgement of nothing': (client) => {
    client.send(4, 1, 0)
    client.send(4, 1, 0)
  },
  'a promise': (client) => client.send(5, 4, 1, uint32(2)),
}
for (const [name, trick] of Object.entries(TRICKS)) {
  t.test(`${name} is an error of the protocol`, async (t) => {
    await attack(t, { ends: 'GOAWAY 1 ', run: async (client) => trick(client) })
  })
}

t.test('a body in single bytes that nobody takes needs little more memory than its bytes', async (t) => {
  const waiting = new WaitingChunks()
  const source = Buffer.from(Array.from({ length: 65_535 }, (_, index) => index % 251))
  for (let at = 0; at < source.length; at++) waiting.push(source, at, at + 1)
  t.ok(waiting.count < 20, `${waiting.count} buffers`)
  const taken: Buffer[] = []
  for (let chunk = waiting.shift(); chunk !== undefined; chunk = waiting.shift()) taken.push(chunk)
  t.ok(Buffer.concat(taken).equals(source), 'in their order')
})

t.test('pieces of all sizes keep their order, and are counted when they are given up', async (t) => {
  const waiting = new WaitingChunks()
  const source = Buffer.from(Array.from({ length: 30_000 }, (_, index) => index % 251))
  const taken: Buffer[] = []
  let at = 0
  for (const length of [1, 2, 4000, 300, 300, 512, 513, 1, 9000, 3, 4096, 511, 511]) {
    waiting.push(source, at, at + length)
    at += length
    if (length === 300) taken.push(waiting.shift() ?? Buffer.alloc(0))
  }
  const rest = taken.reduce((sum, { length }) => sum + length, 0)
  for (let left = 4; left > 0; left--) taken.push(waiting.shift() ?? Buffer.alloc(0))
  const gone = taken.reduce((sum, { length }) => sum + length, 0)
  t.ok(gone > rest)
  t.ok(Buffer.concat(taken).equals(source.subarray(0, gone)))
  t.equal(waiting.clear(), at - gone)
  t.equal(waiting.isEmpty, true)
})

t.test('more streams than allowed are an error once the client knows the limit', async (t) => {
  const client = FrameClient.begun(() => {}, { maxStreams: 2 })
  client.request(1)
  client.request(3)
  client.request(5)
  t.same(await answers(client), ['RST_STREAM 5 7'], 'refused before it knows')
  client.send(4, 1, 0)
  client.request(7)
  t.match((await answers(client)).at(-1), /^GOAWAY 1 /)
})

const INJECTIONS: Readonly<Record<string, readonly [string, string][]>> = {
  'a line feed in the path': [
    [':method', 'GET'],
    [':scheme', 'http'],
    [':authority', 'a'],
    [':path', '/\nX: y'],
  ],
  'a blank in the path': [
    [':method', 'GET'],
    [':scheme', 'http'],
    [':authority', 'a'],
    [':path', '/ HTTP/1.1'],
  ],
  'a blank in the method': [
    [':method', 'GET / HTTP/1.1'],
    [':scheme', 'http'],
    [':authority', 'a'],
    [':path', '/'],
  ],
  'a line end in the authority': [
    [':method', 'GET'],
    [':scheme', 'http'],
    [':authority', 'a\r\nX: y'],
    [':path', '/'],
  ],
  'a slash in the authority': [
    [':method', 'GET'],
    [':scheme', 'http'],
    [':authority', 'a/b'],
    [':path', '/'],
  ],
  'a scheme that is none': [
    [':method', 'GET'],
    [':scheme', 'http://x/'],
    [':authority', 'a'],
    [':path', '/'],
  ],
  'a line end in a value': [...pseudoFields('GET', '/'), ['x', 'y\r\nz: 1']].map(([name, value]) => [name, value]),
  'a line end in a name': [...pseudoFields('GET', '/'), ['x\r\ny', 'z']].map(([name, value]) => [name, value]),
  'Transfer-Encoding': [...pseudoFields('POST', '/'), ['transfer-encoding', 'chunked']].map(([name, value]) => [name, value]),
  'two lengths': [...pseudoFields('POST', '/'), ['content-length', '0'], ['content-length', '0']].map(([name, value]) => [
    name,
    value,
  ]),
  'two paths': [...pseudoFields('GET', '/'), [':path', '/x']].map(([name, value]) => [name, value]),
  'an unknown pseudo field': [...pseudoFields('GET', '/'), [':x', 'y']].map(([name, value]) => [name, value]),
}
for (const [name, fields] of Object.entries(INJECTIONS)) {
  t.test(`a request with ${name} is reset, and no host sees it`, async (t) => {
    const client = FrameClient.begun(answerPlainly)
    client.send(1, 5, 1, client.block(fields))
    t.same(await answers(client), ['RST_STREAM 1 1'])
    t.equal(client.exchanges.length, 0)
  })
}

t.test('an error of the host ends its connection, and reaches nobody else', async (t) => {
  const client = FrameClient.begun(() => {
    throw new Error('a mistake of the host')
  })
  t.doesNotThrow(() => client.request(1))
  t.equal(client.reports.length, 1)
  await client.frames()
  t.equal(client.closed, true)
})
