import { PassThrough } from 'node:stream'
import t from 'tap'
import { ChildErrors } from '../src/roles/child-errors.ts'

const STACK = [
  'KEYBOARD_INTERRUPT: Script execution was interrupted by `SIGINT`',
  '    at spin (file:///srv/modules/mod_loop.mjs:12:5)',
  '    at file:///srv/lib/httpd.mjs:4:35',
  '',
]

t.test('lines are passed on as they are, in whatever pieces they come', async (t) => {
  const stream = new PassThrough()
  const lines: string[] = []
  const errors = new ChildErrors(stream, (line) => lines.push(line))
  for (const piece of ['one\ntw', 'o\n\nthr', 'ee\xe4']) stream.write(Buffer.from(piece, 'latin1'))
  stream.end()
  stream.destroy()
  await errors.end
  t.strictSame(lines, ['one', 'two', '', 'three\xe4'])
  t.strictSame(errors.stack, [])
})

t.test('the stack of an interrupted child is kept, and only that', async (t) => {
  const stream = new PassThrough()
  const lines: string[] = []
  const errors = new ChildErrors(stream, (line) => lines.push(line))
  errors.keepStack()
  stream.end(['before', '    at no stack', ...STACK, '    at its end', ''].join('\n'))
  await errors.end
  t.strictSame(errors.stack, ['spin (file:///srv/modules/mod_loop.mjs:12:5)', 'file:///srv/lib/httpd.mjs:4:35'])
  t.strictSame(lines, ['before', '    at no stack', '    at its end'])
})

t.test('an unexpected stack is passed on', async (t) => {
  const stream = new PassThrough()
  const lines: string[] = []
  const errors = new ChildErrors(stream, (line) => lines.push(line))
  stream.end(`${STACK.join('\n')}\n`)
  await errors.end
  t.strictSame(lines, STACK)
})

t.test('a line without an end does not grow for ever', async (t) => {
  const stream = new PassThrough()
  const lines: string[] = []
  const errors = new ChildErrors(stream, (line) => lines.push(line))
  for (let piece = 0; piece < 5; piece++) stream.write('x'.repeat(32_768))
  stream.end()
  await errors.end
  t.strictSame(
    lines.map((line) => line.length),
    [65_536, 65_536, 32_768],
  )
})
