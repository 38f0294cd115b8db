import { HeaderFields } from '@gatewright/http'
import t from 'tap'
import { first } from './harness.ts'

const RAW = 'GET / HTTP/1.1\r\nHost: a\r\nX-One: 1\r\nAccept-Encoding: br\r\nAccept-Language: de\r\nx-one: 2\r\n\r\n'

t.test('fields keep their order and the spelling of their first occurrence, repeated ones are merged', async (t) => {
  const { fields } = first(RAW)
  t.same(
    [...fields],
    [
      ['Host', 'a'],
      ['X-One', '1, 2'],
      ['Accept-Encoding', 'br'],
      ['Accept-Language', 'de'],
    ],
  )
  t.equal(fields.length, 4)
  t.equal(fields.name(1), 'X-One')
  t.equal(fields.value(1), '1, 2')
})

t.test('names with the same length and initial are distinguished without merging', async (t) => {
  const { fields } = first('GET / HTTP/1.1\r\nHost: a\r\nSec-Fetch-Mode: x\r\nSec-Fetch-Site: y\r\nSec-Fetch-Dest: z\r\n\r\n')
  t.equal(fields.length, 4)
  t.equal(fields.get('sec-fetch-mode'), 'x')
  t.equal(fields.get('sec-fetch-site'), 'y')
  t.equal(fields.get('sec-fetch-dest'), 'z')
  t.equal(fields.get('sec-fetch-user'), undefined)
})

t.test('set replaces a field in its place or appends it, delete removes it, in any case', async (t) => {
  const { fields } = first(RAW)
  fields.set('HOST', 'b')
  fields.set('New', 'x')
  fields.delete('accept-ENCODING')
  fields.delete('absent')
  t.same(
    [...fields],
    [
      ['Host', 'b'],
      ['X-One', '1, 2'],
      ['Accept-Language', 'de'],
      ['New', 'x'],
    ],
  )
  t.equal(fields.get('new'), 'x')
  t.equal(fields.get('accept-encoding'), undefined)
})

t.test('fields made from nothing can be written to', async (t) => {
  const fields = new HeaderFields()
  t.equal(fields.get('a'), undefined)
  fields.set('A', '1')
  t.same([...fields], [['A', '1']])
  fields.delete('a')
  t.equal(fields.length, 0)
})

t.test('a folded and repeated field is both joined and merged', async (t) => {
  const { fields } = first('GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n 2\r\nX: 3\r\nY: 4\r\n 5\r\n\r\n')
  t.same(
    [...fields],
    [
      ['Host', 'a'],
      ['X', '1 2, 3'],
      ['Y', '4 5'],
    ],
  )
})
