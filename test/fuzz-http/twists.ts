import type { Random } from '../fixtures/random.ts'
import type { Field, Message } from './message.ts'
import { field, insert } from './sound-message.ts'

type Twist = (random: Random, message: Message) => void

const LINE_ENDS = ['\n', '\r', '\r\r\n', '\n\r\n', '\r\n\r', ' \r\n', '\0\r\n', '']
const BLANKS = ['', ' ', '  ', '\t', ' \t', '\x0b', '\x0c', '\xa0', '\r', '\n ', '\r\n ', '\0']
const METHODS = ['get', 'Get', 'G@T', 'GE T', '', 'FOO', 'GET\0', '\xc7ET', 'PRI', 'CONNECT', 'QUERY', 'x'.repeat(40)]
const TARGETS = [
  '',
  '*',
  'x',
  '/\x80',
  '/a b',
  '/a\tb',
  '/#f',
  '/\0',
  '//h/p',
  'http://u@h/',
  'http://',
  'ftp://h/',
  'h:80',
  '/\r',
  '?q',
  'http:/x',
  '/"<>\\^`{|}',
]
const VERSIONS = [
  '',
  'HTTP/1.2',
  'HTTP/2.0',
  'HTTP/0.9',
  'HTTP/1',
  'HTTP/1.10',
  'HTTP/01.1',
  'http/1.1',
  'HTTP/1.1 ',
  'HTTP /1.1',
  'HTTPS/1.1',
  'HTTP/1,1',
  'HTTP/-1.1',
  'RTSP/1.0',
  'HTTP/1.1\0',
  'HTTP/9.9',
]
const LENGTHS = [
  '+3',
  '-3',
  '0x3',
  '3, 3',
  '3,3',
  '3, 4',
  '3 3',
  '',
  '3;',
  '3.0',
  '3e0',
  '\xb3',
  '99999999999999999999',
  '18446744073709551619',
  '4294967299',
  '9223372036854775808',
  '00000000000000000000003',
  '3\0',
  '\x0b3',
  '3\x0b',
  '"3"',
  '3,',
  ',3',
  '3_0',
  '-0',
]
const CODINGS = [
  'identity',
  'chunked, identity',
  'identity, chunked',
  'xchunked',
  'chunkedx',
  'chunked, chunked',
  'chunked,',
  ',chunked',
  'chunked;q=1',
  '"chunked"',
  'chunked\0',
  '\x0bchunked',
  'chunked\x0b',
  'chun ked',
  'chunked gzip',
  '',
  'gzip',
  'chunked, gzip',
  'chunked\t',
  '\tchunked',
  'gzip,\tchunked',
  'cHuNkEd',
  'trailers',
  'chunked , ',
]
const SIZES = [
  '0x3',
  '+3',
  '-3',
  ' 3',
  '3 ',
  '3\t',
  '3\x0b',
  '3h',
  'g',
  '',
  '-0',
  '3.',
  '3,',
  '3_',
  'ffffffffffffffff',
  '10000000000000003',
  '100000003',
  '20000000000003',
  '00000000000000000000003',
  '3\0',
  '\xb3',
  "'3'",
  '3\r',
]
const EXTENSIONS = [
  ';',
  '; ',
  ' ;a',
  '\t;a',
  ';a\n',
  ';a\nb',
  ';a\rb',
  ';a=\x80',
  ';a="',
  ';a="\n"',
  ';a="b\\',
  ';a b',
  ';\0',
  ';a;;b',
  ',a',
  ' a',
  ';=',
  ';a=b=c',
  `;${'x'.repeat(300)}`,
]
const NAMES = [
  '',
  'X Y',
  ' X',
  '\tX',
  'X\0',
  'X\x80',
  'X(',
  'X\x0b',
  'Content Length',
  'Content_Length',
  'Transfer\xadEncoding',
  'X\r',
  '\r',
  '\0',
]
const COLONS = [' :', '\t:', '', '::', '\x0b:', '\0:', '\r:', '\n:', '\r\n :', ';']
const VALUES = [
  '\0',
  'a\0b',
  '\x01',
  'a\rb',
  'a\nb',
  'a\x0bb',
  '\x7f',
  'a\r\n b',
  'a\r\n\tb',
  '\r\n a',
  'a\r\n ',
  'a\n b',
  'a \r\n b ',
  'a\r\n b\r\n c',
  '\r',
  'a\r',
]
const HOSTS = ['', 'a b', 'a/b', 'a@b', 'a,b', 'h:', 'h:x', 'h:99999', 'a..b', '[::1', 'é', 'h\0', '%68']

