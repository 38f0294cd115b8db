import { type Field, frameBytes, pseudoFields, uint32 } from '../../packages/http2/test/support/frames.ts'
import type { FrameSocket } from './frame-socket.ts'

const ENHANCE_YOUR_CALM = 11
const PROTOCOL_ERROR = 1
const NO_ERROR = 0

/** What one client does to a server. */
export interface Attack {
  readonly name: string
  /** The settings that the client begins with. */
  readonly settings?: Buffer
  /** Codes of the GOAWAY, if the client receives one. */
  readonly codes: readonly number[]
  /** The only line of the error log about it. */
  readonly line: RegExp
  /** Whether time limits end it. */
  readonly isSlow?: boolean
  /** Returns when the connection is over, or when the client has nothing more to do. */
  run(client: FrameSocket): Promise<void>
}

/** So many rounds are far more than any server should stand. */
const ROUNDS = 200_000

/** Settings that leave no window to responses. */
const NO_WINDOW = Buffer.concat([Buffer.from([0, 4]), uint32(0)])

/** Repeats frames until the connection is over. `part` returns the bytes of one round. */
async function flood(client: FrameSocket, part: (round: number) => Buffer): Promise<void> {
  for (let round = 0; round < ROUNDS && !client.isOver; ) {
    const parts: Buffer[] = []
    for (const end = round + 50; round < end; round++) parts.push(part(round))
    client.write(Buffer.concat(parts))
    await client.flushed()
  }
}

const streamOf = (round: number): number => 2 * round + 1

function request(client: FrameSocket, stream: number, fields: readonly Field[], endsStream = true): Buffer {
  return frameBytes(1, endsStream ? 5 : 4, stream, client.block(fields))
}

const get = (path: string): Field[] => pseudoFields('GET', path)
const post = (path: string): Field[] => pseudoFields('POST', path)

function flooding(name: string, what: string, part: (client: FrameSocket, round: number) => Buffer): Attack {
  return { name, codes: [ENHANCE_YOUR_CALM], line: closed(what), run: (client) => flood(client, (round) => part(client, round)) }
}

function closed(what: string, code = 'ENHANCE_YOUR_CALM'): RegExp {
  return new RegExp(`session closed: ${what}.* \\(${code}\\)$`)
}

const RESETS: readonly Attack[] = [
  flooding('streams that are opened and reset at once (CVE-2023-44487)', 'too many streams were reset', (client, round) =>
    Buffer.concat([request(client, streamOf(round), get('/small.txt')), frameBytes(3, 0, streamOf(round), uint32(8))]),
  ),
  flooding('requests for large files that are reset at once', 'too many streams were reset', (client, round) =>
    Buffer.concat([request(client, streamOf(round), get('/large.bin')), frameBytes(3, 0, streamOf(round), uint32(8))]),
  ),
  flooding(
    'bodies of a wrong length, for which the server resets streams (CVE-2025-8671)',
    'too many streams were reset',
    (client, round) =>
      Buffer.concat([
        request(client, streamOf(round), [...post('/reflect'), ['content-length', '9']], false),
        frameBytes(0, 1, streamOf(round), 'short'),
      ]),
  ),
  {
    name: 'windows that get too large, for which the server resets streams (CVE-2025-8671)',
    codes: [PROTOCOL_ERROR],
    line: closed('too many streams ignored flow control', 'PROTOCOL_ERROR'),
    run: (client) =>
      flood(client, (round) =>
        Buffer.concat([
          request(client, streamOf(round), post('/reflect'), false),
          frameBytes(8, 0, streamOf(round), uint32(0x7fff_ffff)),
        ]),
      ),
  },
]

