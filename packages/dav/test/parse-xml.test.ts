import t from 'tap'
import { parseXml } from '../src/parse-xml.ts'
import { writeElement } from '../src/write-xml.ts'

t.test('names have their namespaces, and texts their characters', (t) => {
  const root = parseXml(
    '\xef\xbb\xbf<?xml version="1.0"?>\n<!-- c --><a xmlns="u:1" xmlns:p="u:2"><p:b p:x="1" y=\'"\'>&lt;&#65;&#xe9;<![CDATA[<&>]]></p:b><c xmlns=""/></a>\n',
  )
  t.match(root, { namespace: 'u:1', name: 'a' })
  const [b, c] = root.children
  t.match(b, {
    namespace: 'u:2',
    name: 'b',
    attributes: [
      { namespace: 'u:2', name: 'x', value: '1' },
      { namespace: '', name: 'y', value: '"' },
    ],
    children: ['<A\xc3\xa9', '<&>'],
  })
  t.match(c, { namespace: '', name: 'c', children: [] })
  t.end()
})

t.test('a document that is written and read again is the same', (t) => {
  const text = '<a xmlns="u:1" xmlns:p="DAV:"><p:b p:x="1">&lt;&amp;"</p:b><c xmlns="" z=""/>text</a>'
  const once = writeElement(parseXml(text)).replace('<n:a', '<n:a xmlns:D="DAV:"')
  const twice = writeElement(parseXml(once)).replace('<n:a', '<n:a xmlns:D="DAV:"')
  t.equal(twice, once)
  t.end()
})

/** What is no document, and what httpd's parser says about it. */
const REFUSED: readonly (readonly [text: string, reason: string])[] = [
  ['', 'no element found (3)'],
  ['text', 'syntax error (2)'],
  ['<a>', 'no element found (3)'],
  ['<a></b>', 'mismatched tag (7)'],
  ['<a/><b/>', 'junk after document element (9)'],
  ['<a b=1/>', 'not well-formed (invalid token) (4)'],
  ['<a b="1" b="2"/>', 'duplicate attribute (8)'],
  ['<a>&x;</a>', 'undefined entity (11)'],
  ['<a>&#0;</a>', 'reference to invalid character number (14)'],
  ['<p:a/>', 'An undefined namespace prefix was used.'],
  ['<a xmlns:p=""/>', 'A namespace prefix was defined with an empty URI.'],
  ['<!DOCTYPE a [<!ENTITY b "bb">]><a>&b;</a>', 'parsing aborted (35)'],
]

t.test('what is no document is refused, and so are entities that grow', (t) => {
  for (const [text, reason] of REFUSED)
    t.throws(() => parseXml(text), { message: new RegExp(`${reason.replace(/[()]/g, '\\$&')}$`) }, text)
  t.end()
})

t.test('a document with too many elements, or too many in each other, is refused', (t) => {
  t.throws(() => parseXml(`<a>${'<b/>'.repeat(30_000)}</a>`), { message: 'the document has too many elements' })
  t.throws(() => parseXml(`${'<a>'.repeat(200)}${'</a>'.repeat(200)}`), {
    message: 'the document has too many elements in each other',
  })
  t.doesNotThrow(() => parseXml(`<a>${'<b/>'.repeat(10_000)}</a>`))
  t.end()
})