/** Each makes something wrong, or at least unusual: much of it comes from known ways to smuggle a request past a parser. */
const TWISTS: readonly Twist[] = [
  (random, message) => {
    message.method = random.pick(METHODS)
  },
  (random, message) => {
    message.target = random.pick(TARGETS)
  },
  (random, message) => {
    message.version = random.pick(VERSIONS)
    if (message.version === '') message.beforeVersion = ''
  },
  (random, message) => {
    if (random.percent(50)) message.beforeTarget = random.pick(BLANKS)
    else message.beforeVersion = random.pick(BLANKS)
  },
  (random, message) => {
    message.lineEnd = random.pick(LINE_ENDS)
  },
  (random, message) => {
    message.headEnd = random.pick(LINE_ENDS)
  },
  (random, message) => {
    message.emptyLines = random.pick(['\n', '\r', ' \r\n', '\r\n'.repeat(12), '\n\n', '\0'])
  },
  (random, message) => {
    anyField(random, message).end = random.pick(LINE_ENDS)
  },
  (random, message) => {
    anyField(random, message).colon = random.pick(COLONS)
  },
  (random, message) => {
    const one = anyField(random, message)
    one.name = random.percent(50) ? random.pick(NAMES) : `${random.pick(BLANKS)}${one.name}`
  },
  (random, message) => {
    const one = anyField(random, message)
    one.value = random.percent(50) ? ` ${random.pick(VALUES)}` : `${random.pick(BLANKS)}${one.value}${random.pick(BLANKS)}`
  },
  (random, message) => {
    insert(random, message.fields, field('Host', random.pick(HOSTS)))
  },
  (random, message) => {
    insert(random, message.fields, field('Content-Length', random.pick(LENGTHS)))
  },
  (random, message) => {
    insert(random, message.fields, field('Content-Length', String(random.below(8))))
  },
  (random, message) => {
    insert(random, message.fields, field('Transfer-Encoding', random.pick(CODINGS)))
  },
  (random, message) => {
    insert(random, message.fields, field('Transfer-Encoding', 'chunked'))
  },
  (random, message) => {
    const length = message.fields.find(({ name }) => /^content-length$/i.test(name))
    if (length === undefined) return
    length.value = ` ${random.percent(50) ? random.pick(LENGTHS) : nearly(random, length.value.trim(), 10)}`
  },
  (random, message) => {
    const coding = message.fields.find(({ name }) => /^transfer-encoding$/i.test(name))
    if (coding !== undefined) coding.value = random.percent(80) ? ` ${random.pick(CODINGS)}` : random.pick(CODINGS)
  },
  (random, message) => {
    const one = random.pick([
      field('Expect', '100-continue'),
      field('Expect', 'x'),
      field('Upgrade', 'h2c'),
      field('Connection', 'upgrade'),
    ])
    insert(random, message.fields, one)
  },
  twistChunk,
  twistChunk,
  twistChunk,
  (random, message) => {
    if (typeof message.content !== 'string') message.content.end = random.pick(LINE_ENDS)
  },
  (random, message) => {
    if (typeof message.content === 'string') return
    const trailer = random.pick([
      field('Content-Length', '5'),
      field('Transfer-Encoding', 'chunked'),
      field('Host', 'other'),
      { ...field('T', 'v'), colon: random.pick(COLONS) },
      { ...field('T', 'v'), end: random.pick(LINE_ENDS) },
      field('T', random.pick(VALUES)),
    ])
    insert(random, message.content.trailers, trailer)
  },
]

export function twist(random: Random, message: Message): void {
  for (let left = random.percent(70) ? 1 : 2 + random.below(2); left > 0; left--) random.pick(TWISTS)(random, message)
}

function anyField(random: Random, message: Message): Field {
  if (message.fields.length === 0) message.fields.push(field('X', 'y'))
  return random.pick(message.fields)
}

function twistChunk(random: Random, { content }: Message): void {
  if (typeof content === 'string') return
  const chunk = random.pick(content.chunks)
  switch (random.below(5)) {
    case 0:
      chunk.size = random.percent(40) ? random.pick(SIZES) : nearly(random, chunk.size, 16)
      break
    case 1:
      chunk.extension = random.pick(EXTENSIONS)
      if (chunk.extension.endsWith('\n')) chunk.sizeEnd = ''
      break
    case 2:
      chunk.sizeEnd = random.pick(LINE_ENDS)
      break
    case 3:
      chunk.dataEnd = random.pick(LINE_ENDS)
      break
    default:
      chunk.data += random.pick(['x', '\r\n', '\n', '0', '\0'])
  }
}

/** Another way to write a number, right in the eyes of a parser that is not strict. */
function nearly(random: Random, digits: string, base: number): string {
  const value = Number.parseInt(digits, base) || 0
  return random.pick([
    `+${digits}`,
    `-${digits}`,
    ` ${digits}`,
    `0x${digits}`,
    `x${digits}`,
    `${digits}h`,
    `${digits}_`,
    `${digits}.0`,
    `${digits},${digits}`,
    `${digits}, ${digits}`,
    `9, ${digits}`,
    `${digits} ${digits}`,
    `${digits}\0`,
    (2n ** 32n + BigInt(value)).toString(base),
    (2n ** 64n + BigInt(value)).toString(base),
    (2n ** 53n + BigInt(value)).toString(base),
    value.toString(base === 16 ? 10 : 16),
    value.toString(8),
  ])
}
