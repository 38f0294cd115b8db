import { frameBytes, uint32 } from '../../packages/http2/test/support/frames.ts'
import { MORE_PROBES } from './more-probes.ts'
import type { Probe } from './probe.ts'
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

const [PROTOCOL_ERROR, FLOW_CONTROL_ERROR, STREAM_CLOSED, FRAME_SIZE_ERROR, COMPRESSION_ERROR] = CODES
const ENHANCE_YOUR_CALM = 11
const REFUSED_STREAM = 7
const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')

const STARTING: readonly Probe[] = [
  probe('start/preface', '9113 3.4', 'the preface, settings and a request', response(), (c) => get(c)),
  probe(
    'start/wrong-preface',
    '9113 3.4',
    'a preface that is none',
    connectionError(PROTOCOL_ERROR),
    (c) => c.write(Buffer.from('PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n')),
    true,
  ),
  probe(
    'start/no-settings',
    '9113 3.4',
    'another frame before the settings',
    connectionError(PROTOCOL_ERROR),
    (c) => c.write(Buffer.concat([PREFACE, frameBytes(6, 0, 0, '12345678')])),
    true,
  ),
  probe('start/settings-ack', '9113 6.5.3', 'settings', { kind: 'frame', type: 4, flag: 1 }, () => undefined),
  probe('start/request-before-ack', '9113 3.4', 'a request right after the settings', response(), (c) => get(c)),
]

const FRAMES: readonly Probe[] = [
  probe('frame/unknown-type', '9113 4.1', 'a frame of an unknown type', response(), (c) => {
    c.send(99, 0, 0, 'what')
    get(c)
  }),
  probe('frame/unknown-flags', '9113 4.1', 'a PING with undefined flags', { kind: 'frame', type: 6, flag: 1 }, (c) =>
    c.send(6, 0xfe, 0, '12345678'),
  ),
  probe('frame/reserved-bit', '9113 4.1', 'the reserved bit of the stream', response(), (c) => {
    c.write(frameBytes(1, 5, 1 + 0x8000_0000, c.block(GET)))
  }),
  probe('frame/too-large-data', '9113 4.2', 'DATA longer than 16384 bytes', connectionError(FRAME_SIZE_ERROR), (c) => {
    half(c)
    c.send(0, 1, 1, Buffer.alloc(16_385))
  }),
  probe('frame/too-large-headers', '9113 4.2', 'HEADERS longer than 16384 bytes', connectionError(FRAME_SIZE_ERROR), (c) =>
    c.send(1, 5, 1, Buffer.alloc(16_385)),
  ),
  probe('frame/undecodable', '9113 4.3', 'a header block that cannot be decoded', connectionError(COMPRESSION_ERROR), (c) =>
    c.send(1, 5, 1, Buffer.from([0x40])),
  ),
  probe(
    'frame/interleaved-priority',
    '9113 4.3',
    'another frame inside of a header block',
    connectionError(PROTOCOL_ERROR),
    (c) => {
      c.send(1, 1, 1, c.block(GET))
      c.send(2, 0, 1, Buffer.concat([uint32(0), Buffer.from([9])]))
      c.send(9, 4, 1)
    },
  ),
  probe(
    'frame/interleaved-stream',
    '9113 4.3',
    'another stream inside of a header block',
    connectionError(PROTOCOL_ERROR),
    (c) => {
      c.send(1, 1, 1, c.block(GET))
      c.send(1, 5, 3, c.block(GET))
    },
  ),
]

const idle = (id: string, type: number, payload: Buffer | string): Probe =>
  probe(`stream/idle-${id}`, '9113 5.1', `${id} on a stream that is idle`, connectionError(PROTOCOL_ERROR), (c) =>
    c.send(type, 0, 9, payload),
  )

