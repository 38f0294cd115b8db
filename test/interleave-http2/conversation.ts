import { ByteWriter } from '../../packages/http2/src/byte-writer.ts'
import { HpackEncoder } from '../../packages/http2/src/hpack/index.ts'
import { ACK, END_HEADERS, END_STREAM, frame, PADDED, PRIORITY, SETTING, settings, TYPE, uint32 } from './frames.ts'
import type { Choice, Field, PlannedRequest } from './requests.ts'

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
const CANCEL = 8

/** One frame, or a header block with all its frames, as the client sends it. */
export interface Step {
  readonly bytes: Buffer
  /** What it means for the flow control and the expectations of the client. */
  readonly meaning: Meaning
}

export type Meaning =
  | { readonly kind: 'none' }
  | { readonly kind: 'opens' | 'resets'; readonly stream: number }
  | { readonly kind: 'window'; readonly stream: number; readonly count: number }
  /** Undefined leaves the setting as it is. */
  | { readonly kind: 'settings'; readonly initialWindow?: number; readonly frameSize?: number }
  | { readonly kind: 'ping'; readonly content: string }

const NONE: Meaning = { kind: 'none' }

/** Windows of streams that no response fills, so that only the window of the connection makes them wait. */
const WIDE = [1_000_000, 2_000_000]

export interface ClientSide {
  readonly steps: readonly Step[]
  /** Whether responses wait for the window of the connection alone. */
  readonly isWide: boolean
}

/** The frames of all requests in a random order that the protocol admits, among frames of the connection. */
export function randomConversation(choice: Choice, requests: readonly PlannedRequest[]): ClientSide {
  const encoder = new HpackEncoder()
  const isWide = choice(2) === 0
  const initialWindow = isWide ? WIDE[0] : [65_535, 65_535, 0, 1, 100, 20_000, 500_000][choice(7)]
  const windows: [number, number][] = initialWindow === 65_535 ? [] : [[SETTING.initialWindowSize, initialWindow]]
  const first: Step = {
    bytes: Buffer.concat([PREFACE, settings([[SETTING.enablePush, 0], ...windows])]),
    meaning: { kind: 'settings', initialWindow: windows[0]?.[1] },
  }
  const steps = [first]
  /** What is left to send of each stream that was opened. */
  const open: (() => Step | null)[] = []
  let next = 0
  while (next < requests.length || open.length > 0) {
    const kind = choice(4)
    if (kind === 0) steps.push(ofConnection(choice, next, isWide))
    else if (next < requests.length && (open.length === 0 || kind === 1)) {
      const stream = 2 * next + 1
      const sender = new StreamSteps(choice, encoder, requests[next], stream)
      steps.push(sender.head())
      open.push(() => sender.next())
      next++
    } else if (open.length > 0) {
      const at = choice(open.length)
      const step = open[at]()
      if (step === null) open.splice(at, 1)
      else steps.push(step)
    }
  }
  return { steps, isWide }
}

/** The steps of one stream, in their order. */
class StreamSteps {
  readonly #choice: Choice
  readonly #encoder: HpackEncoder
  readonly #request: PlannedRequest
  readonly #stream: number
  readonly #parts: string[]
  readonly #endsWithHead: boolean
  #hasTrailers: boolean
  /** Steps before the client gives up. */
  #left: number
  #isOver = false

  constructor(choice: Choice, encoder: HpackEncoder, request: PlannedRequest, stream: number) {
    this.#choice = choice
    this.#encoder = encoder
    this.#request = request
    this.#stream = stream
    this.#parts = [...(request.body ?? [])]
    this.#endsWithHead = request.body === null
    this.#hasTrailers = request.trailers.length > 0
    this.#left = request.isReset ? choice(4) : Number.POSITIVE_INFINITY
  }

