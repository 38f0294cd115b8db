import t from 'tap'
import { HEAD_MAX, ScriptHeadReader } from '../src/index.ts'

function read(...parts: readonly string[]): ScriptHeadReader & { readonly outcome: string } {
  const reader = new ScriptHeadReader()
  let outcome = 'more'
  for (const part of parts) {
    outcome = reader.read(Buffer.from(part, 'latin1'))
    if (outcome !== 'more') break
  }
  return Object.assign(reader, { outcome })
}

t.test('a head is the same in whatever parts it arrives', async (t) => {
  const text = 'Content-Type: text/plain\r\nX-A:  b\nStatus: 418 Teapot\n\nbody'
  for (let at = 1; at < text.length; at++) {
    const reader = read(text.slice(0, at), text.slice(at))
    t.equal(reader.outcome, 'complete')
    t.strictSame(reader.head, {
      status: 418,
      statusLine: '418 Teapot',
      fields: [
        ['Content-Type', 'text/plain'],
        ['X-A', 'b'],
      ],
    })
  }
  t.equal(read(text).rest.toString(), 'body')
})

t.test('the first line that is no field ends the head, and what follows is kept for the log', async (t) => {
  const reader = read('A: b\njunk line that is longer than thirty characters\nrest')
  t.equal(reader.outcome, 'refused')
  t.strictSame(reader.fault, { kind: 'no-field', line: 'junk line that is longer than ' })
  t.equal(reader.rest.toString(), 'rest')
})

t.test('a carriage return in a value is removed, and a zero byte cuts it', async (t) => {
  t.strictSame(read('A: b\rC: d\nB: x\0y\n\n').head?.fields, [
    ['A', 'bC: d'],
    ['B', 'x'],
  ])
})

t.test('an output without a line has no head, and one without an empty line was cut off', async (t) => {
  t.equal(read('no line').end().kind, 'none')
  t.equal(read('A: b\nC').end().kind, 'cut')
})

t.test(
  'the line at fault is there for the log: a whole one, one that did not end, and the start of one that is too long',
  async (t) => {
    const whole = read('A: b\njunk line that is longer than thirty characters\nrest')
    t.equal(whole.line, 'junk line that is longer than thirty characters')
    const open = read('A: b\nju', 'nk')
    open.end()
    t.equal(open.line, 'junk')
    const long = read('x'.repeat(8000), `${'x'.repeat(190)}yes\nrest`)
    t.equal(long.line, 'x'.repeat(8190))
    t.equal(long.rest.toString(), 'yes\nrest')
  },
)

t.test('a line of 8191 bytes and a head of more than 1 MiB are refused without reading on', async (t) => {
  t.equal(read(`A: ${'x'.repeat(8186)}\n\n`).outcome, 'complete')
  t.strictSame(read('B: c\n', `A: ${'x'.repeat(8187)}\n\n`).fault, { kind: 'cut' })
  const line = `A: ${'x'.repeat(1000)}\n`
  const many = read(...new Array<string>(Math.ceil(HEAD_MAX / line.length) + 1).fill(line))
  t.strictSame(many.fault, { kind: 'too-long' })
})
