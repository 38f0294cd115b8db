import type { Random } from '../fixtures/random.ts'
import type { Field, Message } from './message.ts'
import { field, insert } from './sound-message.ts'
import {
  BLANKS,
  CODINGS,
  COLONS,
  EXTENSIONS,
  HOSTS,
  LENGTHS,
  LINE_ENDS,
  METHODS,
  NAMES,
  SIZES,
  TARGETS,
  VALUES,
  VERSIONS,
} from './unusual-words.ts'

type Twist = (random: Random, message: Message) => void

/** Each makes a message wrong or unusual; many come from known request smuggling attacks. */
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

/** Another form of a number, valid for a lenient parser. */
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
