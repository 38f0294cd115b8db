import fc from 'fast-check'
import t from 'tap'
import type { ClientHello } from '../src/client-hello.ts'
import { ClientHelloReader, type FirstBytes } from '../src/client-hello-reader.ts'
import { helloOf, helloOfNode, isInstalled } from './support/captured-hello.ts'
import { extension, helloMessage, record, records, serverName, uint16, vector8, vector16 } from './support/made-hello.ts'

function read(...pieces: (Buffer | string)[]): FirstBytes {
  const reader = new ClientHelloReader()
  let result: FirstBytes = { kind: 'incomplete' }
  for (const piece of pieces) result = reader.read(Buffer.from(piece))
  return result
}

function helloIn(bytes: Buffer): ClientHello {
  const result = read(bytes)
  if (result.kind !== 'hello') throw new Error(`${result.kind}: ${bytes.toString('hex')}`)
  return result.hello
}

/** The message without its last two bytes, and with the length that it has then. */
function truncated(message: Buffer): Buffer {
  const shorter = Buffer.from(message.subarray(0, -2))
  shorter.writeUIntBE(shorter.length - 4, 1, 3)
  return shorter
}

const openssl = (...words: string[]): Promise<Buffer> => helloOf('openssl', 's_client', '-connect', '127.0.0.1:PORT', ...words)
const withoutOpenssl = isInstalled('openssl') ? false : 'openssl is not installed'
const withoutCurl = isInstalled('curl') ? false : 'curl is not installed'
const withoutGnutls = isInstalled('gnutls-cli') ? false : 'gnutls-cli is not installed'

t.test('a hello of openssl s_client shows its name, protocols, versions and offers', { skip: withoutOpenssl }, async (t) => {
  const hello = helloIn(
    await openssl('-servername', 'a.test', '-alpn', 'h2,http/1.1', '-status', '-enable_pha', '-groups', 'P-256'),
  )
  t.match(hello, {
    serverName: 'a.test',
    protocols: ['h2', 'http/1.1'],
    hasPreSharedKey: false,
    requestsStapling: true,
  })
  t.same(hello.versions.slice(0, 2), [0x0304, 0x0303])
  t.ok(hello.signatureAlgorithms.includes(0x0403))
})

t.test('a hello without SNI, ALPN and post-handshake authentication shows that', { skip: withoutOpenssl }, async (t) => {
  t.match(helloIn(await openssl('-noservername', '-tls1_2')), {
    serverName: undefined,
    protocols: [],
    versions: [0x0303],
    requestsStapling: false,
  })
})

t.test('a hello for TLS 1.0 or 1.1 shows its version', { skip: withoutOpenssl }, async (t) => {
  for (const [word, version] of [
    ['-tls1', 0x0301],
    ['-tls1_1', 0x0302],
  ] as const)
    t.match(helloIn(await openssl(word, '-cipher', 'ALL:@SECLEVEL=0')), { versions: [version] })
})

t.test('hellos of curl and gnutls-cli show name and protocols', { skip: withoutCurl || withoutGnutls }, async (t) => {
  const curl = await helloOf('curl', '-k', '--resolve', 'b.test:PORT:127.0.0.1', 'https://b.test:PORT/')
  t.match(helloIn(curl), { serverName: 'b.test', protocols: ['h2', 'http/1.1'] })
  const gnutls = await helloOf(
    'gnutls-cli',
    '--sni-hostname',
    'c.test',
    '--alpn',
    'http/1.1',
    '--insecure',
    '-p',
    'PORT',
    '127.0.0.1',
  )
  t.match(helloIn(gnutls), { serverName: 'c.test', protocols: ['http/1.1'] })
})

t.test('a large hello with a post-quantum key share is read byte by byte as in one piece', async (t) => {
  const bytes = await helloOfNode({ servername: 'large.test', ecdhCurve: 'X25519MLKEM768:X25519', ALPNProtocols: ['http/1.1'] })
  t.ok(bytes.length > 1200, `${bytes.length} bytes`)
  const reader = new ClientHelloReader()
  for (let at = 0; at < bytes.length - 1; at++) {
    const result = reader.read(bytes.subarray(at, at + 1))
    if (result.kind !== 'incomplete') return t.fail(`${result.kind} after ${at} bytes`)
  }
  t.same(reader.read(bytes.subarray(-1)), { kind: 'hello', hello: helloIn(bytes) })
  t.same(reader.bytes(), bytes)
  t.match(helloIn(bytes), { serverName: 'large.test' })
  const whole = JSON.stringify(read(bytes))
  for (let cut = 0; cut <= bytes.length; cut++)
    if (JSON.stringify(read(bytes.subarray(0, cut), bytes.subarray(cut))) !== whole)
      t.fail(`differs if it is split after ${cut} bytes`)
})

t.test('tickets and sessions to resume are seen', async (t) => {
  const ticket = helloMessage(extension(35, Buffer.from('ticket')))
  t.match(helloIn(record(ticket)), { acceptsTickets: true, hasPreSharedKey: false })
  const session = helloMessage(extension(41, Buffer.from([0])))
  t.match(helloIn(record(session)), { acceptsTickets: false, hasPreSharedKey: true })
})

