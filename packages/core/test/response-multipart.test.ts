import t from 'tap'
import { createBoundary, multipart } from '../src/response/multipart.ts'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz'

t.test('parts are framed byte by byte as httpd frames them', async (t) => {
  const ranges = [
    { start: 0, end: 1 },
    { start: 4, end: 5 },
  ]
  const { prefixes, suffix, length } = multipart(ranges, 'text/plain', 26, '48ad5792a6782c8d')
  const body = `${prefixes[0]}ab${prefixes[1]}ef${suffix}`
  t.equal(
    body,
    '\r\n--48ad5792a6782c8d\r\nContent-type: text/plain\r\nContent-range: bytes 0-1/26\r\n\r\nab' +
      '\r\n--48ad5792a6782c8d\r\nContent-type: text/plain\r\nContent-range: bytes 4-5/26\r\n\r\nef' +
      '\r\n--48ad5792a6782c8d--\r\n',
  )
  t.equal(length, body.length)
})

t.test('a body without type has parts without type', async (t) => {
  const ranges = [
    { start: 0, end: 1 },
    { start: 4, end: 5 },
  ]
  const { prefixes, length } = multipart(ranges, null, 26, '48ad5792a6782c8d')
  t.equal(prefixes[0], '\r\n--48ad5792a6782c8d\r\nContent-range: bytes 0-1/26\r\n\r\n')
  t.equal(length, 134)
})

t.test('the length is right for ranges of any order and size', async (t) => {
  const ranges = [
    { start: 20, end: 25 },
    { start: 0, end: 0 },
    { start: 3, end: 17 },
  ]
  const { prefixes, suffix, length } = multipart(ranges, 'text/html; charset=utf-8', 26, createBoundary())
  t.equal(prefixes.length, 3)
  const body =
    prefixes.map((prefix, index) => prefix + ALPHABET.slice(ranges[index].start, ranges[index].end + 1)).join('') + suffix
  t.equal(length, body.length)
})

t.test('a boundary is 16 hexadecimal digits, another each time', async (t) => {
  const first = createBoundary()
  t.match(first, /^[0-9a-f]{16}$/)
  t.not(createBoundary(), first)
})
