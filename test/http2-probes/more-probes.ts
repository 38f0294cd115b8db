import { encodeHuffman } from '../../packages/http2/src/hpack/index.ts'
import { type Field, uint32 } from '../../packages/http2/test/support/frames.ts'
import type { FrameSocket } from '../http2/frame-socket.ts'
import type { Expectation, Probe } from './probe.ts'
import {
  CODES,
  connectionError,
  GET,
  get,
  half,
  malformed,
  openPost,
  POST,
  probe,
  response,
  setting,
  streamError,
  without,
} from './probe-parts.ts'

const PONG: Expectation = { kind: 'frame', type: 6, flag: 1 }
const ping = (client: FrameSocket): void => client.send(6, 0, 0, '12345678')
const priority = (dependency: number, weight: number): Buffer => Buffer.concat([uint32(dependency), Buffer.from([weight])])

/** What servers accept: frames of all types and states (h2spec's section `generic`). */
const ACCEPTED: readonly Probe[] = [
  probe('accepts/half-closed-window', '9113 5.1', 'WINDOW_UPDATE after the end of the request', response(), (c) => {
    get(c)
    c.send(8, 0, 1, uint32(100))
  }),
  probe('accepts/half-closed-priority', '9113 5.1', 'PRIORITY after the end of the request', response(), (c) => {
    get(c)
    c.send(2, 0, 1, priority(0, 9))
  }),
  probe('accepts/half-closed-reset', '9113 5.1', 'RST_STREAM after the end of the request', response(3), (c) => {
    get(c)
    c.send(3, 0, 1, uint32(8))
    get(c, 3)
  }),
  {
    ...probe('accepts/closed-priority', '9113 5.1', 'PRIORITY on a closed stream', PONG, (c) => get(c)),
    afterResponse: (c) => {
      c.send(2, 0, 1, priority(0, 9))
      ping(c)
    },
  },
  {
    ...probe('accepts/closed-window', '9113 5.1', 'WINDOW_UPDATE on a closed stream', PONG, (c) => get(c)),
    afterResponse: (c) => {
      c.send(8, 0, 1, uint32(100))
      ping(c)
    },
  },
  {
    ...probe('accepts/closed-reset', '9113 5.1', 'RST_STREAM on a closed stream', PONG, (c) => get(c)),
    afterResponse: (c) => {
      c.send(3, 0, 1, uint32(0))
      ping(c)
    },
  },
  probe('accepts/data', '9113 6.1', 'a body in one frame', response(), (c) => {
    half(c)
    c.send(0, 1, 1, 'test')
  }),
  probe('accepts/data-frames', '9113 6.1', 'a body in two frames', response(), (c) => {
    half(c)
    c.send(0, 0, 1, 'test')
    c.send(0, 1, 1, 'test')
  }),
  probe('accepts/data-padded', '9113 6.1', 'a body with padding', response(), (c) => {
    half(c)
    c.send(0, 9, 1, Buffer.from('\x06test\0\0\0\0\0\0', 'latin1'))
  }),
  probe('accepts/data-largest', '9113 4.2', 'DATA of 16384 bytes', response(), (c) => {
    half(c)
    c.send(0, 1, 1, Buffer.alloc(16_384))
  }),
  probe('accepts/headers-padded', '9113 6.2', 'HEADERS with padding', response(), (c) =>
    c.send(1, 13, 1, Buffer.concat([Buffer.from([4]), c.block(GET), Buffer.alloc(4)])),
  ),
  probe('accepts/headers-priority', '9113 6.2', 'HEADERS with a priority', response(), (c) =>
    c.send(1, 37, 1, Buffer.concat([priority(0, 9), c.block(GET)])),
  ),
  ...[
    ['lightest', priority(0, 0)] as const,
    ['heaviest', priority(0, 255)] as const,
    ['dependent', priority(3, 9)] as const,
    ['exclusive', priority(0x8000_0003, 9)] as const,
  ].map(([name, payload]) =>
    probe(`accepts/priority-${name}`, '9113 6.3', `PRIORITY, ${name}`, response(), (c) => {
      c.send(2, 0, 1, payload)
      get(c)
    }),
  ),
  probe('accepts/priority-order', '9113 6.3', 'PRIORITY on a stream above the request that follows', response(), (c) => {
    c.send(2, 0, 5, priority(0, 9))
    get(c, 1)
  }),
  probe('accepts/rst-stream', '9113 6.4', 'RST_STREAM, and another request', response(3), (c) => {
    half(c)
    c.send(3, 0, 1, uint32(8))
    get(c, 3)
  }),
  probe('accepts/settings', '9113 6.5', 'settings of each kind', response(), (c) => {
    const pairs = [setting(1, 100), setting(2, 0), setting(3, 9), setting(4, 70_000), setting(5, 20_000), setting(6, 9000)]
    c.send(4, 0, 0, Buffer.concat(pairs))
    get(c)
  }),
  probe('accepts/ping-ack', '9113 6.7', 'an acknowledgement of no PING', PONG, (c) => {
    c.send(6, 1, 0, '87654321')
    ping(c)
  }),
  probe('accepts/window-connection', '9113 6.9', 'WINDOW_UPDATE of the connection', response(), (c) => {
    c.send(8, 0, 0, uint32(1))
    get(c)
  }),
  probe('accepts/window-stream', '9113 6.9', 'WINDOW_UPDATE of a stream', response(), (c) => {
    half(c)
    c.send(8, 0, 1, uint32(1))
    c.send(0, 1, 1, 'x')
  }),
  probe('accepts/window-frames', '9113 6.9', 'a body larger than the first window, as windows permit', PONG, (c) => {
    half(c)
    for (let left = 3; left > 0; left--) c.send(0, 0, 1, Buffer.alloc(16_384))
    ping(c)
  }),
  probe('accepts/continuation', '9113 6.10', 'a header block in two frames', response(), (c) => {
    const block = c.block(GET)
    c.send(1, 1, 1, block.subarray(0, 2))
    c.send(9, 4, 1, block.subarray(2))
  }),
  probe('accepts/continuation-empty', '9113 6.10', 'an empty CONTINUATION', response(), (c) => {
    c.send(1, 1, 1, c.block(GET))
    c.send(9, 4, 1, '')
  }),
  probe('accepts/unknown-error-reset', '9113 7', 'RST_STREAM with an unknown code', PONG, (c) => {
    half(c)
    c.send(3, 0, 1, uint32(0xff))
    ping(c)
  }),
  probe('accepts/head', '9113 8.1', 'HEAD', response(), (c) => c.head(1, [...without(':method'), [':method', 'HEAD']])),
  probe('accepts/options', '9113 8.3.1', 'OPTIONS *', response(), (c) =>
    c.head(1, [...GET.filter(([name]) => name !== ':method' && name !== ':path'), [':method', 'OPTIONS'], [':path', '*']]),
  ),
  probe('accepts/trailers', '9113 8.1', 'a body with trailers', response(), (c) => {
    half(c)
    c.send(0, 0, 1, 'test')
    c.send(1, 5, 1, c.block([['x', 'y']]))
  }),
  probe('accepts/te-trailers', '9113 8.2.2', 'TE with trailers', response(), (c) => get(c, 1, [['te', 'trailers']])),
  probe('accepts/cookies', '9113 8.2.3', 'a cookie in parts', response(), (c) =>
    get(c, 1, [
      ['cookie', 'a=b'],
      ['cookie', 'c=d'],
    ]),
  ),
  probe('accepts/empty-value', '9113 8.2.1', 'an empty value', response(), (c) => get(c, 1, [['x-empty', '']])),
]