t.test('a hello is the same in any pieces and in records of any size', async (t) => {
  const names = [
    serverName('a.test'),
    extension(16, vector16(vector8(Buffer.from('h2')))),
    extension(43, vector8(uint16(0x0304))),
  ]
  const message = helloMessage(...names, extension(21, Buffer.alloc(3000)))
  const expected = read(record(message))
  t.match(expected, { kind: 'hello', hello: { serverName: 'a.test', protocols: ['h2'], versions: [0x0304] } })
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4000 }),
      fc.array(fc.integer({ min: 1, max: 2000 }), { maxLength: 20 }),
      (size, lengths) => {
        const bytes = records(message, size)
        const pieces: Buffer[] = []
        let at = 0
        for (const length of lengths) pieces.push(bytes.subarray(at, (at += length)))
        t.same(read(...pieces, bytes.subarray(at)), expected)
      },
    ),
    { numRuns: 100 },
  )
})

t.test('plain HTTP is recognised by the methods that OpenSSL knows, after five bytes', async (t) => {
  for (const line of ['GET / HTTP/1.1\r\n', 'HEAD / HTTP/1.1\r\n', 'POST / HTTP/1.1\r\n', 'PUT / HTTP/1.1\r\n'])
    t.same(read(line), { kind: 'plain-http' }, line)
  t.same(read('GET '), { kind: 'incomplete' })
  t.same(read('G', 'E', 'T', ' ', '/'), { kind: 'plain-http' })
  for (const line of ['OPTIONS * HTTP/1.1\r\n', 'get / HTTP/1.1\r\n', 'PRI * HTTP/2.0\r\n', 'SSH-2.0-x', '\0\0\0\0\0', 'GETS /'])
    t.same(read(line), { kind: 'not-tls' }, line)
})

t.test('a hello of SSL 2.0 is recognised by its header', async (t) => {
  t.same(read(Buffer.from([0x80, 0x2e, 1, 3, 1, 0, 0x15])), { kind: 'sslv2' })
})

t.test('TLS that does not begin with a valid hello is malformed', async (t) => {
  const hello = helloMessage(serverName('a.test'))
  const cases: Record<string, Buffer> = {
    'an alert': Buffer.from([21, 3, 3, 0, 2, 1, 0]),
    'application data': Buffer.from([23, 3, 3, 0, 1, 0]),
    'another message': record(Buffer.from([2, 0, 0, 0])),
    'a record that is too long': Buffer.from([22, 3, 1, 0x40, 1]),
    'a list that ends early': record(truncated(hello)),
    'two names': record(helloMessage(serverName('a.test'), serverName('b.test'))),
    'an empty name': record(helloMessage(serverName(''))),
    'a NUL in the name': record(helloMessage(serverName('a.test\0.evil.test'))),
    'a name that is too long': record(helloMessage(serverName('a'.repeat(256)))),
    'an empty protocol': record(helloMessage(extension(16, vector16(vector8())))),
    'no versions': record(helloMessage(extension(43, vector8()))),
    'half a version': record(helloMessage(extension(43, vector8(Buffer.from([3]))))),
    'too many empty records': Buffer.concat(new Array<Buffer>(33).fill(record(Buffer.alloc(0)))),
  }
  for (const [name, bytes] of Object.entries(cases)) t.same(read(bytes), { kind: 'malformed' }, name)
})

t.test('a name that is not printable ASCII is refused, although OpenSSL would accept it', async (t) => {
  for (const name of ['a.test\n', 'b\u00fccher.test', 'a test', '\x7f'])
    t.same(read(record(helloMessage(serverName(name)))), { kind: 'bad-name' }, name)
})

t.test('the longest name is accepted', async (t) => {
  t.match(helloIn(record(helloMessage(serverName('a'.repeat(255))))), { serverName: 'a'.repeat(255) })
})

t.test('a hello that exceeds the limits is refused as soon as its length is known', async (t) => {
  t.same(read(record(Buffer.from([1, 0, 0x40, 1]))), { kind: 'too-long' })
  const message = Buffer.concat([Buffer.from([1, 0, 0x40, 0]), Buffer.alloc(16_384)])
  const tiny = records(message, 1)
  const pieces = Array.from({ length: tiny.length / 1000 }, (_, index) => tiny.subarray(index * 1000, (index + 1) * 1000))
  t.same(read(...pieces), { kind: 'too-long' }, 'in records of one byte')
})

t.test('bytes after the result do not change it', async (t) => {
  const reader = new ClientHelloReader()
  const first = reader.read(record(helloMessage(serverName('a.test'))))
  t.equal(reader.read(Buffer.from('early data')), first)
})

t.test('no mutation of a hello throws, and pieces never matter', async (t) => {
  const seeds = [
    record(helloMessage(serverName('a.test'), extension(16, vector16(vector8(Buffer.from('h2')))))),
    await helloOfNode({ servername: 'a.test', ALPNProtocols: ['h2'] }),
  ]
  let hellos = 0
  fc.assert(
    fc.property(
      fc.constantFrom(...seeds),
      fc.array(fc.tuple(fc.nat(3000), fc.nat(255)), { maxLength: 5 }),
      fc.nat(3000),
      (seed, changes, cut) => {
        const bytes = Buffer.from(seed)
        for (const [at, value] of changes) bytes[at % bytes.length] = value
        const whole = read(bytes)
        t.same(read(bytes.subarray(0, cut % bytes.length), bytes.subarray(cut % bytes.length)), whole)
        if (whole.kind === 'hello') hellos++
      },
    ),
    { numRuns: 3000 },
  )
  t.ok(hellos > 0)
})
