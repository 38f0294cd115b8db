import t from 'tap'
import { readProxyHeader } from '../src/proxy-header.ts'

const SIGNATURE = '\r\n\r\n\0\r\nQUIT\n'
const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')

function binary(command: number, family: number, data: Buffer): Buffer {
  const head = Buffer.from([0x20 | command, family, data.length >> 8, data.length & 255])
  return Buffer.concat([bytes(SIGNATURE), head, data])
}

const IPV4 = Buffer.from([203, 0, 113, 7, 192, 0, 2, 1, 0x12, 0x67, 0, 80])

t.test('a line contains the client, and the bytes after it belong to the request', async (t) => {
  const line = 'PROXY TCP4 203.0.113.7 192.0.2.1 4711 80\r\n'
  t.strictSame(readProxyHeader(bytes(`${line}GET / HTTP/1.1\r\n`)), {
    kind: 'header',
    length: line.length,
    client: { address: '203.0.113.7', port: 4711 },
  })
  t.match(readProxyHeader(bytes('PROXY UNKNOWN\r\nGET')), { kind: 'header', length: 15, client: null })
})

t.test('a binary header contains it too, with options after the addresses', async (t) => {
  const header = binary(1, 0x11, Buffer.concat([IPV4, bytes('\x04\0\x02ab')]))
  t.strictSame(readProxyHeader(Buffer.concat([header, bytes('GET /')])), {
    kind: 'header',
    length: header.length,
    client: { address: '203.0.113.7', port: 4711 },
  })
  t.match(readProxyHeader(binary(0, 0, Buffer.alloc(0))), { kind: 'header', length: 16, client: null })
})

t.test('every beginning of a valid header requires more bytes', async (t) => {
  for (const whole of [bytes('PROXY TCP6 2606:4700::7 2001:db8::1 4711 80\r\n'), binary(1, 0x11, IPV4)]) {
    for (let length = 0; length < whole.length; length++) {
      t.equal(readProxyHeader(whole.subarray(0, length)).kind, 'more', `${length} of ${whole.length}`)
    }
    t.equal(readProxyHeader(whole).kind, 'header')
  }
})

t.test('a connection that begins with a request has no header, as its first byte shows', async (t) => {
  for (const text of ['G', 'GET / HTTP/1.1\r\n', 'PROXX', 'PROXY\r\n', 'proxy ', '\r\n\r\nG']) {
    t.match(readProxyHeader(bytes(text)), { kind: 'fault', level: 'info', code: 'AH03496' }, JSON.stringify(text))
  }
})

t.test('an invalid line is reported with the reason', async (t) => {
  const rows: readonly (readonly [string, string])[] = [
    ['PROXY ', 'AH03497'],
    ['PROXY TCP4', 'AH03497'],
    ['PROXY TCP4 203.0.113.7', 'AH03497'],
    ['PROXY TCP4 203.0.113.7 192.0.2.1', 'AH03497'],
    ['PROXY TCP5 203.0.113.7 192.0.2.1 1 2', 'AH03499'],
    ['PROXY TCP4 name.example 192.0.2.1 1 2', 'AH03500'],
    ['PROXY TCP4 203.0.113.7 192.0.2.1 x 2', 'AH03501'],
    ['PROXY TCP4 203.0.113.7 192.0.2.1 65536 2', 'AH03501'],
    ['PROXY TCP4 203.0.113.300 192.0.2.1 1 2', 'AH03502'],
    ['PROXY TCP6 203.0.113.7 192.0.2.1 1 2', 'AH03502'],
    [`PROXY UNKNOWN ${'x'.repeat(100)}`, 'AH10185'],
  ]
  for (const [line, code] of rows) t.match(readProxyHeader(bytes(`${line}\r\n`)), { kind: 'fault', level: 'error', code }, line)
  t.match(readProxyHeader(bytes(`PROXY UNKNOWN ${'x'.repeat(100)}`)), { code: 'AH10185' }, 'a line without end is not waited for')
})

t.test('an invalid binary header is reported with the reason', async (t) => {
  t.match(readProxyHeader(binary(2, 0x11, IPV4)), { code: 'AH03507', text: 'RemoteIPProxyProtocol: unsupported command 22' })
  t.match(readProxyHeader(binary(1, 0x31, IPV4)), { code: 'AH10183', text: 'RemoteIPProxyProtocol: unsupported protocol 31' })
  t.match(readProxyHeader(binary(1, 0x11, IPV4.subarray(4))), { code: 'AH10597' })
  t.match(readProxyHeader(binary(1, 0x21, IPV4)), { code: 'AH10598' })
  t.match(readProxyHeader(binary(1, 0x11, Buffer.alloc(5000))), { code: 'AH10186' })
})

t.test('arbitrary bytes have a result, and it never covers more bytes than were received', async (t) => {
  let seed = 11
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return (seed >>> 8) % below
  }
  const wholes = [
    bytes('PROXY TCP4 203.0.113.7 192.0.2.1 4711 80\r\nGET /'),
    binary(1, 0x21, Buffer.alloc(40, 7)),
    binary(1, 0x11, IPV4),
  ]
  for (let round = 0; round < 20_000; round++) {
    const input = Buffer.from(wholes[next(wholes.length)])
    for (let changes = next(4); changes > 0; changes--) input[next(input.length)] = next(256)
    const header = readProxyHeader(input.subarray(0, next(input.length + 1)))
    if (header.kind === 'header' && header.length > input.length) t.fail(`took ${header.length} of ${input.length}`)
  }
})
