import { site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import env from '../../mod_env/src/index.ts'
import mime from '../../mod_mime/src/index.ts'
import xml2enc from '../../mod_xml2enc/src/index.ts'
import proxyHtml from '../src/index.ts'

const modules = [authzCore, env, mime, xml2enc, proxyHtml]

const USUAL = [
  'TypesConfig /dev/null',
  'AddType text/html .html',
  'SetEnv PROXY_HTML_FORCE 1',
  'xml2EncDefault UTF-8',
  'ProxyHTMLLinks a href',
  'ProxyHTMLLinks img src longdesc',
  'ProxyHTMLEvents onclick onload',
  'ProxyHTMLEnable On',
]

async function rewritten(t: Test, lines: readonly string[], html: string, loaded = modules) {
  const config = [...USUAL.filter((line) => !line.startsWith('xml2Enc') || loaded.includes(xml2enc)), ...lines].join('\n')
  const server = await site({ modules: loaded, config, files: { 'docs/f.html': html } })
  t.teardown(() => server.close())
  const answer = await server.inject('/f.html')
  const body = Buffer.from(answer.body, 'latin1').toString('utf8')
  const inner = /^<html><body>(.*)<\/body><\/html>$/s.exec(body)?.[1] ?? body
  return { answer, body, inner, errors: server.errors().join('\n') }
}

t.test('URLs at the beginning of links are mapped, in any case, by the first line that matches', async (t) => {
  const lines = ['ProxyHTMLURLMap http://app.internal/ /app/', 'ProxyHTMLURLMap / /root/']
  const html = '<p><a href="HTTP://App.internal/x?a=1&amp;b=2">x</a><img alt="/y" src=/y><a href="other">'
  const { inner, answer } = await rewritten(t, lines, html)
  t.equal(inner, '<p><a href="/app/x?a=1&amp;b=2">x</a><img alt="/y" src="/root/y"><a href="other"></a></p>')
  t.equal(answer.header('Content-Type'), 'text/html;charset=utf-8')
  t.equal(answer.header('Content-Length'), String(answer.body.length))
})

t.test('regular expressions have groups, and the flag l lets later lines see a changed link', async (t) => {
  const lines = ['ProxyHTMLURLMap "^/(.)/(.*)" "/$2/$1" Rl', 'ProxyHTMLURLMap /b /c']
  t.equal((await rewritten(t, lines, '<a href="/a/b">')).inner, '<a href="/c/a"></a>')
  t.equal((await rewritten(t, [lines[0].replace('Rl', 'R'), lines[1]], '<a href="/a/b">')).inner, '<a href="/b/a"></a>')
  t.equal((await rewritten(t, ['ProxyHTMLURLMap /a /z h'], '<a href="/a">')).inner, '<a href="/a"></a>')
  const invalid = await rewritten(t, ['ProxyHTMLURLMap ( /z R', 'ProxyHTMLURLMap /a /b'], '<a href="/a">')
  t.equal(invalid.inner, '<a href="/b"></a>')
  t.match(invalid.errors, /proxy_html:warn.*ProxyHTMLURLMap: \( is no regular expression/)
})

t.test('events, scripts and comments are mapped with ProxyHTMLExtended only, at every place', async (t) => {
  const html = '<p onclick="f(\'/a/1\',\'/a/2\')">x<!-- /a/ --><b>y</b><script>"/a/<"</script></p>'
  const lines = ['ProxyHTMLURLMap /a/ /longer/']
  const plain = await rewritten(t, lines, html)
  t.equal(plain.inner, html)
  const extended = await rewritten(t, [...lines, 'ProxyHTMLExtended On'], html)
  t.equal(extended.inner, html.replaceAll('/a/', '/longer/'))
  const limited = await rewritten(t, ['ProxyHTMLURLMap /a/ /b/ ec', 'ProxyHTMLExtended On'], html)
  t.equal(limited.inner, html)
})

t.test('with ProxyHTMLInterp, conditions decide and variables are replaced', async (t) => {
  const lines = [
    'SetEnv WHERE /there',
    'ProxyHTMLURLMap /a "${WHERE}/${NONE|x}" V',
    'ProxyHTMLURLMap /b /no h WHERE=/here',
    'ProxyHTMLURLMap /b /yes "" ""',
  ]
  const html = '<a href="/a"></a><a href="/b"></a>'
  t.equal(
    (await rewritten(t, [...lines, 'ProxyHTMLInterp On'], html)).inner,
    html.replace('/a', '/there/x').replace('/b', '/yes'),
  )
  t.equal((await rewritten(t, lines, html)).inner, html.replace('/a', '${WHERE}/${NONE|x}').replace('/b', '/yes'))
  t.equal((await rewritten(t, ['ProxyHTMLURLMap /a /b R "%{ENV:NONE} == \'x\'"', 'ProxyHTMLInterp On'], html)).inner, html)
})

t.test('a document type is sent, and what it does not have is dropped', async (t) => {
  const html = '<center><video a=b>x</video></center><img zz=1 align=left src=a><br>'
  const strict = await rewritten(t, ['ProxyHTMLDoctype XHTML', 'LogLevel debug'], html)
  t.match(
    strict.body,
    /^<!DOCTYPE html PUBLIC "-\/\/W3C\/\/DTD XHTML 1\.0 Strict\/\/EN" .*>\n<html><body>x<img src="a" \/><br \/></,
  )
  t.match(strict.errors, /AH01416: Bogus HTML element video dropped/)
  t.match(strict.errors, /AH01420: HTML element img is missing 1 required attributes/)
  const legacy = await rewritten(t, ['ProxyHTMLDoctype HTML Legacy'], html)
  t.match(legacy.body, /Transitional\/\/EN">\n<html><body><center>x<\/center><img src="a"><br></)
  t.equal(
    (await rewritten(t, ['ProxyHTMLDoctype "<!DOCTYPE html>" XML'], '<br>')).body,
    '<!DOCTYPE html><html><body><br /></body></html>',
  )
})

t.test('META elements become header fields, without control characters', async (t) => {
  const html =
    '<meta http-equiv="Refresh" content="5; url=/x"><meta http-equiv=Content-Type content="text/html; charset=x">' +
    '<meta http-equiv="X-Bad" content="a\nSet-Cookie: b"><p>x'
  const { answer, body } = await rewritten(t, ['ProxyHTMLMeta On'], html)
  t.equal(answer.header('Refresh'), '5; url=/x')
  t.equal(answer.header('X-Bad'), undefined)
  t.equal(answer.header('Set-Cookie'), undefined)
  t.notMatch(body, /Content-Type/)
})

t.test('the text is sent in the charset of ProxyHTMLCharsetOut, without characters that it does not have', async (t) => {
  const { answer, errors } = await rewritten(t, ['ProxyHTMLCharsetOut ISO-8859-1'], '<p>é€')
  t.equal(answer.body, '<html><body><p>\xe9</p></body></html>')
  t.equal(answer.header('Content-Type'), 'text/html;charset=ISO-8859-1')
  t.match(errors, /AH01444/)
  const html = '<meta http-equiv="Content-Type" content="text/html; charset=windows-1252"><p>&eacute;'
  const same = await rewritten(t, ['ProxyHTMLCharsetOut *'], html)
  t.equal(same.answer.header('Content-Type'), 'text/html;charset=windows-1252')
  t.match(same.answer.body, /<p>\xe9</)
})

t.test(
  'values are in lower case and with slashes where ProxyHTMLFixups says so, unless an inner section resets it',
  async (t) => {
    const html = '<a href="\\A\\B"></a>'
    const lines = ['ProxyHTMLFixups lowercase dospath']
    t.equal((await rewritten(t, lines, html)).inner, '<a href="/a/b"></a>')
    const reset = [...lines, '<Location />', 'ProxyHTMLEnable On', 'ProxyHTMLFixups reset', '</Location>']
    t.equal((await rewritten(t, reset, html)).inner, html)
  },
)

t.test('without mod_xml2enc the document is taken for UTF-8, which is logged', async (t) => {
  const { inner, errors } = await rewritten(t, [], '<p>é', [authzCore, env, mime, proxyHtml])
  t.equal(inner, '<p>é</p>')
  t.match(errors, /AH01422: No i18n support found/)
})

t.test('a response that is none of a proxy, or no HTML, stays as it is', async (t) => {
  const config = [...USUAL, 'UnsetEnv PROXY_HTML_FORCE', 'ProxyHTMLURLMap / /x/'].join('\n')
  const server = await site({ modules, config, files: { 'docs/f.html': '<A HREF=/>' } })
  t.teardown(() => server.close())
  t.equal((await server.inject('/f.html')).body, '<A HREF=/>')
})

t.test('a document of any size is rewritten while it is sent', async (t) => {
  const line = '<p>text <a href="/x">link</a></p>\n'
  const { answer } = await rewritten(t, ['ProxyHTMLURLMap / /y/'], `<body>${line.repeat(40_000)}`)
  t.equal(answer.body.split('<a href="/y/x">').length, 40_001)
})
