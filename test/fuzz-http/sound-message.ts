import type { Random } from '../fixtures/random.ts'
import type { Chunk, ChunkedContent, Field, Message } from './message.ts'

const METHODS = [
  'GET',
  'GET',
  'GET',
  'POST',
  'POST',
  'PUT',
  'HEAD',
  'DELETE',
  'OPTIONS',
  'PATCH',
  'PROPFIND',
  'TRACE',
  'M-SEARCH',
]
const PATH_BYTES = "abcXYZ019/-._~!$&'()*+,;=:@%2f"
const TOKEN_BYTES = "abcxyzABCXYZ0189!#$%&'*+-.^_`|~"
const VALUE_BYTES = 'abc XYZ\t019,;:="()[]{}<>?/\\@\x80\xe9\xff'
const CONTENT_BYTES = 'abc012\r\n\0 :;\xff'
const NAMES = [
  'Accept',
  'Cookie',
  'User-Agent',
  'X-Forwarded-For',
  'Range',
  'Keep-Alive',
  'TE',
  'Trailer',
  'Content-Type',
  'x-a',
  'X-A',
]
const CONNECTION = [
  'keep-alive',
  'Keep-Alive',
  'close',
  'Close',
  'TE',
  'x, keep-alive',
  'keep-alive, x',
  'x,close',
  'close , keep-alive',
]
const ODD_CASES = [lower, upper, (text: string) => text, (text: string) => text]
/** Text that a parser at a wrong position would interpret as something else. */
const BAIT = ['0\r\n\r\n', 'GET /bait HTTP/1.1\r\nHost: b\r\n\r\n', '\r\n\r\n', '5\r\n', 'Content-Length: 5\r\n', '\n', '']

/** A request that every parser should take (RFC 9112), in as many ways as the grammar allows. */
export function soundMessage(random: Random): Message {
  const method = random.pick(METHODS)
  const old = random.percent(4)
  const message: Message = {
    emptyLines: random.percent(3) ? '\r\n'.repeat(1 + random.below(3)) : '',
    method,
    beforeTarget: ' ',
    target: soundTarget(random, method),
    beforeVersion: ' ',
    version: old ? 'HTTP/1.0' : 'HTTP/1.1',
    lineEnd: '\r\n',
    fields: random.several(0, 4, () => soundField(random)),
    headEnd: '\r\n',
    content: '',
  }
  insert(random, message.fields, field('Host', random.pick(['h', 'h.example:8080', '127.0.0.1', '[::1]:80'])))
  if (random.percent(8)) insert(random, message.fields, field('Connection', random.pick(CONNECTION)))
  const framing = random.below(10)
  if (framing < 4) return message
  if (framing < 7 || old) addLength(random, message, soundContent(random))
  else addChunks(random, message)
  return message
}

export function soundContent(random: Random): string {
  if (random.percent(30)) return random.pick(BAIT)
  if (random.percent(2)) return 'x'.repeat(1000 + random.below(3000))
  return text(random, CONTENT_BYTES, 20)
}

export function soundChunk(random: Random, data: string): Chunk {
  const size = random.pick(ODD_CASES)(data.length.toString(16))
  return {
    size: random.percent(10) ? size.padStart(1 + random.below(12), '0') : size,
    extension: random.percent(15) ? soundExtension(random) : '',
    sizeEnd: '\r\n',
    data,
    dataEnd: data === '' ? '' : '\r\n',
  }
}

export function field(name: string, value: string): Field {
  return { name, colon: ':', value: ` ${value}`, end: '\r\n' }
}

export function insert<T>(random: Random, list: T[], item: T): void {
  list.splice(random.below(list.length + 1), 0, item)
}

function addLength(random: Random, message: Message, content: string): void {
  const zeros = random.percent(5) ? '0'.repeat(1 + random.below(4)) : ''
  const length = field(random.pick(ODD_CASES)('Content-Length'), zeros + content.length)
  if (random.percent(10))
    length.value = `${random.pick(['', ' ', '\t', ' \t '])}${zeros}${content.length}${random.pick(['', ' ', '\t'])}`
  insert(random, message.fields, length)
  message.content = content
}

function addChunks(random: Random, message: Message): void {
  const coding = random.pick(['chunked', 'chunked', 'chunked', 'Chunked', 'CHUNKED', 'gzip, chunked', 'deflate ,chunked'])
  insert(random, message.fields, field(random.pick(ODD_CASES)('Transfer-Encoding'), coding))
  const content: ChunkedContent = { chunks: [], trailers: [], end: '\r\n' }
  for (let count = random.below(4); count > 0; count--) {
    const data = soundContent(random)
    if (data !== '') content.chunks.push(soundChunk(random, data))
  }
  content.chunks.push(soundChunk(random, ''))
  if (random.percent(20)) content.trailers = random.several(1, 3, () => soundField(random))
  message.content = content
}

function soundTarget(random: Random, method: string): string {
  if (method === 'OPTIONS' && random.percent(30)) return '*'
  const path = `/${text(random, PATH_BYTES, 10)}${random.percent(20) ? `?${text(random, `${PATH_BYTES}?`, 8)}` : ''}`
  return random.percent(8) ? `http://${random.pick(['h', 'h.example:8080', '[::1]'])}${path}` : path
}

function soundField(random: Random): Field {
  const name = random.percent(60) ? random.pick(NAMES) : `x${text(random, TOKEN_BYTES, 8)}`
  const blanks = random.percent(10) ? random.pick(['', '\t', '  ', ' \t']) : ' '
  return { name, colon: ':', value: blanks + text(random, VALUE_BYTES, 12), end: '\r\n' }
}

function soundExtension(random: Random): string {
  const name = `x${text(random, TOKEN_BYTES, 4)}`
  return random.pick([`;${name}`, `;${name}=v`, `;${name}="a;b"`, `;${name}="\\""`, `;a=b;${name}=c`])
}

function text(random: Random, bytes: string, longest: number): string {
  let made = ''
  for (let left = random.below(longest + 1); left > 0; left--) made += bytes[random.below(bytes.length)]
  return made
}

function lower(word: string): string {
  return word.toLowerCase()
}

function upper(word: string): string {
  return word.toUpperCase()
}
