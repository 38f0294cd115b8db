import t from 'tap'
import { type LineState, TypedLine } from '../../src/password/typed-line.ts'

function type(keys: string): { text: string; state: LineState } {
  const line = new TypedLine()
  let state: LineState = 'open'
  for (const byte of Buffer.from(keys, 'latin1')) state = line.take(byte)
  return { text: line.text, state }
}

t.test('a line ends where a terminal would end it, and its keys edit it', async (t) => {
  const rows: [keys: string, text: string, state: LineState][] = [
    ['secret', 'secret', 'open'],
    ['secret\n', 'secret', 'complete'],
    ['secret\r', 'secret', 'complete'],
    ['\r', '', 'complete'],
    ['sec\x04', 'sec', 'complete'],
    ['\x04', '', 'ended'],
    ['sec\x03', 'sec', 'interrupted'],
    ['secx\x7fret', 'secret', 'open'],
    ['secx\bret', 'secret', 'open'],
    ['\x7f\x7fa', 'a', 'open'],
    ['wrong\x15right', 'right', 'open'],
    ['a\xc3\xa9\x7fb', 'ab', 'open'],
    ['\xe9t\xe9', '\xe9t\xe9', 'open'],
    ['a b\tc', 'a b\tc', 'open'],
  ]
  for (const [keys, text, state] of rows) t.same(type(keys), { text, state }, JSON.stringify(keys))
})
