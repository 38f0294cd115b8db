import t from 'tap'
import { hasReasonPhrase, reasonPhrase } from '../src/base/status-lines.ts'
import { type ErrorPageInput, errorPage } from '../src/response/error-page.ts'
import { ERROR_PAGE_TEXTS } from '../src/response/error-page-texts.ts'

function page(status: number, changes: Partial<ErrorPageInput> = {}): string {
  return errorPage({
    status,
    method: 'GET',
    isHome: false,
    note: '',
    variants: '',
    serverAdmin: null,
    recursiveStatus: null,
    signature: '',
    ...changes,
  })
}

t.test('a page has the title and heading of httpd, and a style for both modes and for phones', async (t) => {
  const text = page(404)
  t.match(
    text,
    /^<!DOCTYPE html>\n<html lang="en"><head>\n<title>404 Not Found<\/title>\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<style>[^<]+<\/style>\n<\/head><body>\n<main>\n<p class="status">404<\/p>\n<h1>Not Found<\/h1>\n<p>[^<]+<\/p>\n<p><a href="\/">[^<]+<\/a><\/p>\n<\/main>\n<\/body><\/html>\n$/,
  )
  t.match(text, /prefers-color-scheme:dark/)
})

t.test('the signature is directly before the end of the body, where programs look for it', async (t) => {
  t.match(page(500, { signature: '<address>here</address>\n' }), /<\/main>\n<address>here<\/address>\n<\/body><\/html>\n$/)
})

t.test('the start page of a site does not link to itself', async (t) => {
  t.match(page(404, { isHome: false }), /href="\/"/)
  t.notMatch(page(404, { isHome: true }), /href="\/"/)
  t.match(page(404, { isHome: false }), /href="\/"/)
})

t.test('every status with a reason phrase has a separate page with a text', async (t) => {
  const seen = new Set<string>()
  for (let status = 100; status < 600; status++) {
    t.equal(ERROR_PAGE_TEXTS.has(status), hasReasonPhrase(status), `${status}`)
    if (!hasReasonPhrase(status)) continue
    const text = page(status)
    t.ok(
      text.includes(`<title>${status} ${reasonPhrase(status)}</title>\n`) &&
        text.includes(`<h1>${reasonPhrase(status)}</h1>\n<p>`),
      `${status}`,
    )
    t.notOk(seen.has(text))
    seen.add(text)
    t.match(ERROR_PAGE_TEXTS.get(status), /^[A-Z][^<>&"]{20,}\.$/, 'plain text that needs no escape')
  }
})

t.test('a page that was made before does not replace one with another signature, note or second error', async (t) => {
  const plain = page(403)
  const others = [page(403, { signature: '<hr>\n' }), page(403, { note: 'cause' }), page(403, { recursiveStatus: 404 })]
  for (const other of others) t.not(other, plain)
  t.equal(page(403), plain)
  t.equal(page(403, { signature: '<hr>\n' }), others[0])
})

t.test('a status without a phrase is shown as 500', async (t) => {
  t.equal(page(418), page(500))
  t.ok(page(418).includes('<title>500 Internal Server Error</title>'))
})

t.test('a redirect links to its target', async (t) => {
  for (const status of [301, 302, 303, 307, 308]) {
    t.ok(
      page(status, { location: 'http://a.test/d/?x=1&y="2"' }).includes('<a href="http://a.test/d/?x=1&amp;y=&quot;2&quot;">'),
      `${status}`,
    )
    t.ok(page(status, { location: '/local' }).includes('<a href="/local">/local</a>'))
    t.notOk(page(status).includes('<a '))
  }
  t.notOk(page(404, { location: '/local' }).includes('/local'))
})

t.test('a target that could run as a script is shown but not linked', async (t) => {
  for (const location of [
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
  ]) {
    const text = page(302, { location })
    t.notOk(text.includes('<a '), location)
    t.ok(text.includes(location))
  }
})

t.test('text from the request is escaped', async (t) => {
  t.ok(page(405, { method: 'G<b>&"' }).includes('G&lt;b&gt;&amp;&quot;'))
  t.ok(page(501, { method: 'BREW' }).includes('BREW'))
  t.ok(page(413, { method: 'PUT' }).includes('PUT'))
  t.ok(page(417, { expect: '<i>wonders</i>' }).includes('<pre>\nExpect: &lt;i&gt;wonders&lt;/i&gt;\n</pre>\n'))
  t.notOk(page(417).includes('<pre>'))
  t.notOk(page(404, { method: '<script>' }).includes('script'), 'a method that explains nothing is left out')
})

t.test('a note becomes a paragraph, except with 500', async (t) => {
  const note = 'A field of <request> is too long'
  for (const status of [400, 403, 414, 501, 502, 503]) {
    t.ok(page(status, { note }).includes('<p>A field of &lt;request&gt; is too long</p>\n'), `${status}`)
  }
  t.equal(page(500, { note }), page(500))
})

t.test('the page of 500 names the administrator, if there is one', async (t) => {
  t.ok(page(500, { serverAdmin: 'admin@a.test' }).includes('admin@a.test'))
  t.ok(page(500, { serverAdmin: '<x>' }).includes('&lt;x&gt;'))
  t.notOk(page(404, { serverAdmin: 'admin@a.test' }).includes('admin@a.test'))
  t.notOk(page(500).includes('null'))
})

t.test('a failed ErrorDocument is mentioned between the paragraphs and the signature', async (t) => {
  const signature = '<hr>\n<address>here</address>\n'
  t.match(
    page(403, { recursiveStatus: 404, signature, note: 'a note' }),
    /<p>a note<\/p>\n<p>[^<]*404 Not Found[^<]*<\/p>\n<p>.*<\/p>\n<\/main>\n<hr>\n<address>here<\/address>\n<\/body><\/html>\n$/,
  )
  t.notOk(page(403).includes('404'))
})