const BLOCKS: readonly Attack[] = [
  {
    name: 'a header block that never ends, in empty frames (CVE-2024-28182)',
    codes: [ENHANCE_YOUR_CALM],
    line: closed('too many CONTINUATION frames'),
    async run(client) {
      client.send(1, 1, 1, client.block(get('/small.txt')))
      await flood(client, () => frameBytes(9, 0, 1))
    },
  },
  {
    name: 'a header block that never ends, in full frames',
    codes: [ENHANCE_YOUR_CALM],
    line: closed('too many CONTINUATION frames'),
    async run(client) {
      client.send(1, 1, 1, client.block(get('/small.txt')))
      // A literal field without indexing, again and again.
      const field = Buffer.concat([Buffer.from([0, 1]), Buffer.from('x'), Buffer.from([100]), Buffer.alloc(100, 'y')])
      const frame = frameBytes(9, 0, 1, Buffer.concat(Array.from({ length: 150 }, () => field)))
      await flood(client, () => frame)
    },
  },
  flooding(
    'header blocks that refer to a long field thousands of times',
    // One budget is for both: the streams of these blocks are reset, so either may exhaust it.
    '(?:too many header blocks that grow|too many streams were reset)',
    (client, round) => {
      if (round === 0) return request(client, 1, [...get('/small.txt'), ['x-long', 'y'.repeat(3900)]])
      const block = Buffer.concat([client.block(get('/small.txt')), Buffer.alloc(12_000, 0xbe)])
      return frameBytes(1, 5, streamOf(round), block)
    },
  ),
  {
    name: 'a header block that cannot be decoded',
    codes: [9],
    line: closed('HEADERS: could not decode header block', 'COMPRESSION_ERROR'),
    run: async (client) => client.send(1, 5, 1, Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff])),
  },
]

const FLOODS: readonly Attack[] = [
  flooding('a flood of settings', 'too many frames', () =>
    frameBytes(4, 0, 0, Buffer.concat([Buffer.from([0, 1]), uint32(4096)])),
  ),
  flooding('a flood of empty settings', 'too many frames', () => frameBytes(4, 0, 0)),
  flooding('a flood of pings', 'too many frames', () => frameBytes(6, 0, 0, '12345678')),
  flooding('a flood of empty DATA frames', 'too many frames', (client, round) =>
    round === 0 ? request(client, 1, post('/reflect'), false) : frameBytes(0, 0, 1),
  ),
  flooding('a flood of empty padded DATA frames', 'too many frames', (client, round) =>
    round === 0 ? request(client, 1, post('/reflect'), false) : frameBytes(0, 8, 1, '\0'),
  ),
  flooding('a flood of windows', 'too many frames', () => frameBytes(8, 0, 0, uint32(1))),
  flooding('a flood of frames of an unknown type', 'too many frames', () => frameBytes(99, 0, 0, 'what')),
  flooding('a flood of priorities', 'too many frames', (_client, round) =>
    frameBytes(
      2,
      0,
      streamOf(round % 1000),
      Buffer.concat([uint32(0x8000_0000 + streamOf((round + 1) % 1000)), Buffer.from([9])]),
    ),
  ),
  flooding('priorities of open streams that change again and again', 'too many frames', (client, round) => {
    if (round < 50) return request(client, streamOf(round), post('/reflect'), false)
    return frameBytes(16, 0, 0, Buffer.concat([uint32(streamOf(round % 50)), Buffer.from(`u=${round % 8}, i`)]))
  }),
  {
    name: 'a response that the client takes byte by byte',
    settings: NO_WINDOW,
    codes: [ENHANCE_YOUR_CALM],
    line: closed('too many frames'),
    async run(client) {
      client.write(request(client, 1, get('/large.bin')))
      await flood(client, () => frameBytes(8, 0, 1, uint32(1)))
    },
  },
]

const SLOW: readonly Attack[] = [
  {
    name: 'a hundred large responses without any window',
    isSlow: true,
    settings: NO_WINDOW,
    codes: [NO_ERROR],
    line: /stream \d+ was reset: its client has taken nothing for 2 s; further streams /,
    async run(client) {
      for (let round = 0; round < 100; round++) client.write(request(client, streamOf(round), get('/large.bin')))
    },
  },
  {
    name: 'fifty bodies that never end',
    isSlow: true,
    codes: [NO_ERROR],
    line: /AH01382: Request body read timeout/,
    async run(client) {
      for (let round = 0; round < 50; round++) {
        client.write(
          Buffer.concat([request(client, streamOf(round), post('/reflect'), false), frameBytes(0, 0, streamOf(round), 'x')]),
        )
      }
    },
  },
  {
    name: 'a header block that is never complete',
    isSlow: true,
    codes: [NO_ERROR],
    line: /AH01382: Request header read timeout/,
    run: async (client) => client.send(1, 1, 1, client.block(get('/small.txt'))),
  },
  {
    name: 'half a frame',
    isSlow: true,
    codes: [NO_ERROR],
    line: /AH01382: Request header read timeout/,
    run: async (client) => client.write(frameBytes(6, 0, 0, '12345678').subarray(0, 12)),
  },
]