  head(): Step {
    const { method, path, fields, body, statesLength } = this.#request
    const length = (body ?? []).reduce((sum, part) => sum + part.length, 0)
    const stated: Field[] = body !== null && statesLength ? [['content-length', String(length)]] : []
    const block: Field[] = [
      [':method', method],
      [':scheme', 'http'],
      [':path', path],
      [':authority', 'localhost'],
      ...fields.flatMap((field) => this.#cookieParts(field)),
      ...stated,
    ]
    const bytes = this.#block(block, this.#endsWithHead)
    return { bytes, meaning: { kind: 'opens', stream: this.#stream } }
  }

  /** Null after the last one. */
  next(): Step | null {
    if (this.#isOver) return null
    if (this.#left <= 0) return this.#reset()
    this.#left--
    if (this.#endsWithHead) {
      // Window updates may follow the request.
      if (this.#request.isReset || this.#choice(3) > 0) return this.#windowUpdate()
      this.#isOver = true
      return null
    }
    if (this.#choice(4) === 0) return this.#windowUpdate()
    const part = this.#parts.shift()
    if (part !== undefined) {
      const isLast = this.#parts.length === 0 && !this.#hasTrailers && this.#choice(2) === 0
      return this.#data(part, isLast)
    }
    if (!this.#hasTrailers) return this.#data('', true)
    this.#hasTrailers = false
    this.#ended()
    return { bytes: this.#block(this.#request.trailers, true), meaning: NONE }
  }

  /** The client's side of the stream has ended; one that it gives up is reset next. */
  #ended(): void {
    this.#isOver = !this.#request.isReset
    this.#left = 0
  }

  #reset(): Step {
    this.#isOver = true
    return { bytes: frame(TYPE.reset, 0, this.#stream, uint32(CANCEL)), meaning: { kind: 'resets', stream: this.#stream } }
  }

  #windowUpdate(): Step {
    const count = 1 + this.#choice(30_000)
    const meaning: Meaning = { kind: 'window', stream: this.#stream, count }
    return { bytes: frame(TYPE.windowUpdate, 0, this.#stream, uint32(count)), meaning }
  }

  #data(part: string, isLast: boolean): Step {
    if (isLast) this.#ended()
    const flags = isLast ? END_STREAM : 0
    const content = Buffer.from(part, 'latin1')
    if (this.#choice(3) > 0) return { bytes: frame(TYPE.data, flags, this.#stream, content), meaning: NONE }
    const padding = this.#choice(100)
    const padded = Buffer.concat([Buffer.from([padding]), content, Buffer.alloc(padding)])
    return { bytes: frame(TYPE.data, flags | PADDED, this.#stream, padded), meaning: NONE }
  }

  /** RFC 9113 section 8.2.3: a cookie may be sent in parts. */
  #cookieParts([name, value]: Field): Field[] {
    return name === 'cookie' ? value.split('; ').map((part) => [name, part]) : [[name, value]]
  }

  /** HEADERS, with up to three CONTINUATION frames. */
  #block(fields: readonly Field[], endsStream: boolean): Buffer {
    const writer = new ByteWriter()
    this.#encoder.begin(writer)
    for (const [name, value] of fields) this.#encoder.field(writer, name, value)
    const block = writer.copy()
    const cuts = Array.from({ length: this.#choice(4) }, () => this.#choice(block.length + 1)).sort((a, b) => a - b)
    const pieces = [...cuts, block.length].map((end, index) => block.subarray(index === 0 ? 0 : cuts[index - 1], end))
    return Buffer.concat(
      pieces.map((piece, index) => {
        const endHeaders = index === pieces.length - 1 ? END_HEADERS : 0
        if (index > 0) return frame(TYPE.continuation, endHeaders, this.#stream, piece)
        return this.#headers(piece, endHeaders | (endsStream ? END_STREAM : 0))
      }),
    )
  }

  #headers(piece: Buffer, flags: number): Buffer {
    const hasPriority = this.#choice(4) === 0
    const isPadded = this.#choice(4) === 0
    const padding = isPadded ? this.#choice(50) : 0
    const payload = Buffer.concat([
      Buffer.from(isPadded ? [padding] : []),
      hasPriority ? Buffer.concat([uint32(0), Buffer.from([this.#choice(256)])]) : Buffer.alloc(0),
      piece,
      Buffer.alloc(padding),
    ])
    return frame(TYPE.headers, flags | (isPadded ? PADDED : 0) | (hasPriority ? PRIORITY : 0), this.#stream, payload)
  }
}

/** A frame that belongs to no request. @param opened how many streams were opened */
function ofConnection(choice: Choice, opened: number, isWide: boolean): Step {
  const stream = 2 * choice(opened + 2) + 1
  switch (choice(7)) {
    case 0: {
      const windows = isWide ? WIDE : [0, 50, 65_535, 200_000]
      const initialWindow = windows[choice(windows.length)]
      return { bytes: settings([[SETTING.initialWindowSize, initialWindow]]), meaning: { kind: 'settings', initialWindow } }
    }
    case 1: {
      const frameSize = [16_384, 20_000, 100_000][choice(3)]
      const tableSize = [0, 100, 4096][choice(3)]
      const pairs = [[SETTING.headerTableSize, tableSize] as const, [SETTING.maxFrameSize, frameSize] as const, [99, 1] as const]
      return { bytes: settings(pairs), meaning: { kind: 'settings', frameSize } }
    }
    case 2: {
      const count = 1 + choice(100_000)
      return { bytes: frame(TYPE.windowUpdate, 0, 0, uint32(count)), meaning: { kind: 'window', stream: 0, count } }
    }
    case 3: {
      const content = String(choice(10 ** 8)).padStart(8, '0')
      return { bytes: frame(TYPE.ping, 0, 0, Buffer.from(content)), meaning: { kind: 'ping', content } }
    }
    case 4: {
      const payload = Buffer.concat([uint32(stream === 1 ? 0 : 1), Buffer.from([choice(256)])])
      return { bytes: frame(TYPE.priority, 0, stream, payload), meaning: NONE }
    }
    case 5: {
      const value = ['u=0', 'u=5, i', 'i', 'u=7', ''][choice(5)]
      return { bytes: frame(TYPE.priorityUpdate, 0, 0, Buffer.concat([uint32(stream), Buffer.from(value)])), meaning: NONE }
    }
    default:
      return { bytes: frame(0xbe, choice(256), stream, Buffer.alloc(choice(40))), meaning: NONE }
  }
}

export const SETTINGS_ACK: Buffer = frame(TYPE.settings, ACK, 0)
