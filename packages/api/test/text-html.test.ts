import t from 'tap'
import { escapeHtml, type Html, html, isHtml, raw } from '../src/text/index.ts'

t.test('escapeHtml escapes the four characters that httpd escapes and no others', async (t) => {
  t.equal(escapeHtml('sp & <q>.txt'), 'sp &amp; &lt;q&gt;.txt')
  t.equal(escapeHtml('say "hi"'), 'say &quot;hi&quot;')
  t.equal(escapeHtml("it's\n\xe9"), "it's\n\xe9")
  t.equal(escapeHtml('&'), '&amp;')
  t.equal(escapeHtml(''), '')
})

t.test('a template escapes texts and leaves markup alone', async (t) => {
  const cell = (text: string): Html => html`<td>${text}</td>`
  t.equal(String(html`<tr>${cell('<b>')}${[cell('a'), cell('&')]}</tr>`), '<tr><td>&lt;b&gt;</td><td>a</td><td>&amp;</td></tr>')
  t.equal(String(html`${1}<hr />${raw('<i>x</i>')}`), '1<hr /><i>x</i>')
  t.equal(String(html`plain`), 'plain')
  t.equal(String(html`<a href="${'"><script>'}">`), '<a href="&quot;&gt;&lt;script&gt;">')
})

t.test('only html and raw make markup', async (t) => {
  t.ok(isHtml(raw('<b>')))
  t.notOk(isHtml('<b>'))
  t.notOk(isHtml(null))
  t.notOk(isHtml({ toString: () => '<b>' }))
  t.notOk(isHtml(JSON.parse('{"Symbol(gatewright.html)":"<b>"}')))
})
