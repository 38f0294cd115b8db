import { openSync } from 'node:fs'
import t from 'tap'
import type { Http2Exchange } from '../src/index.ts'
import {
  answerPlainly,
  answers,
  describe,
  type Field,
  FrameClient,
  type Handler,
  headOf,
  pseudoFields,
} from './support/client.ts'

const LIMITS = { limitRequestLine: 48, limitRequestFieldSize: 100 }

/** What becomes of a request with these fields. */
async function statusOf(fields: readonly Field[]): Promise<{ answer: string; report: string; client: FrameClient }> {
  const client = FrameClient.begun(answerPlainly, {}, LIMITS)
  client.send(1, 5, 1, client.block(fields))
  return { answer: (await answers(client))[0], report: client.reports.join(), client }
}

const x = (length: number): string => 'x'.repeat(length)

t.test('LimitRequestLine is for the method as well: a longer one is reset, with a log line', async (t) => {
  t.equal((await statusOf(pseudoFields(x(48), '/'))).answer, 'HEADERS 1 200')
  const { answer, report, client } = await statusOf(pseudoFields(x(49), '/'))
  t.equal(answer, 'RST_STREAM 1 2')
  t.match(report, /^info: h2_stream\(.*,IDLE\): Request pseudo header exceeds LimitRequestFieldSize: :method$/)
  t.equal(client.exchanges.length, 0, 'no host sees it')
})

t.test('a scheme longer than LimitRequestLine is 414, and the request line has its path', async (t) => {
  const fields = pseudoFields('GET', '/path').map(([name, value]): Field => [name, name === ':scheme' ? x(49) : value])
  const { answer, client } = await statusOf(fields)
  t.equal(answer, 'HEADERS 1 414 end')
  t.match(client.exchanges[0].requestLine, /^GET .*\/path HTTP\/2.0$/)
  const long = await statusOf(pseudoFields('GET', `/${x(48)}`))
  t.equal(long.answer, 'HEADERS 1 414 end')
  t.equal(long.client.exchanges[0].requestLine, 'GET (null) HTTP/2.0')
})

for (const [what, name, fits, exceeds] of [
  ['a field', 'x', [97], [98]],
  ['fields of the same name', 'x', [45, 50], [46, 50]],
  ['fields of the same name between others', 'x', [30, 30, 33], [30, 30, 34]],
  ['parts of a cookie', 'cookie', [45, 45], [45, 46]],
] as const) {
  t.test(`LimitRequestFieldSize is for ${what}, as joined`, async (t) => {
    const request = (lengths: readonly number[]): Field[] => [
      ...pseudoFields('GET', '/'),
      ...lengths.flatMap((length, index): Field[] => [
        [name, x(length)],
        [`y-${index}`, '1'],
      ]),
    ]
    t.equal((await statusOf(request(fits))).answer, 'HEADERS 1 200')
    const { answer, report } = await statusOf(request(exceeds))
    t.equal(answer, 'HEADERS 1 431 end')
    t.match(report, new RegExp(`Request header exceeds LimitRequestFieldSize\\(100\\): ${name}$`))
  })
}

t.test('frames of heads and of data get less than 2^n bytes of padding, with the byte that counts it', async (t) => {
  const client = FrameClient.begun(answerPlainly, { padding: 2 })
  for (let stream = 1; stream < 400; stream += 2) {
    client.request(stream)
    await client.frames()
  }
  for (const type of [0, 1]) {
    const frames = client.seen.filter((frame) => frame.type === type)
    const lengths = frames.map(({ flags, payload }) => ((flags & 8) === 0 ? 0 : payload[0] + 1))
    t.same([...new Set(lengths)].sort(), [0, 1, 2, 3], describe(frames[0]))
  }
})

const WAYS: Readonly<Record<string, Handler>> = {
  'as a whole': (exchange) => exchange.respond(headOf(403), 'page', null),
  'as a stream': (exchange) => {
    exchange.begin(headOf(403))
    exchange.write('page')
    exchange.finish('', null)
  },
  'from a file': (exchange) => {
    const fd = openSync(import.meta.filename, 'r')
    exchange.sendFile(headOf(403), [{ fd, start: 0, length: 10, closeFd: true }], () => undefined)
  },
}
for (const [way, answer] of Object.entries(WAYS)) {
  t.test(`a request that needs HTTP/1.1 is reset when its error page is sent ${way}`, async (t) => {
    const client = FrameClient.begun((exchange: Http2Exchange) => {
      exchange.requireHttp11()
      answer(exchange)
    })
    client.request(1)
    t.same(await answers(client), ['RST_STREAM 1 13'])
    t.equal(client.exchanges[0].answered, true)
    t.equal(client.closed, false)
  })
}