const STREAMS: readonly Probe[] = [
  idle('data', 0, 'x'),
  idle('reset', 3, uint32(8)),
  idle('window', 8, uint32(1)),
  probe('stream/half-closed-data', '9113 5.1', 'DATA after the end of the stream', streamError(STREAM_CLOSED), (c) => {
    half(c)
    c.send(0, 1, 1, 'x')
    c.send(0, 1, 1, 'x')
  }),
  probe('stream/half-closed-headers', '9113 5.1', 'HEADERS after the end of the stream', streamError(STREAM_CLOSED), (c) => {
    half(c)
    c.send(0, 1, 1, 'x')
    c.send(1, 5, 1, c.block(GET))
  }),
  probe('stream/even', '9113 5.1.1', 'an even stream of a client', connectionError(PROTOCOL_ERROR), (c) => get(c, 2)),
  probe('stream/decreasing', '9113 5.1.1', 'a stream below the last one', connectionError(PROTOCOL_ERROR, STREAM_CLOSED), (c) => {
    get(c, 5)
    get(c, 3)
  }),
  probe(
    'stream/too-many',
    '9113 5.1.2',
    'more streams than the settings admit',
    streamError(PROTOCOL_ERROR, REFUSED_STREAM),
    (c) => {
      c.send(4, 1, 0)
      c.send(4, 0, 0, setting(4, 0))
      for (let stream = 1; stream < 1200; stream += 2) c.head(stream, POST, false)
    },
  ),
  probe('stream/priority-idle', '9113 5.1', 'PRIORITY on an idle stream', response(), (c) => {
    c.send(2, 0, 9, Buffer.concat([uint32(0), Buffer.from([9])]))
    get(c)
  }),
]

const onStream0 = (id: string, type: number, payload: Buffer | string): Probe =>
  probe(`${id}/stream-0`, '9113 6', `${id} on stream 0`, connectionError(PROTOCOL_ERROR), (c) =>
    c.send(type, type < 2 ? 5 : 0, 0, payload),
  )

const onStream1 = (id: string, type: number, payload: Buffer | string): Probe =>
  probe(`${id}/stream-1`, '9113 6', `${id} on a stream`, connectionError(PROTOCOL_ERROR), (c) => {
    half(c)
    c.send(type, 0, 1, payload)
  })

const ofLength = (id: string, type: number, length: number, stream: number): Probe =>
  probe(`${id}/length-${length}`, '9113 6', `${id} of ${length} bytes`, connectionError(FRAME_SIZE_ERROR), (c) => {
    if (stream > 0) half(c)
    c.send(type, 0, stream, Buffer.alloc(length))
  })

