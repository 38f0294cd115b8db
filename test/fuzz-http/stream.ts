/** The origin of a message's bytes. */
export const KINDS = ['sound', 'odd', 'mutated'] as const
export type Kind = (typeof KINDS)[number]

/** The input of a client on one connection: consecutive messages, in the pieces in which they arrive. */
export interface Stream {
  /** latin1 */
  readonly text: string
  /** Offsets in ascending order: where one piece ends and the next begins. */
  readonly cuts: readonly number[]
  readonly messages: readonly WrittenMessage[]
}

export interface WrittenMessage {
  readonly kind: Kind
  readonly start: number
}

/** The pieces of a stream, with further cuts. */
export function piecesOf(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const pieces: Buffer[] = []
  let start = 0
  for (const cut of cuts) {
    if (cut <= start || cut >= bytes.length) continue
    pieces.push(bytes.subarray(start, cut))
    start = cut
  }
  pieces.push(bytes.subarray(start))
  return pieces
}

/** In the syntax of a program. */
export function escaped(text: string): string {
  return JSON.stringify(text).replaceAll(/[\u007f-\u00ff]|\\u00(..)/g, (match, hex?: string) =>
    hex === undefined ? `\\x${match.charCodeAt(0).toString(16)}` : `\\x${hex}`,
  )
}
