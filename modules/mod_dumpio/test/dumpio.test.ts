import t from 'tap'
import { TrafficDump } from '../src/traffic-dump.ts'

t.test('bytes are written with their number, in lines of limited length', (t) => {
  const lines: string[] = []
  const dump = new TrafficDump((text) => lines.push(text), { input: true, output: true })
  dump.received(Buffer.from('GET / HTTP/1.1\r\n'))
  dump.sent('y'.repeat(2000))
  t.same(lines, [
    'mod_dumpio:  dumpio_in (data-HEAP): 16 bytes',
    'mod_dumpio:  dumpio_in (data-HEAP): GET / HTTP/1.1\r\n',
    'mod_dumpio:  dumpio_out (data-HEAP): 2000 bytes',
    `mod_dumpio:  dumpio_out (data-HEAP): ${'y'.repeat(1968)}`,
    `mod_dumpio:  dumpio_out (data-HEAP): ${'y'.repeat(32)}`,
  ])
  const outputOnly = new TrafficDump((text) => lines.push(text), { input: false, output: true })
  outputOnly.received(Buffer.from('x'))
  t.equal(lines.length, 5)
  t.end()
})
