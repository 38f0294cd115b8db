import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import * as engine from '@gatewright/http'
import t from 'tap'
import { Contest } from './fuzz-http/campaign.ts'
import { EngineReader } from './fuzz-http/engine-reader.ts'
import { plainly } from './fuzz-http/plainly.ts'
import { PLANTS, plantedEngine, plantedSource } from './fuzz-http/plants.ts'
import { shrink } from './fuzz-http/shrink.ts'
import { escaped, type Stream } from './fuzz-http/stream.ts'
import { streamOf } from './fuzz-http/stream-generator.ts'

const PROGRAM = join(import.meta.dirname, 'fuzz-http/fuzz-http.ts')
const SETTINGS = { seed: 20261121, first: 0, messages: 12_000, findings: 1 }

const streamWith = (text: string): Stream => ({ text, cuts: [], messages: [{ kind: 'odd', start: 0 }] })

t.test('no stream of bytes is read in another way than Node reads it', async (t) => {
  const { tally, found } = await new Contest(engine).run(SETTINGS)
  t.same(
    found.map(({ index, divergence }) => ({ index, divergence })),
    [],
  )
  t.ok(tally.common > tally.messages / 10, `${tally.common} of ${tally.messages} messages were taken by both`)
})

t.test(
  'what HttpProtocolOptions Unsafe takes besides is read as llhttp reads it with all of its leniencies, or is known of httpd',
  async (t) => {
    const { tally, found } = await new Contest(engine, 'Unsafe').run({ ...SETTINGS, messages: 8000 })
    t.same(
      found.map(({ index, divergence }) => ({ index, divergence })),
      [],
    )
    t.ok(tally.common > tally.messages / 10, `${tally.common} of ${tally.messages} messages were taken by both`)
  },
)

t.test('a reader that is lenient finds out a planted bug as well', async (t) => {
  const plant = PLANTS.find(({ name }) => name === 'length-list')
  if (plant === undefined) throw new Error('nobody plants it')
  const { found } = await new Contest(await plantedEngine(plant), 'Unsafe').run(SETTINGS)
  t.equal(found.length, 1)
})

t.test('with HttpProtocolOptions Require1.0 no request of HTTP/0.9 is taken, and all others as before', async (t) => {
  let simple = 0
  for (const strict of [true, false]) {
    const [allowing, requiring] = [true, false].map((allowHttp09) => new EngineReader(engine, { strict, allowHttp09 }))
    for (let index = 0; index < 1500; index++) {
      const { text, cuts } = streamOf(SETTINGS.seed, index)
      const allowed = allowing.read(Buffer.from(text, 'latin1'), cuts).messages
      const required = requiring.read(Buffer.from(text, 'latin1'), cuts).messages
      const later = allowed.filter(({ version }) => version !== '0.9')
      simple += allowed.length - later.length
      if (JSON.stringify(required) !== JSON.stringify(later)) t.same(required, later, escaped(text))
    }
  }
  t.ok(simple > 5, `${simple} were there`)
})

// The others take longer to find: npm run fuzz:http -- --plants searches for all of them.
for (const name of ['length-list', 'fold-lost', 'stale-search']) {
  t.test(`a parser with the bug ${name} is found out`, async (t) => {
    const plant = PLANTS.find((each) => each.name === name)
    if (plant === undefined) throw new Error(`nobody plants ${name}`)
    const { found } = await new Contest(await plantedEngine(plant)).run(SETTINGS)
    t.equal(found.length, 1)
  })
}

t.test('every bug that can be planted finds its place in the sources', async (t) => {
  for (const plant of PLANTS) t.doesNotThrow(() => plantedSource(plant), plant.name)
})

t.test('a stream depends on its two numbers and on nothing else', async (t) => {
  t.same(streamOf(7, 3), streamOf(7, 3))
  t.not(streamOf(7, 3).text, streamOf(7, 4).text)
  t.not(streamOf(7, 3).text, streamOf(8, 3).text)
})

t.test('a stream is cut down to what shows the difference', async (t) => {
  const stream = { ...streamWith('GET / HTTP/1.1\r\nHost: h\r\n\r\nneedle and hay'), cuts: [3, 9, 9] }
  const least = await shrink(stream, async ({ text }) => text.includes('needle'))
  t.equal(least.text, 'needle')
  t.same(least.cuts, [])
})

t.test('a cut that is needed is kept', async (t) => {
  const least = await shrink({ ...streamWith('abcdef'), cuts: [1, 3, 5] }, async ({ text, cuts }) => {
    return cuts.some((cut) => text[cut - 1] === 'c' && text[cut] === 'd')
  })
  t.same({ text: least.text, cuts: least.cuts }, { text: 'cd', cuts: [1] })
})

t.test('bytes are shown as one would write them in a program', async (t) => {
  t.equal(escaped('a"\r\n\0\x0b\x7f\xff'), '"a\\"\\r\\n\\x00\\x0b\\x7f\\xff"')
})

t.test('what Node does not take is written plainly, and our ends move along', async (t) => {
  const folded =
    'POST / HTTP/1.1\r\nHost: h\r\n i \r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n1 ;x\r\na\r\n0\r\nT: u\r\n v\r\n\r\n'
  const plain = 'POST / HTTP/1.1\r\nHost: h i\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nT: u v\r\n\r\n'
  const message = {
    method: 'POST',
    target: '/',
    version: '1.1',
    fields: ['Transfer-Encoding', 'chunked'],
    persistent: false,
    body: 'a',
    trailers: [],
    end: folded.length,
  }
  const { text, ours } = plainly(`${folded}GET`, { messages: [message], fault: '' })
  t.equal(text, `${plain}GET`)
  t.equal(ours.messages[0]?.end, plain.length)
})

t.test('an option that is none ends with advice', async (t) => {
  const run = (...args: string[]) => spawnSync(process.execPath, [...process.execArgv, PROGRAM, ...args], { encoding: 'utf8' })
  t.match(run('--sead', '1'), { status: 2, stderr: /^fuzz:http: Unknown option '--sead'[\s\S]*--seed N / })
  t.match(run('--messages', 'x'), { status: 2, stderr: /^fuzz:http: --messages needs a whole number from 1 up, not x/ })
})
