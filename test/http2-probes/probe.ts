import type { FrameSocket } from '../http2/frame-socket.ts'

/** What a server must do, by RFC 9113 or RFC 7541. */
export type Expectation =
  /** It ends the connection: with GOAWAY and one of these codes, or without (RFC 9113 section 5.4.1). */
  | { readonly kind: 'connection error'; readonly codes: readonly number[] }
  /** It resets a stream with one of these codes, or treats this as an error of the connection (section 5.4.2). */
  | { readonly kind: 'stream error'; readonly codes: readonly number[] }
  /** It answers the request of stream `stream` completely. */
  | { readonly kind: 'response'; readonly stream: number }
  /** It sends a DATA frame of this length. */
  | { readonly kind: 'data'; readonly length: number }
  /** It closes the connection. */
  | { readonly kind: 'closed' }
  /** It sends a frame of this type, with this flag. */
  | { readonly kind: 'frame'; readonly type: number; readonly flag: number }

/** One requirement of RFC 9113 or RFC 7541 for servers. */
export interface Probe {
  /** Never changes, because tables contain it. */
  readonly id: string
  /** `9113 5.1` is section 5.1 of RFC 9113. */
  readonly section: string
  /** The client's behaviour. */
  readonly title: string
  /** The client sends the preface and settings itself. */
  readonly isRaw?: boolean
  run(client: FrameSocket): void
  /** What the client does when it has received the response on stream 1. */
  readonly afterResponse?: (client: FrameSocket) => void
  /** What the client does when it has received a DATA frame of this length. */
  readonly afterData?: { readonly length: number; readonly run: (client: FrameSocket) => void }
  readonly expects: Expectation
}
