import { closeSync, fstatSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BlockPool, type FilePart, HttpEngine, MemoryTransport, ReadTurns } from '@gatewright/http'
import t from 'tap'
import { type Conversation, converse, get, head, responseHead, sleep, statuses, TestHost, until } from './harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatewright-http-'))
t.teardown(() => rmSync(folder, { recursive: true }))

const LARGE = Buffer.alloc(2_500_000)
for (let i = 0; i < LARGE.length; i++) LARGE[i] = (i * 7 + (i >> 8)) & 255
const large = join(folder, 'large')
writeFileSync(large, LARGE)
const small = join(folder, 'small')
writeFileSync(small, 'abcdefghijklmnopqrstuvwxyz')

const HEAD = 'HTTP/1.1 200 OK\r\n\r\n'
const OK = responseHead({ reason: 'OK' })

interface Sending extends Conversation {
  outcome: boolean | null
  fd: number
}

function sendParts(file: string, parts: (fd: number) => FilePart[], raw = get('/'), stalled = false): Sending {
  const fd = openSync(file, 'r')
  const sending: { outcome: boolean | null } = { outcome: null }
  const conversation = converse('', {}, (exchange) => {
    if (exchange.target !== '/') {
      exchange.respond(responseHead({ length: 4 }), 'next', null)
      return
    }
    exchange.sendFile(OK, parts(fd), (complete) => {
      sending.outcome = complete
    })
  })
  if (stalled) conversation.transport.stall()
  conversation.transport.feed(raw)
  return Object.assign(sending, conversation, { fd })
}

function isOpen(fd: number): boolean {
  try {
    fstatSync(fd)
    return true
  } catch {
    return false
  }
}

t.test('a whole file is sent after its head, and the descriptor is closed on request', async (t) => {
  const sending = sendParts(large, (fd) => [{ fd, start: 0, length: LARGE.length, closeFd: true }])
  t.ok(await until(() => sending.outcome === true))
  t.ok(Buffer.concat(sending.transport.output).equals(Buffer.concat([Buffer.from(HEAD), LARGE])))
  t.equal(sending.host.exchanges[0].bytesSent, HEAD.length + LARGE.length)
  t.ok(await until(() => !isOpen(sending.fd)))
})

t.test('a range is sent, and a descriptor that is not to be closed stays open', async (t) => {
  const sending = sendParts(small, (fd) => [{ fd, start: 2, length: 3, closeFd: false }])
  t.ok(await until(() => sending.outcome === true))
  t.equal(sending.transport.text, `${HEAD}cde`)
  t.ok(isOpen(sending.fd))
  closeSync(sending.fd)
})

t.test('parts have text around them, as a multipart answer needs it', async (t) => {
  const sending = sendParts(small, (fd) => [
    { fd, start: 0, length: 2, closeFd: false, prefix: '\r\n--B\r\n\r\n' },
    { fd, start: 24, length: 2, closeFd: true, prefix: Buffer.from('\r\n--B\r\n\r\n'), suffix: '\r\n--B--\r\n' },
  ])
  t.ok(await until(() => sending.outcome === true))
  t.equal(sending.transport.text, `${HEAD}\r\n--B\r\n\r\nab\r\n--B\r\n\r\nyz\r\n--B--\r\n`)
})

t.test('parts without bytes, and no parts at all, are an answer as well', async (t) => {
  const empty = sendParts(small, (fd) => [{ fd, start: 0, length: 0, closeFd: true, prefix: '<', suffix: '>' }])
  t.ok(await until(() => empty.outcome === true))
  t.equal(empty.transport.text, `${HEAD}<>`)
  const none = sendParts(small, () => [])
  t.equal(none.outcome, true)
  t.equal(none.transport.text, HEAD)
  closeSync(none.fd)
})

t.test('the next request is served when the file has been sent', async (t) => {
  const sending = sendParts(large, (fd) => [{ fd, start: 0, length: LARGE.length, closeFd: true }], get('/') + get('/next'))
  t.equal(sending.host.exchanges.length, 1)
  t.ok(await until(() => sending.host.exchanges.length === 2))
  t.equal(sending.outcome, true, 'the host heard of the end before')
  t.ok(sending.transport.text.endsWith(`${head(200, 4, true)}next`))
})

