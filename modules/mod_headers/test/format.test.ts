import { type Request, Table } from '@gatewright/api'
import { requestRecorder, site } from '@gatewright/testing'
import t from 'tap'
import { type Format, parseFormat, readsServerLoad, renderFormat } from '../src/format.ts'

const recorder = requestRecorder()
const server = await site({ modules: [recorder.module] })
t.teardown(() => server.close())
await server.inject('/')

/** A request of the server with other variables and another time. */
function requestWith(receivedAt: number, env: Record<string, string> = {}): Request {
  const table = new Table()
  for (const [name, value] of Object.entries(env)) table.add(name, value)
  return Object.create(recorder.last, { env: { value: table }, receivedAt: { value: receivedAt } })
}

const LOAD = { idle: 87, busy: 12 }
const SOURCES = { load: LOAD, tlsValue: () => '' }

function formatted(source: string, env: Record<string, string> = {}): string {
  const format = parseFormat(source)
  if (typeof format === 'string') return format
  if ('error' in format) throw new Error(format.error)
  return renderFormat(format, requestWith(1_795_240_205_313.213, env), SOURCES)
}

const ROWS: readonly (readonly [source: string, text: string])[] = [
  ['plain', 'plain'],
  ['100%%', '100%'],
  ['%', '%'],
  ['a%', 'a%'],
  ['%t', 't=1795240205313213'],
  ['%{ignored}t', 't=1795240205313213'],
  ['%i %b', 'i=87 b=12'],
  ['[%{V}e]', '[v]'],
  ['%{v}e', 'v'],
  ['%{W}e %{}e %e', '(null) (null) (null)'],
  ['%{HTTPS}s %s', '(null) (null)'],
  ['%{V}e%', 'v%'],
  ['%{LINES}e', 'a  b c'],
  ['a\\nb\\tc\\rd\\\\e', 'a\nb\tc\rd\\e'],
  ['\\q \\', '\\q \\'],
]

for (const [source, text] of ROWS) {
  t.test(`${source} prints ${JSON.stringify(text)}`, async (t) => {
    t.equal(formatted(source, { V: 'v', LINES: 'a\r\nb\nc' }), text)
  })
}

t.test('%D is the time since the request was received, in microseconds', async (t) => {
  const format = parseFormat('%D') as Format
  const text = renderFormat(format, requestWith(Date.now() - 3), SOURCES)
  const match = /^D=(\d+)$/.exec(text)
  t.ok(Number(match?.[1]) >= 3000 && Number(match?.[1]) < 60_000_000, text)
  t.equal(renderFormat(format, requestWith(Date.now() + 5000), SOURCES), 'D=0', 'it is never negative')
})

t.test('%l is the load of the last minutes', async (t) => {
  t.match(formatted('%l'), /^l=\d+\.\d\d\/\d+\.\d\d\/\d+\.\d\d$/)
})

t.test('only idle and busy require a request for the status', async (t) => {
  const reads = (source: string): boolean => readsServerLoad(parseFormat(source) as Format)
  t.same(['%t %D %l %{V}e', '%i', '%b'].map(reads), [false, true, true])
})
