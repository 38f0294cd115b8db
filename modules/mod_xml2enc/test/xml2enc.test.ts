import { configError, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import mime from '../../mod_mime/src/index.ts'
import xml2enc from '../src/index.ts'

const modules = [authzCore, mime, xml2enc]

async function translated(t: Test, text: string | Buffer, { lines = '', type = 'text/html' } = {}) {
  const config = `TypesConfig /dev/null\nAddType "${type}" .html\n${lines}\n<Location />\nSetOutputFilter xml2enc\n</Location>`
  const server = await site({
    modules,
    config,
    files: { 'docs/f.html': typeof text === 'string' ? Buffer.from(text, 'latin1') : text },
  })
  t.teardown(() => server.close())
  const answer = await server.inject('/f.html')
  return { answer, body: Buffer.from(answer.body, 'latin1').toString('utf8'), errors: server.errors().join('\n') }
}

t.test('text without a charset is ISO-8859-1, or that of xml2EncDefault', async (t) => {
  const { answer, body } = await translated(t, '<p>\xe9</p>')
  t.equal(body, '<p>é</p>')
  t.equal(answer.header('Content-Type'), 'text/html;charset=utf-8')
  t.equal(answer.header('Content-Length'), '9')
  t.equal((await translated(t, '\xa4', { lines: 'xml2EncDefault ISO-8859-15' })).body, '€')
})

t.test('the charset is that of the header, else of the first bytes, else of a META element, which is removed', async (t) => {
  const meta = '<meta http-equiv="Content-Type" content="text/html; charset=ISO-8859-5">'
  t.equal((await translated(t, `<p>${meta}\xd0`)).body, '<p>а')
  t.equal((await translated(t, `${meta}\xa4`, { type: 'text/html; charset=ISO-8859-15' })).body, '€')
  t.equal((await translated(t, Buffer.from('\ufeff<p>é', 'utf16le'))).body, '<p>é')
})

t.test('an unknown charset is logged, and one with an alias is not unknown', async (t) => {
  const type = 'text/html; charset=x-corporate'
  const unknown = await translated(t, '\xe9', { type })
  t.equal(unknown.body, 'é')
  t.match(unknown.errors, /AH01435: Charset x-corporate not supported\. {2}Consider aliasing it\?/)
  t.match(unknown.errors, /AH01436/)
  const known = await translated(t, '\xa4', { type, lines: 'xml2EncAlias ISO-8859-15 x-corporate' })
  t.equal(known.body, '€')
  t.notMatch(known.errors, /AH01435/)
})

t.test('invalid bytes are left out and logged once', async (t) => {
  const { body, errors } = await translated(t, 'a\xffb\xffc', { type: 'text/html; charset=utf-8' })
  t.equal(body, 'abc')
  t.equal(errors.match(/AH01444/g)?.length, 1)
})

t.test('what comes before the elements of xml2StartParse is removed', async (t) => {
  const lines = 'xml2StartParse html body'
  t.equal((await translated(t, 'junk <i>x</i> <BODY>y', { lines })).body, '<BODY>y')
  const without = await translated(t, 'junk', { lines })
  t.equal(without.body, 'junk')
  t.match(without.errors, /AH01429: Failed to find start of recognised HTML!/)
})

t.test('other types are not translated', async (t) => {
  const { answer } = await translated(t, '\xe9', { type: 'image/png' })
  t.equal(answer.body, '\xe9')
  t.equal(answer.header('Content-Type'), 'image/png')
})

t.test('an unknown default is an error of the configuration', async (t) => {
  t.match(await configError({ modules, config: 'xml2EncDefault nosuch' }), /Invalid or unsupported default charset/)
})

t.test('text and types of XML are translated, and no other type that contains xml', async (t) => {
  for (const type of ['application/xml', 'application/a+xml', 'Application/A+XML;b=c', 'text/css', 'image/svg+xml'])
    t.equal((await translated(t, '\xe9', { type })).body, 'é', type)
  for (const type of [
    'application/notreallyxml',
    'application/xml-dtd',
    'application/vnd.openxmlformats',
    'a/b;c=d+xml',
    'image/xml',
  ])
    t.equal((await translated(t, '\xe9', { type })).answer.body, '\xe9', type)
})
