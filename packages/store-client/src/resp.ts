import type { ReplyParser } from './link.ts'

/** An error that the server replied with. */
export class ServerError extends Error {
  override readonly name = 'ServerError'
}

/** A reply of Redis: a status, an error, an integer, bytes, nothing, or a list. */
export type RespReply = string | ServerError | number | Uint8Array | null | readonly RespReply[]

/** The longest text that is accepted, the most entries of a list, and how deep lists may be nested. */
const LONGEST = 64 * 1024 * 1024
const MOST = 100_000
const DEEPEST = 8

/** A command as a list of texts and bytes. */
export function encodeCommand(words: readonly (string | Uint8Array)[]): Uint8Array {
  const parts: Uint8Array[] = [Buffer.from(`*${words.length}\r\n`)]
  for (const word of words) {
    const bytes = typeof word === 'string' ? Buffer.from(word, 'utf8') : word
    parts.push(Buffer.from(`$${bytes.length}\r\n`), bytes, CRLF)
  }
  return Buffer.concat(parts)
}

const CRLF = Buffer.from('\r\n')

/** Not all bytes of a reply have arrived. */
const INCOMPLETE = Symbol('incomplete')

/** Reads the replies of RESP, version 2. */
export class RespParser implements ReplyParser<RespReply> {
  #bytes: Buffer = Buffer.alloc(0)
  #at = 0

  push(bytes: Uint8Array): RespReply[] {
    this.#bytes = this.#bytes.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#bytes, bytes])
    const replies: RespReply[] = []
    this.#at = 0
    let complete = 0
    for (;;) {
      const reply = this.#read(0)
      if (reply === INCOMPLETE) break
      replies.push(reply)
      complete = this.#at
    }
    this.#bytes = this.#bytes.subarray(complete)
    return replies
  }

  #read(depth: number): RespReply | typeof INCOMPLETE {
    if (depth > DEEPEST) throw new Error('a reply is nested too deeply')
    const end = this.#bytes.indexOf(CRLF, this.#at)
    if (end < 0) {
      if (this.#bytes.length - this.#at > LONGEST) throw new Error('a reply is too long')
      return INCOMPLETE
    }
    const line = this.#bytes.toString('latin1', this.#at, end)
    this.#at = end + CRLF.length
    const rest = line.slice(1)
    switch (line[0]) {
      case '+':
        return rest
      case '-':
        return new ServerError(rest)
      case ':':
        return this.#number(rest)
      case '$':
        return this.#bulk(this.#number(rest))
      case '*':
        return this.#list(this.#number(rest), depth)
      default:
        throw new Error('not a reply of Redis')
    }
  }

  #number(text: string): number {
    if (!/^[-+]?\d{1,16}$/.test(text)) throw new Error('not a reply of Redis')
    return Number(text)
  }

  #bulk(length: number): RespReply | typeof INCOMPLETE {
    if (length < 0) return null
    if (length > LONGEST) throw new Error('a reply is too long')
    const end = this.#at + length
    if (this.#bytes.length < end + CRLF.length) return INCOMPLETE
    const bytes = Buffer.from(this.#bytes.subarray(this.#at, end))
    this.#at = end + CRLF.length
    return bytes
  }

  #list(count: number, depth: number): RespReply | typeof INCOMPLETE {
    if (count < 0) return null
    if (count > MOST) throw new Error('a reply is too long')
    const list: RespReply[] = []
    for (let index = 0; index < count; index++) {
      const entry = this.#read(depth + 1)
      if (entry === INCOMPLETE) return INCOMPLETE
      list.push(entry)
    }
    return list
  }
}