/** A client that has received the response to a request, and sends something else on its stream. */
const closed = (id: string, title: string, expects: Expectation, send: (client: FrameSocket) => void): Probe => ({
  ...probe(`stream/closed-${id}`, '7540 5.1', `${title} on a closed stream`, expects, (c) => get(c)),
  afterResponse: send,
})

/** The same after a reset of the client. */
const reset = (id: string, title: string, expects: Expectation, send: (client: FrameSocket) => void): Probe =>
  probe(`stream/reset-${id}`, '7540 5.1', `${title} on a stream that the client has reset`, expects, (c) => {
    half(c)
    c.send(3, 0, 1, uint32(8))
    send(c)
  })

const [PROTOCOL_ERROR, FLOW_CONTROL_ERROR, STREAM_CLOSED, FRAME_SIZE_ERROR, COMPRESSION_ERROR] = CODES

const STATES: readonly Probe[] = [
  probe('stream/idle-continuation', '9113 5.1', 'CONTINUATION on a stream that is idle', connectionError(PROTOCOL_ERROR), (c) =>
    c.send(9, 4, 9, c.block(GET)),
  ),
  probe(
    'stream/half-closed-continuation',
    '9113 5.1',
    'CONTINUATION after the end of the stream',
    connectionError(PROTOCOL_ERROR, STREAM_CLOSED),
    (c) => {
      half(c)
      c.send(0, 1, 1, 'x')
      c.send(9, 4, 1, '')
    },
  ),
  closed('data', 'DATA', streamError(STREAM_CLOSED), (c) => c.send(0, 1, 1, 'x')),
  closed('headers', 'HEADERS', streamError(STREAM_CLOSED, PROTOCOL_ERROR), (c) => c.send(1, 5, 1, c.block(GET))),
  closed('continuation', 'CONTINUATION', connectionError(PROTOCOL_ERROR, STREAM_CLOSED), (c) => c.send(9, 4, 1, '')),
  reset('data', 'DATA', streamError(STREAM_CLOSED), (c) => c.send(0, 1, 1, 'x')),
  reset('headers', 'HEADERS', streamError(STREAM_CLOSED, PROTOCOL_ERROR), (c) => c.send(1, 5, 1, c.block(GET))),
  reset('continuation', 'CONTINUATION', connectionError(PROTOCOL_ERROR, STREAM_CLOSED), (c) => c.send(9, 4, 1, '')),
  probe('stream/self-priority', '7540 5.3.1', 'PRIORITY of a stream on itself', streamError(PROTOCOL_ERROR), (c) => {
    half(c)
    c.send(2, 0, 1, priority(1, 9))
  }),
  probe('stream/self-headers', '7540 5.3.1', 'HEADERS with a priority on their own stream', streamError(PROTOCOL_ERROR), (c) =>
    c.send(1, 37, 1, Buffer.concat([priority(1, 9), c.block(GET)])),
  ),
  probe(
    'frame/interleaved-unknown',
    '9113 5.5',
    'an unknown frame inside of a header block',
    connectionError(PROTOCOL_ERROR),
    (c) => {
      c.send(1, 1, 1, c.block(GET))
      c.send(99, 0, 0, 'what')
      c.send(9, 4, 1, '')
    },
  ),
  probe('error/closes', '9113 5.4.1', 'an error, after which the connection closes', { kind: 'closed' }, (c) =>
    c.send(6, 0, 0, 'x'),
  ),
  probe('priority/length-4', '9113 6.3', 'PRIORITY of 4 bytes', streamError(FRAME_SIZE_ERROR), (c) => {
    half(c)
    c.send(2, 0, 1, Buffer.alloc(4))
  }),
  probe('window-update/length-5', '9113 6.9', 'WINDOW_UPDATE of 5 bytes', connectionError(FRAME_SIZE_ERROR), (c) =>
    c.send(8, 0, 0, Buffer.alloc(5)),
  ),
  probe('goaway/short', '9113 6.8', 'GOAWAY of 7 bytes', connectionError(FRAME_SIZE_ERROR), (c) =>
    c.send(7, 0, 0, Buffer.alloc(7)),
  ),
  probe('continuation/other-frame', '9113 6.10', 'DATA inside of a header block', connectionError(PROTOCOL_ERROR), (c) => {
    c.send(1, 0, 1, c.block(POST))
    c.send(0, 1, 1, 'x')
  }),
  probe(
    'continuation/after-continuation',
    '9113 6.10',
    'CONTINUATION after the last one of a block',
    connectionError(PROTOCOL_ERROR),
    (c) => {
      const block = c.block(POST)
      c.send(1, 0, 1, block.subarray(0, 2))
      c.send(9, 4, 1, block.subarray(2))
      c.send(9, 4, 1, '')
    },
  ),
]

