import { site } from '@gatewright/testing'
import t from 'tap'
import { openModule } from './support/modules.ts'

t.test('a TRACE request with a body is rejected, and the reason is logged at info', async (t) => {
  const server = await site({ modules: [openModule], config: 'LogLevel info', files: { 'docs/a.txt': 'a' } })
  t.teardown(() => server.close())
  const answer = await server.inject({ method: 'TRACE', target: '/a.txt', headers: { 'Content-Length': '3' }, body: 'x=1' })
  t.equal(answer.status, 413)
  t.match(server.errors().join('\n'), /\[http:info\] .*AH01595: TRACE with body is not allowed for \/a\.txt/)
})

t.test('a body of unknown length is not chunked for a client that waits for a 100 (Continue)', async (t) => {
  const server = await site({ modules: [openModule], files: { 'docs/a.txt': 'a' } })
  t.teardown(() => server.close())
  const fieldsOf = async (headers: Record<string, string>): Promise<string> => {
    const { status, headers: fields } = await server.inject({ method: 'TRACE', target: '/a.txt', headers })
    t.equal(status, 200)
    return fields.map(([name, value]) => `${name}: ${value}`.toLowerCase()).join('\n')
  }
  t.match(await fieldsOf({}), /^transfer-encoding: chunked$/m)
  const waiting = await fieldsOf({ Expect: '100-continue' })
  t.notMatch(waiting, /^transfer-encoding/m)
  t.match(waiting, /^connection: close$/m)
})

t.test('an encoded zero byte is reported as an encoded slash only where encoded slashes are refused', async (t) => {
  for (const [setting, lines] of [
    ['Off', 1],
    ['On', 0],
    ['NoDecode', 0],
  ] as const) {
    const server = await site({ modules: [openModule], config: `LogLevel info\nAllowEncodedSlashes ${setting}` })
    t.teardown(() => server.close())
    t.equal((await server.inject('/a%00b')).status, 404)
    t.equal(server.errors().filter((line) => line.includes('AH00026')).length, lines, setting)
  }
})
