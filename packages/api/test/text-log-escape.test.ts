import t from 'tap'
import { escapeErrorLogItem, escapeLogItem } from '../src/text/index.ts'

const ROWS: readonly (readonly [string, string])[] = [
  ['GET / HTTP/1.1', 'GET / HTTP/1.1'],
  ['', ''],
  ['GET /a%22b"c\x80\xc3\xa9 HTTP/1.1', 'GET /a%22b\\"c\\x80\\xc3\\xa9 HTTP/1.1'],
  ['/a"b"c\x80\xe9', '/a\\"b\\"c\\x80\\xe9'],
  ['/a"b\nc\xe9', '/a\\"b\\nc\\xe9'],
  ['\x16\x03\x01\x02', '\\x16\\x03\\x01\\x02'],
  ['va"l', 'va\\"l'],
  ['\\', '\\\\'],
  ['\n\r\t\b\v', '\\n\\r\\t\\b\\v'],
  ['\x00\x07\x0c\x1b\x7f', '\\x00\\x07\\x0c\\x1b\\x7f'],
  ['~ }', '~ }'],
]

t.test('the access log writes untrusted bytes as httpd escapes them', async (t) => {
  for (const [input, output] of ROWS) t.equal(escapeLogItem(input), output, JSON.stringify(input))
})

t.test('the error log escapes the same bytes but leaves the double quote alone', async (t) => {
  for (const [input, output] of ROWS) t.equal(escapeErrorLogItem(input), output.replaceAll('\\"', '"'), JSON.stringify(input))
  t.equal(escapeErrorLogItem('a"b"c\x80\xe9'), 'a"b"c\\x80\\xe9')
})

t.test('every byte becomes printable ASCII', async (t) => {
  for (let code = 0; code < 256; code++) {
    t.match(escapeLogItem(String.fromCharCode(code)), /^[\x20-\x7e]+$/, `byte ${code}`)
    t.match(escapeErrorLogItem(`x${String.fromCharCode(code)}`), /^[\x20-\x7e]+$/, `byte ${code} in the error log`)
  }
})

t.test('a character above 0xff cannot become a line feed', async (t) => {
  t.equal(escapeLogItem('a\u010a"b'), 'a\\xc4\\x8a\\"b')
  t.equal(escapeErrorLogItem('\xe9\u{1f600}"'), '\\xe9\\xf0\\x9f\\x98\\x80"')
})