const data = (length: number): Expectation => ({ kind: 'data', length })

const WINDOWS: readonly Probe[] = [
  probe('window/one-byte', '9113 6.9.1', 'a window of 1 byte', data(1), (c) => {
    c.send(4, 0, 0, setting(4, 1))
    get(c)
  }),
  probe('window/settings-twice', '9113 6.5.3', 'two sizes of windows in one frame: the last one counts', data(1), (c) => {
    c.send(4, 0, 0, Buffer.concat([setting(4, 100), setting(4, 1)]))
    get(c)
  }),
  probe('window/grows-by-settings', '9113 6.9.2', 'a window of 0 that settings enlarge to 1', data(1), (c) => {
    c.send(4, 0, 0, setting(4, 0))
    get(c)
    c.send(4, 0, 0, setting(4, 1))
  }),
  {
    ...probe('window/negative', '9113 6.9.2', 'a window of -1 that grows by 2', data(1), (c) => {
      c.send(4, 0, 0, setting(4, 3))
      get(c)
    }),
    afterData: {
      length: 3,
      run: (c) => {
        c.send(4, 0, 0, setting(4, 2))
        c.send(8, 0, 1, uint32(2))
      },
    },
  },
  probe(
    'window/settings-overflow',
    '9113 6.9.2',
    'settings that make a window exceed 2^31-1',
    connectionError(FLOW_CONTROL_ERROR),
    (c) => {
      half(c)
      c.send(8, 0, 1, uint32(0x7fff_0000))
      c.send(4, 0, 0, setting(4, 0x7fff_ffff))
    },
  ),
]