t.test('a file that is shorter than promised ends the connection', async (t) => {
  const sending = sendParts(small, (fd) => [{ fd, start: 20, length: 100, closeFd: true }])
  t.ok(await until(() => sending.outcome !== null))
  t.equal(sending.outcome, false)
  t.ok(sending.transport.closed)
  t.ok(await until(() => !isOpen(sending.fd)))
})

t.test('a descriptor that cannot be read ends the connection', async (t) => {
  const sending = sendParts(folder, (fd) => [{ fd, start: 0, length: 10, closeFd: true }])
  t.ok(await until(() => sending.outcome !== null))
  t.equal(sending.outcome, false)
  t.same(statuses(sending.transport.text), [])
})

t.test('a client that does not read holds one block, and one that leaves holds nothing', async (t) => {
  const sending = sendParts(large, (fd) => [{ fd, start: 0, length: LARGE.length, closeFd: true }], get('/'), true)
  t.ok(await until(() => sending.transport.writableLength > 0))
  await sleep(30)
  t.equal(sending.transport.writableLength, HEAD.length + 1024 * 1024)
  sending.transport.destroy()
  t.ok(await until(() => sending.outcome !== null))
  t.equal(sending.outcome, false)
  t.ok(await until(() => !isOpen(sending.fd)))
})

t.test('blocks are used again, and when many are out the next are small', async (t) => {
  const pool = new BlockPool({ blockSize: 1000, fullBlocks: 2, smallSize: 100, kept: 1 })
  const [a, b] = [pool.take(5000), pool.take(101)]
  t.equal(a.length, 1000)
  t.equal(b.length, 1000)
  t.equal(pool.take(5000).length, 100)
  t.equal(pool.take(7).length, 7)
  pool.give(a)
  pool.give(b)
  t.equal(pool.take(5000), a)
  t.not(pool.take(5000), b, 'one is kept')
  t.equal(pool.take(5000).length, 100)
})

t.test('a few files are read at a time, and every file gets its turn', async (t) => {
  const turns = new ReadTurns(2)
  const begun: string[] = []
  for (const name of ['a', 'b', 'c', 'd']) turns.begin(() => begun.push(name))
  t.same(begun, ['a', 'b'])
  turns.end()
  t.same(begun, ['a', 'b', 'c'])
  turns.end()
  turns.end()
  turns.end()
  t.same(begun, ['a', 'b', 'c', 'd'])
  turns.begin(() => begun.push('e'))
  turns.begin(() => begun.push('f'))
  turns.begin(() => begun.push('g'))
  t.same(begun, ['a', 'b', 'c', 'd', 'e', 'f'])
})

t.test('files that wait for their turn are sent completely, even if other clients disconnect', async (t) => {
  const outcomes: boolean[] = []
  const fds: number[] = []
  const host = new TestHost({}, (exchange) => {
    const fd = openSync(large, 'r')
    fds.push(fd)
    exchange.sendFile(OK, [{ fd, start: 0, length: LARGE.length, closeFd: true }], (complete) => outcomes.push(complete))
  })
  const engine = new HttpEngine(host)
  const transports = Array.from({ length: 40 }, (_, index) => {
    const transport = new MemoryTransport({ remoteAddress: '192.0.2.1', remotePort: 5000 + index })
    engine.inject(transport)
    transport.feed(get('/'))
    return transport
  })
  const leaving = transports.filter((_, index) => index % 4 === 0)
  for (const transport of leaving) transport.destroy()
  t.ok(await until(() => outcomes.length === transports.length))
  t.equal(outcomes.filter((complete) => !complete).length, leaving.length)
  for (const transport of transports) if (!leaving.includes(transport)) t.equal(transport.text.length, HEAD.length + LARGE.length)
  t.ok(await until(() => !fds.some(isOpen)))
})
