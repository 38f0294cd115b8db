import t from 'tap'
import { MessageSplitter } from '../src/message-splitter.ts'

const message = (length: number): Buffer =>
  Buffer.concat([
    Buffer.from([0x30, 0x84]),
    Buffer.from([length >>> 24, length >>> 16, length >>> 8, length].map((byte) => byte & 0xff)),
    Buffer.alloc(length, 7),
  ])

t.test('messages are found however their bytes arrive', (t) => {
  const all = Buffer.concat([message(3), Buffer.from([0x30, 0x00]), message(300), message(1)])
  for (const size of [1, 2, 5, 7, 100, all.length]) {
    const splitter = new MessageSplitter(1000)
    const found: Buffer[] = []
    for (let at = 0; at < all.length; at += size) {
      for (const whole of splitter.push(all.subarray(at, at + size))) found.push(Buffer.from(whole))
    }
    t.same(
      found.map(({ length }) => length),
      [9, 2, 306, 7],
      `parts of ${size}`,
    )
    t.same(Buffer.concat(found), all)
    t.equal(splitter.isInside, false)
  }
  t.end()
})

t.test('something else, and messages above the limit, are refused as soon as that is known', (t) => {
  const push = (bytes: Buffer): Buffer[] => [...new MessageSplitter(1000).push(bytes)]
  t.throws(() => push(Buffer.from('HTTP/1.1 400')), { name: 'MalformedMessage' })
  t.throws(() => push(message(2000).subarray(0, 6)), { name: 'MalformedMessage' })
  t.throws(() => push(Buffer.from([0x30, 0x80, 0, 0])), { name: 'MalformedMessage' }, 'no definite length')
  t.throws(() => push(Buffer.from([0x30, 0x89])), { name: 'MalformedMessage' }, 'a length of nine bytes')
  t.end()
})

t.test('a large message is put together once', (t) => {
  const large = message(10 * 1024 * 1024)
  const splitter = new MessageSplitter(32 * 1024 * 1024)
  let found = 0
  for (let at = 0; at < large.length; at += 65536) {
    for (const whole of splitter.push(large.subarray(at, at + 65536))) found += whole.length
  }
  t.equal(found, large.length)
  t.end()
})