const TYPES: readonly Probe[] = [
  onStream0('data', 0, 'x'),
  onStream0('headers', 1, ''),
  onStream0('priority', 2, Buffer.alloc(5)),
  onStream0('rst-stream', 3, uint32(8)),
  onStream0('continuation', 9, ''),
  onStream1('settings', 4, ''),
  onStream1('ping', 6, '12345678'),
  onStream1('goaway', 7, Buffer.alloc(8)),
  ofLength('rst-stream', 3, 3, 1),
  ofLength('settings', 4, 3, 0),
  ofLength('ping', 6, 6, 0),
  ofLength('window-update', 8, 3, 0),
  probe('data/padding', '9113 6.1', 'more padding than DATA', connectionError(PROTOCOL_ERROR), (c) => {
    half(c)
    c.send(0, 9, 1, Buffer.from([6, 1, 1]))
  }),
  probe('headers/padding', '9113 6.2', 'more padding than HEADERS', connectionError(PROTOCOL_ERROR), (c) =>
    c.send(1, 13, 1, Buffer.concat([Buffer.from([200]), c.block(GET)])),
  ),
  probe('headers/padded', '9113 6.2', 'HEADERS with padding and a priority', response(), (c) => {
    const payload = [Buffer.from([4]), uint32(0), Buffer.from([9]), c.block(GET), Buffer.alloc(4)]
    c.send(1, 45, 1, Buffer.concat(payload))
  }),
  probe('settings/ack-with-payload', '9113 6.5', 'an acknowledgement with settings', connectionError(FRAME_SIZE_ERROR), (c) =>
    c.send(4, 1, 0, setting(1, 4096)),
  ),
  probe('settings/push-2', '9113 6.5.2', 'ENABLE_PUSH of 2', connectionError(PROTOCOL_ERROR), (c) =>
    c.send(4, 0, 0, setting(2, 2)),
  ),
  probe('settings/window-too-large', '9113 6.5.2', 'INITIAL_WINDOW_SIZE above 2^31-1', connectionError(FLOW_CONTROL_ERROR), (c) =>
    c.send(4, 0, 0, setting(4, 0x8000_0000)),
  ),
  probe('settings/frame-too-small', '9113 6.5.2', 'MAX_FRAME_SIZE below 16384', connectionError(PROTOCOL_ERROR), (c) =>
    c.send(4, 0, 0, setting(5, 16_383)),
  ),
  probe('settings/frame-too-large', '9113 6.5.2', 'MAX_FRAME_SIZE above 2^24-1', connectionError(PROTOCOL_ERROR), (c) =>
    c.send(4, 0, 0, setting(5, 0x100_0000)),
  ),
  probe('settings/unknown', '9113 6.5.2', 'an unknown setting', response(), (c) => {
    c.send(4, 0, 0, setting(0xff, 1))
    get(c)
  }),
  probe('push-promise/client', '9113 8.4', 'a promise of a client', connectionError(PROTOCOL_ERROR), (c) =>
    c.send(5, 4, 1, Buffer.concat([uint32(2), c.block(GET)])),
  ),
  probe('ping/echo', '9113 6.7', 'a PING', { kind: 'frame', type: 6, flag: 1 }, (c) => c.send(6, 0, 0, '12345678')),
  probe('window-update/zero', '9113 6.9', 'a window that grows by 0', connectionError(PROTOCOL_ERROR), (c) =>
    c.send(8, 0, 0, uint32(0)),
  ),
  probe('window-update/zero-stream', '9113 6.9', 'a window of a stream that grows by 0', streamError(PROTOCOL_ERROR), (c) => {
    half(c)
    c.send(8, 0, 1, uint32(0))
  }),
  probe('window-update/overflow', '9113 6.9.1', 'a window above 2^31-1', connectionError(FLOW_CONTROL_ERROR), (c) =>
    c.send(8, 0, 0, uint32(0x7fff_ffff)),
  ),
  probe(
    'window-update/overflow-stream',
    '9113 6.9.1',
    'a window of a stream above 2^31-1',
    streamError(FLOW_CONTROL_ERROR),
    (c) => {
      half(c)
      c.send(8, 0, 1, uint32(0x7fff_ffff))
    },
  ),
  probe('continuation/after-end', '9113 6.10', 'CONTINUATION after the end of a block', connectionError(PROTOCOL_ERROR), (c) => {
    half(c)
    c.send(9, 4, 1, Buffer.alloc(0))
  }),
  probe('continuation/after-data', '9113 6.10', 'CONTINUATION after DATA', connectionError(PROTOCOL_ERROR), (c) => {
    half(c)
    c.send(0, 0, 1, 'x')
    c.send(9, 4, 1, Buffer.alloc(0))
  }),
  probe('continuation/split', '9113 6.10', 'a header block in three frames', response(), (c) => {
    const block = c.block(GET)
    c.send(1, 1, 1, block.subarray(0, 3))
    c.send(9, 0, 1, block.subarray(3, 5))
    c.send(9, 4, 1, block.subarray(5))
  }),
]

const MESSAGES: readonly Probe[] = [
  malformed('upper-case', '9113 8.2', 'a name in upper case', [...GET, ['X-Test', 'y']]),
  malformed('unknown-pseudo', '9113 8.3', 'an unknown pseudo field', [...GET, [':test', 'y']]),
  malformed('response-pseudo', '9113 8.3', ':status in a request', [...GET, [':status', '200']]),
  malformed('late-pseudo', '9113 8.3', 'a pseudo field after the others', [...without(':path'), ['x', 'y'], [':path', '/']]),
  malformed('connection', '9113 8.2.2', 'Connection', [...GET, ['connection', 'keep-alive']]),
  malformed('te', '9113 8.2.2', 'TE other than trailers', [...GET, ['te', 'trailers, deflate']]),
  malformed('transfer-encoding', '9113 8.2.2', 'Transfer-Encoding', [...GET, ['transfer-encoding', 'chunked']]),
  malformed('empty-path', '9113 8.3.1', 'an empty :path', [...without(':path'), [':path', '']]),
  malformed('no-method', '9113 8.3.1', 'no :method', without(':method')),
  malformed('no-scheme', '9113 8.3.1', 'no :scheme', without(':scheme')),
  malformed('no-path', '9113 8.3.1', 'no :path', without(':path')),
  malformed('two-methods', '9113 8.3.1', 'two :method', [...GET, [':method', 'GET']]),
  malformed('two-paths', '9113 8.3.1', 'two :path', [...GET, [':path', '/']]),
  malformed('line-end', '9113 8.2.1', 'a line end in a value', [...GET, ['x', 'y\r\nz: 1']]),
  malformed('nul', '9113 8.2.1', 'NUL in a value', [...GET, ['x', 'y\0']]),
  probe('message/short-body', '9113 8.1.1', 'a body shorter than its Content-Length', streamError(PROTOCOL_ERROR), (c) => {
    openPost(c, [['content-length', '9']])
    c.send(0, 1, 1, 'test')
  }),
  probe('message/long-body', '9113 8.1.1', 'a body longer than its Content-Length', streamError(PROTOCOL_ERROR), (c) => {
    openPost(c, [['content-length', '1']])
    c.send(0, 1, 1, 'test')
  }),
  probe('message/open-trailers', '9113 8.1', 'trailers that do not end the stream', streamError(PROTOCOL_ERROR), (c) => {
    half(c)
    c.send(1, 4, 1, c.block([['x', 'y']]))
  }),
  probe('message/pseudo-trailers', '9113 8.1', 'a pseudo field in trailers', streamError(PROTOCOL_ERROR), (c) => {
    half(c)
    c.send(1, 5, 1, c.block([[':method', 'GET']]))
  }),
]

