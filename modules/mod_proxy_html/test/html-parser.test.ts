import t from 'tap'
import { HtmlParser } from '../src/html-parser.ts'
import type { Attribute } from '../src/tag.ts'

function eventsOf(document: string, size = document.length): string {
  let made = ''
  const parser = new HtmlParser(
    {
      startElement: (name, attributes) => (made += `<${[name, ...attributes.map(written)].join(' ')}>`),
      endElement: (name) => (made += `</${name}>`),
      text: (text) => (made += text),
      script: (text) => (made += `{${text}}`),
      comment: (text) => (made += `[${text}]`),
    },
    1000,
  )
  for (let at = 0; at < document.length; at += size) parser.push(document.slice(at, at + size))
  parser.end()
  return made.replaceAll('}{', '')
}

function written({ name, value }: Attribute): string {
  return value === null ? name : `${name}=${value}`
}

/** Documents, and what libxml2 2.9.14 makes of them. */
const READ: readonly (readonly [string, string])[] = [
  ['<p>a<p>b<br/>c & d', '<html><body><p>a</p><p>b<br></br>c & d</p></body></html>'],
  ['  <title>x</title> <b>q', '<html><head><title>x</title></head><body><b>q</b></body></html>'],
  ['<li>a<li>b</ul>c', '<html><body><li>a</li><li>bc</li></body></html>'],
  ['<table><tr><td>a<b>x</table>y</b>', '<html><body><table><tr><td>a<b>x</b></td></tr></table>y</body></html>'],
  ['<html>\n<head>\n</head>\n<body>\n x\n</body>\n</html>\n', '<html><head></head><body>\n x\n</body></html>'],
  ['<p>a</p></html> y', '<html><body><p>a</p></body></html><html><p> y</p></html>'],
  ['<script>a</b>c</script>z', '<html><head><script>{a</b>c}</script></head><body><p>z</p></body></html>'],
  ['<!DOCTYPE html PUBLIC "a>b"><p>x<!doctype x>y', '<html><body><p>xy</p></body></html>'],
  ['a<!-- x -->b<!--y--!>c<!-- z', '<html><body><p>a[ x ]b[y]c</p></body></html>'],
  ['x<?php a > b ?>y<?>z', '<html><body><p>x b ?>y>z</p></body></html>'],
  ['<p>&#65;&#x42&#0;&lt;&lt&foo;&apos;&nbsp;&eacute;', "<html><body><p>AB<&lt&foo;'\xc2\xa0\xc3\xa9</p></body></html>"],
  ['<a b="&amp;&copy=1" C=d/e f g=\'h\' b=2 =x>y', '<html><body><a b=&&copy=1 c=d/e f g=h>y</a></body></html>'],
  ['<p a/b/>x<1>y</ z>', '<html><body><p a></p>x<1>y z></body></html>'],
  ['<body>a<body class=x>b</body>c</body>d', '<html><body>abc</body><p>d</p></html>'],
  ['x</b', '<html><body><p>x</p></body></html>'],
]

t.test('documents are read as libxml2 reads them, in pieces of any size', async (t) => {
  for (const [document, expected] of READ) {
    for (const size of [document.length, 7, 3, 1]) t.equal(eventsOf(document, size), expected, `${document} by ${size}`)
  }
})

t.test('a tag or comment longer than the limit is refused', async (t) => {
  t.throws(() => eventsOf(`<a b="${'x'.repeat(2000)}`), { name: 'ItemTooLong' })
  t.throws(() => eventsOf(`<!--${'x'.repeat(2000)}`, 100), { name: 'ItemTooLong' })
  t.match(eventsOf(`<p>${'x'.repeat(20_000)}`, 100), /x{20000}/)
})