const MESSAGES: readonly Probe[] = [
  malformed('two-schemes', '9113 8.3.1', 'two :scheme', [...GET, [':scheme', 'http']]),
  malformed('keep-alive', '9113 8.2.2', 'Keep-Alive', [...GET, ['keep-alive', '3']]),
  malformed('proxy-connection', '9113 8.2.2', 'Proxy-Connection', [...GET, ['proxy-connection', 'close']]),
  malformed('upgrade', '9113 8.2.2', 'Upgrade', [...GET, ['upgrade', 'h3']]),
  malformed('colon', '9113 8.2.1', 'a colon in a name', [...GET, ['x:y', 'z']]),
  malformed('empty-name', '9113 8.2.1', 'an empty name', [...GET, ['', 'z']]),
  malformed('relative-path', '9113 8.3.1', 'a :path without a slash', [...without(':path'), [':path', 'page.html']]),
  malformed('connect-with-path', '9113 8.5', 'CONNECT with :path and :scheme', [
    ...GET.filter(([name]) => name !== ':method'),
    [':method', 'CONNECT'] as Field,
  ]),
  probe(
    'message/long-body-frames',
    '9113 8.1.1',
    'two frames longer than the Content-Length',
    streamError(PROTOCOL_ERROR),
    (c) => {
      openPost(c, [['content-length', '5']])
      c.send(0, 0, 1, 'test')
      c.send(0, 1, 1, 'test')
    },
  ),
  probe('message/body-of-none', '9113 8.1.1', 'a Content-Length without a body', streamError(PROTOCOL_ERROR), (c) =>
    c.head(1, [...POST, ['content-length', '5']]),
  ),
]

/** A literal field, by its first byte, with a new name or that of `user-agent` in the static table. */
function literal(kind: number, bits: number, name: 'new' | 'indexed', isHuffman: boolean): Buffer {
  const text = (value: string): Buffer => {
    const bytes = isHuffman ? encodeHuffman(value) : Buffer.from(value)
    return Buffer.concat([Buffer.from([(isHuffman ? 0x80 : 0) | bytes.length]), bytes])
  }
  if (name === 'new') return Buffer.concat([Buffer.from([kind]), text('x-name'), text('value')])
  // Entry 58 takes a byte of its own where the prefix is too short.
  const most = (1 << bits) - 1
  const index = 58 < most ? Buffer.from([kind | 58]) : Buffer.from([kind | most, 58 - most])
  return Buffer.concat([index, text('value')])
}

const KINDS: readonly (readonly [name: string, kind: number, bits: number])[] = [
  ['incremental', 0x40, 6],
  ['unindexed', 0x00, 4],
  ['never-indexed', 0x10, 4],
]

const LITERALS: readonly Probe[] = KINDS.flatMap(([kind, byte, bits]) =>
  (['new', 'indexed'] as const).flatMap((name) =>
    [false, true].map((isHuffman) => {
      const how = isHuffman ? 'huffman' : 'plain'
      return probe(`hpack/${kind}-${name}-${how}`, '7541 6.2', `a literal: ${kind}, ${name} name, ${how}`, response(), (c) =>
        c.send(1, 5, 1, Buffer.concat([c.block(GET), literal(byte, bits, name, isHuffman)])),
      )
    }),
  ),
)

const TABLES: readonly Probe[] = [
  ...LITERALS,
  probe('hpack/indexed-static', '7541 6.1', 'a field of the static table', response(), (c) =>
    c.send(1, 5, 1, Buffer.concat([c.block(GET), Buffer.from([0x90])])),
  ),
  probe('hpack/indexed-dynamic', '7541 6.1', 'fields of the dynamic table, in the next block', response(3), (c) => {
    // The table has the field x at its start, and after it the authority, which the first block has added.
    c.send(1, 5, 1, Buffer.concat([c.block(GET), Buffer.from('\x40\x01x\x01y', 'latin1')]))
    c.send(1, 5, 3, Buffer.from('\x82\x86\xbf\x04\x0a/page.html\xbe', 'latin1'))
  }),
  probe('hpack/size-zero', '7541 6.3', 'a dynamic table of size 0', response(), (c) =>
    c.send(1, 5, 1, Buffer.concat([Buffer.from([0x20]), c.block(GET)])),
  ),
  probe('hpack/evicted', '7541 4.4', 'a field that a change of the size has evicted', connectionError(COMPRESSION_ERROR), (c) => {
    c.send(1, 5, 1, Buffer.concat([c.block(GET), Buffer.from('\x40\x01x\x01y', 'latin1')]))
    c.send(1, 5, 3, Buffer.from([0x20, 0xbe]))
  }),
]

/** The rest of the public list of h2spec, in our own words, and some more. */
export const MORE_PROBES: readonly Probe[] = [...ACCEPTED, ...STATES, ...WINDOWS, ...MESSAGES, ...TABLES]
