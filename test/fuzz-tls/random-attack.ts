import { extension, serverName, vector8, vector16 } from '../../modules/mod_ssl/test/support/made-hello.ts'
import { Random } from '../fixtures/random.ts'
import type { Attack, BytesAttack, ClientAttack, Ending } from './attack.ts'
import { anyAlert, anyRecord, endlessRecord, randomBytes, record } from './random-records.ts'

const RECORD_HEADER = 5
/** Type and length of the message, version, random number. */
const BEFORE_SESSION_ID = 4 + 2 + 32
const ALPN = 16

/** The attack of a number. It depends on nothing but these values. @param hellos complete records */
export function attackOf(seed: number, index: number, hellos: readonly Buffer[]): Attack {
  const random = new Random((Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) >>> 0)
  const make = random.pick([
    changedHello,
    changedHello,
    grownHello,
    records,
    endless,
    plainHttp,
    plainPort,
    client,
    client,
    client,
  ])
  return make(random, hellos)
}

function bytes(random: Random, what: string, contents: Buffer, more: Partial<BytesAttack> = {}): BytesAttack {
  const pieces = random.percent(60) ? split(random, contents) : [contents]
  return { kind: 'bytes', what, port: 'tls', pieces, endless: null, ending: ending(random), answer: null, ...more }
}

function ending(random: Random): Ending {
  if (random.percent(4)) return 'wait'
  return random.percent(50) ? 'close' : 'reset'
}

function split(random: Random, contents: Buffer): readonly Buffer[] {
  const cuts = random.several(1, 12, () => random.below(contents.length + 1)).sort((one, other) => one - other)
  return [...cuts, contents.length].map((cut, index) => contents.subarray(cuts[index - 1] ?? 0, cut))
}

/** A ClientHello with other bytes, too short, or followed by anything. */
function changedHello(random: Random, hellos: readonly Buffer[]): Attack {
  const hello = Buffer.from(random.pick(hellos))
  const changes = random.below(6)
  for (let change = 0; change < changes; change++) hello[random.below(hello.length)] = random.below(256)
  const start = random.percent(25) ? hello.subarray(0, random.below(hello.length)) : hello
  const rest = random.several(0, 3, () => anyRecord(random))
  return bytes(random, `a ClientHello with ${changes} changes`, Buffer.concat([start, ...rest]))
}

/** A ClientHello with extensions that are unusually large, many, or strange. */
function grownHello(random: Random, hellos: readonly Buffer[]): Attack {
  const name = random.pick([
    () => 'a'.repeat(random.pick([255, 256, 4000, 16_000])),
    () => `public.test\0${'b'.repeat(random.below(20))}`,
    () => '',
    () => '../../etc/passwd',
    () => 'public.test\r\nX: y',
    () => randomBytes(random, 1 + random.below(40)).toString('latin1'),
  ])
  const protocol = random.pick([
    () => ['acme-tls/1'],
    () => Array.from({ length: random.pick([1, 200, 3000]) }, () => 'h2'),
    () => ['x'.repeat(255), 'http/1.1'],
    () => [''],
    () => [randomBytes(random, 8).toString('latin1'), 'http/1.1'],
  ])
  const extensions = random.several(1, 3, () =>
    random.pick([
      () => serverName(Buffer.from(name(), 'latin1')),
      () => extension(ALPN, vector16(...protocol().map((one) => vector8(Buffer.from(one, 'latin1'))))),
      () => extension(random.below(65_536), randomBytes(random, random.pick([0, 1, 300, 8000]))),
    ])(),
  )
  return bytes(random, 'a ClientHello with more extensions', withExtensions(random.pick(hellos), extensions))
}

