import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'

const TYPES = { A: 1, CNAME: 5, PTR: 12, AAAA: 28 } as const

export type RecordType = keyof typeof TYPES

export interface DnsRecord {
  readonly type: RecordType
  /** Owner; the name that was asked for when absent. */
  readonly name?: string
  /** An address, or a name whose labels are separated by dots; `\xNN` of any byte but the dot as it is. */
  readonly value: string
  /** Seconds; 300 when absent. */
  readonly ttl?: number
}

export interface Reply {
  readonly records?: readonly DnsRecord[]
  /** `name-error` is NXDOMAIN, `failure` SERVFAIL. */
  readonly code?: 'name-error' | 'failure' | 'refused'
  /** Bytes after the identifier, instead of everything else. */
  readonly raw?: Buffer
  /** What is wrong with the packet. */
  readonly flaw?: 'no-answer' | 'wrong-id' | 'truncated' | 'garbage' | 'other-question'
  /** The answer is sent when this settles. */
  readonly after?: Promise<unknown>
}

const CODES = { 'name-error': 3, failure: 2, refused: 5 } as const

/** What ends the server: a test, or a program that calls the function at its end. */
export interface Owner {
  teardown(end: () => void): void
}

/** A name server on the loopback network with scripted answers; NXDOMAIN for every other question. */
export class NameServer {
  /** All that was asked, in order: `PTR 1.0.0.10.in-addr.arpa`, `A web.example`. */
  readonly questions: string[] = []
  readonly #replies = new Map<string, Reply>()
  readonly #waiting = new Map<string, () => void>()
  readonly #socket: Socket

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('message', (packet, from) => this.#receive(packet, from))
  }

  static start(owner: Owner, at: { readonly host?: string; readonly port?: number } = {}): Promise<NameServer> {
    const socket = createSocket('udp4')
    const server = new NameServer(socket)
    owner.teardown(() => socket.close())
    return new Promise((resolve, reject) => {
      socket.on('error', reject)
      socket.bind(at.port ?? 0, at.host ?? '127.0.0.1', () => resolve(server))
    })
  }

  /** `127.0.0.1:PORT` */
  get address(): string {
    const { address, port } = this.#socket.address()
    return `${address}:${port}`
  }

  /** Scripts the answer to a question such as `PTR 10.0.0.1` (an IPv4 address stands for its name) or `A web.example`. */
  on(question: string, reply: Reply): this {
    this.#replies.set(normalised(question), reply)
    return this
  }

  /** Client and name that confirm each other. */
  pair(address: string, name: string, ttl?: number): this {
    const type = address.includes(':') ? 'AAAA' : 'A'
    this.on(`PTR ${address}`, { records: [{ type: 'PTR', value: name, ttl }] })
    return this.on(`${type} ${name.toLowerCase()}`, { records: [{ type, value: address, ttl }] })
  }

  /** Resolves when the question has been asked, now or before. */
  asked(question: string): Promise<void> {
    const key = normalised(question)
    if (this.questions.includes(key)) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.set(key, resolve))
  }

  #receive(packet: Buffer, from: RemoteInfo): void {
    const end = packet.indexOf(0, 12)
    const name = readName(packet, 12)
    const number = packet.readUInt16BE(end + 1)
    const type = Object.entries(TYPES).find(([, one]) => one === number)?.[0] ?? String(number)
    const key = `${type} ${name.toLowerCase()}`
    this.questions.push(key)
    this.#waiting.get(key)?.()
    const reply = this.#replies.get(key) ?? { code: 'name-error' }
    if (reply.flaw === 'no-answer') return
    const send = (): void => {
      // The server may have ended in the meantime.
      if (reply.after !== undefined && this.#closed) return
      this.#socket.send(answerTo(packet.subarray(0, end + 5), name, reply), from.port, from.address)
    }
    if (reply.after === undefined) send()
    else reply.after.then(send, send)
  }

  get #closed(): boolean {
    try {
      this.#socket.address()
      return false
    } catch {
      return true
    }
  }
}

function normalised(question: string): string {
  const [type, name] = question.split(' ')
  return type === 'PTR' && /^[\d.]+$|:/.test(name) ? `PTR ${reverseName(name)}` : `${type} ${name.toLowerCase()}`
}

/** The name of the PTR record of an address. */
export function reverseName(address: string): string {
  if (!address.includes(':')) return `${address.split('.').reverse().join('.')}.in-addr.arpa`
  return `${[...ipv6Bytes(address).toString('hex')].reverse().join('.')}.ip6.arpa`
}

function readName(packet: Buffer, start: number): string {
  const labels: string[] = []
  for (let at = start; packet[at] !== 0; at += packet[at] + 1) labels.push(packet.toString('latin1', at + 1, at + 1 + packet[at]))
  return labels.join('.')
}

function answerTo(question: Buffer, name: string, { records = [], code, flaw, raw }: Reply): Buffer {
  if (raw !== undefined) return Buffer.concat([question.subarray(0, 2), raw])
  if (flaw === 'garbage') return Buffer.concat([question.subarray(0, 2), Buffer.from('ffffffffffffffffffffffff', 'hex')])
  const head = Buffer.from(question.subarray(0, 12))
  const asked = Buffer.from(question.subarray(12))
  if (flaw === 'wrong-id') head.writeUInt16BE((head.readUInt16BE(0) + 1) & 0xffff, 0)
  if (flaw === 'other-question') asked[1] ^= 1
  head.writeUInt16BE(0x8180 | (flaw === 'truncated' ? 0x0200 : 0) | (code === undefined ? 0 : CODES[code]), 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(records.length, 6)
  head.writeUInt16BE(0, 8)
  head.writeUInt16BE(0, 10)
  return Buffer.concat([head, asked, ...records.map((record) => recordBytes(record, name))])
}

function recordBytes({ type, name, value, ttl = 300 }: DnsRecord, asked: string): Buffer {
  const data = valueBytes(type, value)
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(TYPES[type], 0)
  fixed.writeUInt16BE(1, 2)
  fixed.writeUInt32BE(ttl, 4)
  fixed.writeUInt16BE(data.length, 8)
  return Buffer.concat([nameBytes(name ?? asked), fixed, data])
}

function valueBytes(type: RecordType, value: string): Buffer {
  if (type === 'A') return Buffer.from(value.split('.').map(Number))
  return type === 'AAAA' ? ipv6Bytes(value) : nameBytes(value)
}

/** A name in the form of a packet, without compression. */
export function nameBytes(name: string): Buffer {
  const labels = name.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label, 'latin1')])
  return Buffer.concat([...labels, Buffer.from([0])])
}

/** Written out or with `::`, the last four bytes as IPv4 if need be. */
function ipv6Bytes(text: string): Buffer {
  const hex = text.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, ...octets: string[]) => {
    const [a, b, c, d] = octets.slice(0, 4).map((octet) => Number(octet).toString(16).padStart(2, '0'))
    return `${a}${b}:${c}${d}`
  })
  const [head, tail] = hex.split('::').map((half) => (half === '' ? [] : half.split(':')))
  const groups =
    tail === undefined ? head : [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail]
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex')
}