/** Each of them once; the connection is over after it. */
const TRICKS: Readonly<Record<string, readonly [what: string, run: (client: FrameSocket) => void]>> = {
  'a request on an even stream': ['request HEADERS: invalid stream_id', (client) => client.head(2, get('/small.txt'))],
  'a request on stream 0': ['request HEADERS: stream_id == 0', (client) => client.head(0, get('/small.txt'))],
  'DATA on an idle stream': ['DATA: stream in idle', (client) => client.send(0, 1, 9, 'x')],
  'a reset of an idle stream': ['RST_STREAM: stream in idle', (client) => client.send(3, 0, 9, uint32(8))],
  'a window for an idle stream': ['WINDOW_UPDATE: stream in idle', (client) => client.send(8, 0, 9, uint32(1))],
  'a promise of a client': ['PUSH_PROMISE: a client must not push', (client) => client.send(5, 4, 1, uint32(2))],
  'two acknowledgements': [
    'SETTINGS: unexpected ACK',
    (client) => client.write(Buffer.concat([frameBytes(4, 1, 0), frameBytes(4, 1, 0)])),
  ],
  'a request inside of another header block': [
    'unexpected frame: expected CONTINUATION',
    (client) => {
      client.send(1, 1, 1, client.block(get('/small.txt')))
      client.head(3, get('/small.txt'))
    },
  ],
}

const NUMBERS: readonly Attack[] = Object.entries(TRICKS).map(([name, [what, run]]) => ({
  name,
  codes: [PROTOCOL_ERROR],
  line: closed(what, 'PROTOCOL_ERROR'),
  run: async (client) => run(client),
}))

/** Requests that would be others if somebody wrote them as lines. `PATH` marks what no log may contain. */
const INJECTIONS: Readonly<Record<string, readonly Field[]>> = {
  'line ends in the path': [...pseudoFields('GET', '/PATH HTTP/1.1\r\nX: y')],
  'line ends in the method': [...pseudoFields('GET /PATH HTTP/1.1\r\nX: y', '/PATH')],
  'line ends in the authority': [
    [':method', 'GET'],
    [':scheme', 'http'],
    [':authority', 'localhost\r\nX: y'],
    [':path', '/PATH'],
  ],
  'line ends in the scheme': [
    [':method', 'GET'],
    [':scheme', 'http\r\nX: y'],
    [':authority', 'localhost'],
    [':path', '/PATH'],
  ],
  'line ends in a value': [...get('/PATH'), ['x', 'y\r\n\r\nGET /PATH HTTP/1.1']],
  'a line feed in a value': [...get('/PATH'), ['x', 'y\nz: 1']],
  'NUL in a value': [...get('/PATH'), ['x', 'y\0z']],
  'line ends in a name': [...get('/PATH'), ['x: y\r\nz', '1']],
  'a colon in a name': [...get('/PATH'), ['x:y', '1']],
  'Transfer-Encoding': [...get('/PATH'), ['transfer-encoding', 'chunked']],
  'two paths': [...get('/small.txt'), [':path', '/PATH']],
}

const INJECTED: readonly Attack[] = Object.entries(INJECTIONS).map(([name, fields]) =>
  flooding(`requests with ${name}`, 'too many streams were reset', (client, round) => request(client, streamOf(round), fields)),
)

export const ATTACKS: readonly Attack[] = [...RESETS, ...BLOCKS, ...FLOODS, ...SLOW, ...NUMBERS, ...INJECTED]