/** Puts these extensions before the others, and corrects all lengths. */
function withExtensions(hello: Buffer, extensions: readonly Buffer[]): Buffer {
  const message = hello.subarray(RECORD_HEADER)
  const suites = BEFORE_SESSION_ID + 1 + message[BEFORE_SESSION_ID]
  const methods = suites + 2 + message.readUInt16BE(suites)
  const list = methods + 1 + message[methods]
  const all = Buffer.concat([...extensions, message.subarray(list + 2)])
  const body = Buffer.concat([message.subarray(4, list), vector16(all.subarray(0, 65_000))])
  const whole = Buffer.concat([Buffer.from([1, body.length >> 16, (body.length >> 8) & 0xff, body.length & 0xff]), body])
  const parts: Buffer[] = []
  for (let at = 0; at < whole.length; at += 16_384) parts.push(record(22, whole.subarray(at, at + 16_384), 0x0301))
  return Buffer.concat(parts)
}

function records(random: Random): Attack {
  return bytes(random, 'records of any kind', Buffer.concat(random.several(1, 6, () => anyRecord(random))))
}

function endless(random: Random, hellos: readonly Buffer[]): Attack {
  const start = random.percent(40) ? random.pick(hellos) : Buffer.alloc(0)
  return bytes(random, 'records without end', start, { endless: endlessRecord(random), ending: 'wait' })
}

/** HTTP where TLS is expected. */
function plainHttp(random: Random): Attack {
  const method = random.pick(['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS', 'PRI', 'get', '\x80.\x01'])
  const text = `${method} /small.txt HTTP/1.1\r\nHost: public.test\r\n${'X: y\r\n'.repeat(random.pick([0, 1, 3000]))}\r\n`
  const isKnown = ['GET', 'HEAD', 'POST', 'PUT'].includes(method)
  return bytes(random, `${JSON.stringify(method)} without TLS`, Buffer.from(text, 'latin1'), {
    ending: 'wait',
    answer: isKnown ? 'HTTP/1.1 400 ' : '',
  })
}

/** TLS where HTTP is expected. */
function plainPort(random: Random, hellos: readonly Buffer[]): Attack {
  const hello = random.pick(hellos)
  const contents = Buffer.concat([
    random.percent(50) ? hello : anyAlert(random),
    ...random.several(0, 2, () => anyRecord(random)),
  ])
  return bytes(random, 'TLS on a port without it', contents, { port: 'plain', ending: random.pick(['close', 'reset']) })
}

/** A client of TLS that misbehaves at some time in or after its handshake. */
function client(random: Random): ClientAttack {
  const damage = {
    record: random.percent(10) ? 0 : random.below(9),
    how: random.pick(['none', 'cut', 'cut', 'flip', 'flip', 'double', 'drop', 'insert', 'insert'] as const),
    place: random.below(1000) / 1000,
    inserted: random.percent(50) ? anyAlert(random) : anyRecord(random),
  }
  const version = random.pick(['TLSv1.2', 'TLSv1.3'] as const)
  const renegotiations = version === 'TLSv1.2' && random.percent(25) ? 20 : 0
  return {
    kind: 'client',
    what: `${version} with ${renegotiations > 0 ? 'further handshakes and ' : ''}record ${damage.record}: ${damage.how}`,
    version,
    host: random.pick(['public.test', 'stateful.test', 'members.test', 'unknown.test']),
    protocols: random.pick([[], [], ['http/1.1'], ['acme-tls/1'], ['h2', 'http/1.1'], ['nothing']]),
    hasCertificate: random.percent(50),
    damage,
    text: random.pick([
      'GET /small.txt HTTP/1.1\r\nHost: public.test\r\n\r\n',
      'GET /large.bin HTTP/1.1\r\nHost: public.test\r\n\r\n',
      'GET /small.txt HTTP/1.1\r\nHo',
      '',
    ]),
    renegotiations,
    // Only a handshake that is cut is limited by RequestReadTimeout handshake.
    ending: damage.how === 'cut' && damage.record === 0 ? 'wait' : random.pick(['close', 'reset']),
  }
}
