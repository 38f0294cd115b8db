import { site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import mime from '../../mod_mime/src/index.ts'
import reflector from '../../mod_reflector/src/index.ts'
import charsetLite from '../src/index.ts'

const modules = [authzCore, mime, reflector, charsetLite]
const bytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')
const TYPES = 'TypesConfig /dev/null\nAddType text/plain .txt\nAddType image/png .png'

t.test('text is translated to the charset of clients, and other types only on demand', async (t) => {
  const config = `${TYPES}
CharsetSourceEnc ISO-8859-1
CharsetDefault UTF-8
<Location /all>
CharsetOptions TranslateAllMimeTypes
</Location>`
  const files = { 'docs/f.txt': 'caf\u{e9}', 'docs/f.png': '\u{e9}', 'docs/all/f.png': '\u{e9}' }
  const server = await site({ modules, config, files: asLatin1(files) })
  t.teardown(() => server.close())
  t.equal((await server.inject('/f.txt')).body, bytes('caf\u{e9}'))
  t.equal((await server.inject('/f.png')).body, '\u{e9}')
  t.equal((await server.inject('/all/f.png')).body, bytes('\u{e9}'))
})

t.test('a character that the charset does not have is answered with 500', async (t) => {
  const config = `${TYPES}\nCharsetSourceEnc UTF-8\nCharsetDefault ISO-8859-15`
  const server = await site({ modules, config, files: { 'docs/euro.txt': '\u{20ac}', 'docs/other.txt': '\u{4e2d}' } })
  t.teardown(() => server.close())
  t.equal((await server.inject('/euro.txt')).body, '\u{a4}')
  t.equal((await server.inject('/other.txt')).status, 500)
  t.match(server.errors().join(''), /AH02997: AH02198: xlate filter - returning error/)
})

t.test('text in charsets of two bytes is translated both ways', async (t) => {
  const config = `${TYPES}\nCharsetSourceEnc Shift_JIS\nCharsetDefault UTF-8\n<Location /r>\nSetHandler reflector\n</Location>`
  const text = '\u{65e5}\u{672c}\u{8a9e}'
  const server = await site({ modules, config, files: {} })
  t.teardown(() => server.close())
  const answer = await server.inject({
    method: 'POST',
    target: '/r',
    headers: { 'Content-Type': 'text/plain' },
    body: bytes(text),
  })
  t.equal(answer.body, bytes(text))
})

t.test('an unknown charset is logged, and the text stays as it is', async (t) => {
  const config = `${TYPES}\nCharsetSourceEnc no-such\nCharsetDefault UTF-8`
  const server = await site({ modules, config, files: { 'docs/f.txt': 'x' } })
  t.teardown(() => server.close())
  t.equal((await server.inject('/f.txt')).body, 'x')
  t.match(server.errors().join(''), /AH01453: can't open translation no-such->UTF-8/)
})

function asLatin1(files: Readonly<Record<string, string>>): Record<string, Buffer> {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text, 'latin1')]))
}