const block = (id: string, section: string, title: string, bytes: readonly number[]): Probe =>
  probe(`hpack/${id}`, section, title, connectionError(COMPRESSION_ERROR, ENHANCE_YOUR_CALM), (c) =>
    c.send(1, 5, 1, Buffer.concat([c.block(GET), Buffer.from(bytes)])),
  )

const HPACK: readonly Probe[] = [
  block('index-0', '7541 6.1', 'index 0', [0x80]),
  block('index-too-large', '7541 2.3.3', 'an index beyond both tables', [0xff, 0x60]),
  block('name-too-large', '7541 2.3.3', 'a name beyond both tables', [0x7f, 0x60, 1, 0x61]),
  block('late-size', '7541 4.2', 'a change of the size at the end of a block', [0x21]),
  probe('hpack/size-too-large', '7541 6.3', 'a table larger than the settings admit', connectionError(COMPRESSION_ERROR), (c) =>
    c.send(1, 5, 1, Buffer.concat([Buffer.from([0x3f, 0xe1, 0xff, 0x03]), c.block(GET)])),
  ),
  block('huffman-padding', '7541 5.2', 'padding of more than 7 bits after a Huffman text', [0, 0x82, 0x1f, 0xff, 1, 0x61]),
  block('huffman-zeros', '7541 5.2', 'padding with zeros after a Huffman text', [0, 0x81, 0x18, 1, 0x61]),
  block('huffman-eos', '7541 5.2', 'EOS in a Huffman text', [0, 0x84, 0xff, 0xff, 0xff, 0xfc, 1, 0x61]),
  block('number', '7541 5.1', 'a number without end', [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
  probe('hpack/literals', '7541 6.2', 'literals of each kind', response(), (c) => {
    const kinds = [0x40, 0x00, 0x10].map((kind) => Buffer.from([kind, 1, 0x78, 1, 0x79]))
    c.send(1, 5, 1, Buffer.concat([c.block(GET), ...kinds]))
  }),
  probe('hpack/size-change', '7541 6.3', 'changes of the size of the table', response(), (c) => {
    c.send(1, 5, 1, Buffer.concat([Buffer.from([0x20, 0x3f, 0xe1, 0x1f]), c.block(GET)]))
  }),
]

/** All probes, in the order of the table. */
export const CATALOGUE: readonly Probe[] = [...STARTING, ...FRAMES, ...STREAMS, ...TYPES, ...MESSAGES, ...HPACK, ...MORE_PROBES]

/**
 * Not done here. As in httpd, a stream below the last one, and frames on a closed stream, are passed over, because the server may
 * have reset it: RFC 7540 required errors, RFC 9113 permits them. Dependencies of streams do not exist in RFC 9113.
 */
export const NOT_DONE: ReadonlySet<string> = new Set([
  ...['stream/decreasing', 'stream/closed-data', 'stream/closed-headers', 'stream/reset-data', 'stream/reset-headers'],
  ...['stream/self-priority', 'stream/self-headers'],
])
