import { type StoreAddress, titleOf } from './addresses.ts'
import { Link, type ReplyParser } from './link.ts'
import type { KeyValueServer } from './remote-servers.ts'

/** A reply of memcached: a line, with the value that it announces. */
interface MemcacheReply {
  readonly line: string
  readonly value: Uint8Array | null
  /** What `cas` compares; null unless `gets` asked for it. */
  readonly version: string | null
}

/** The longest line and value that are accepted; memcached itself keeps values of 1 MiB at most. */
const LONGEST_LINE = 2048
const LONGEST_VALUE = 128 * 1024 * 1024
/** Above this many seconds, memcached reads an expiry as a date. */
const LONGEST_LIFE = 30 * 24 * 60 * 60
/** How often a counter is tried that another process makes, or that expires, meanwhile. */
const ATTEMPTS = 3

/** The answer to `incr` for other bytes, which is no failure of the server. */
const NOT_A_NUMBER = 'CLIENT_ERROR cannot increment or decrement non-numeric value'

/** A server that speaks the text protocol of memcached. Lives are whole seconds. @param limit milliseconds for a reply */
export function memcacheServer(address: StoreAddress, limit: number): KeyValueServer {
  const link = new Link<MemcacheReply>(address, () => new MemcacheParser(), limit)
  const ask = async (line: string, value?: Uint8Array): Promise<MemcacheReply> => {
    const command = Buffer.from(`${line}\r\n`, 'latin1')
    const reply = await link.ask(value === undefined ? command : Buffer.concat([command, value, CRLF]))
    if (/^(?:ERROR|CLIENT_ERROR|SERVER_ERROR)/.test(reply.line) && reply.line !== NOT_A_NUMBER) throw new Error(reply.line)
    return reply
  }
  return {
    title: `memcache server ${titleOf(address)}`,
    async get(key) {
      return (await ask(`get ${key}`)).value ?? undefined
    },
    async set(key, bytes, lifetime) {
      const { line } = await ask(`set ${key} 0 ${secondsOf(lifetime)} ${bytes.length}`, bytes)
      if (line !== 'STORED') throw new Error(line)
    },
    async delete(key) {
      await ask(`delete ${key}`)
    },
    async increment(key, amount, lifetime) {
      // Another process may make the counter between the two commands, or it may expire.
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const { line } = await ask(`incr ${key} ${amount}`)
        if (/^\d+$/.test(line)) return Math.min(Number(line), Number.MAX_SAFE_INTEGER)
        if (line !== 'NOT_FOUND') return undefined
        const made = await ask(`add ${key} 0 ${secondsOf(lifetime)} ${String(amount).length}`, Buffer.from(String(amount)))
        if (made.line === 'STORED') return amount
      }
      return undefined
    },
    async compareAndSet(key, expected, bytes, lifetime) {
      const entry = `${key} 0 ${secondsOf(lifetime)} ${bytes.length}`
      if (expected === undefined) return (await ask(`add ${entry}`, bytes)).line === 'STORED'
      const { value, version } = await ask(`gets ${key}`)
      if (value === null || version === null || !Buffer.from(value).equals(expected)) return false
      return (await ask(`cas ${entry} ${version}`, bytes)).line === 'STORED'
    },
    messages: null,
    close: () => link.close(),
  }
}

function secondsOf(lifetime: number): number {
  return Math.min(Math.max(1, Math.floor(lifetime / 1000)), LONGEST_LIFE)
}

const CRLF = Buffer.from('\r\n')

/** Reads replies to commands about one key. */
class MemcacheParser implements ReplyParser<MemcacheReply> {
  #bytes: Buffer = Buffer.alloc(0)

  push(bytes: Uint8Array): MemcacheReply[] {
    this.#bytes = this.#bytes.length === 0 ? Buffer.from(bytes) : Buffer.concat([this.#bytes, bytes])
    const replies: MemcacheReply[] = []
    for (let reply = this.#read(); reply !== null; reply = this.#read()) replies.push(reply)
    return replies
  }

  #read(): MemcacheReply | null {
    const end = this.#bytes.indexOf(CRLF)
    if (end < 0) {
      if (this.#bytes.length > LONGEST_LINE) throw new Error('not a reply of memcached')
      return null
    }
    const line = this.#bytes.toString('latin1', 0, end)
    const [, length, version = null] = /^VALUE \S+ \d+ (\d{1,9})(?: (\d{1,20}))?$/.exec(line) ?? []
    return length === undefined ? this.#line(line, end) : this.#value({ line, version }, end + CRLF.length, Number(length))
  }

  #line(line: string, end: number): MemcacheReply {
    if (!/^(?:[A-Z_]+(?: .*)?|\d{1,20})$/.test(line)) throw new Error('not a reply of memcached')
    this.#bytes = this.#bytes.subarray(end + CRLF.length)
    return { line, value: null, version: null }
  }

  /** The value is followed by an empty line, so to speak, and by END. */
  #value(head: Omit<MemcacheReply, 'value'>, start: number, length: number): MemcacheReply | null {
    if (length > LONGEST_VALUE) throw new Error('a value is too long')
    const after = start + length
    const end = after + VALUE_END.length
    if (this.#bytes.length < end) return null
    if (!this.#bytes.subarray(after, end).equals(VALUE_END)) throw new Error('not a reply of memcached')
    const value = Buffer.from(this.#bytes.subarray(start, after))
    this.#bytes = this.#bytes.subarray(end)
    return { ...head, value }
  }
}

const VALUE_END = Buffer.from('\r\nEND\r\n')
