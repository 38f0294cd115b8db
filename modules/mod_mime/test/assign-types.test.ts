import { DECLINED, type ModuleLog, OK } from '@gatewright/api'
import t from 'tap'
import { Bench } from '../../mod_env/test/fakes/bench.ts'
import { type FakeRequest, fakeFile, fakeRequest } from '../../mod_env/test/fakes/request.ts'
import { assignTypes } from '../src/assign-types.ts'
import type { MimeConfig } from '../src/config.ts'
import { mergeMimeConfig } from '../src/config.ts'
import mime from '../src/index.ts'
import { parseTypes } from '../src/types-file.ts'

const TYPES = parseTypes(`text/html html htm
text/plain txt asc
TEXT/Upper upp
image/gif gif GIF2 .dotted
application/gzip gz
text/x;charset=foo xcs
`)

const MAIN = [
  'AddCharset UTF-8 .utf8',
  'AddCharset KOI8-R koi',
  'AddLanguage en .en .EN2',
  'AddLanguage fr fr',
  'AddEncoding x-gzip .gz',
  'AddEncoding x-compress .Z',
  'AddType text/x-sub .sub',
  'AddType "text/x-par; a=B;  c=\\"D e\\"" .par',
  'AddType text/x-par;charset=ISO-8859-1;q=1 .par2',
  'AddType malformed .mal',
  'AddType Text/MIXED;Foo=Bar .mix',
  'AddHandler CGI-Foo .cgi',
  'AddHandler send-han .han',
  'AddEncoding GZip .enc',
  'AddLanguage EN-us lan',
  'AddCharset K1 .mul',
  'AddType text/mul2 .mul',
  'AddType "text/x;a=" .badq',
  'AddType "text/x;a" .bad2',
  'AddType "text/x;a=b c" .bad3',
  'AddType "text/" .bad6',
]

const warnings: string[] = []
const log: ModuleLog = {
  enabled: () => true,
  write: (_subject, level, code) => void warnings.push(`${level} ${code}`),
  about: () => {
    throw new Error('not part of these tests')
  },
}

function checked(name: string, config: MimeConfig, changes: Partial<FakeRequest> = {}): FakeRequest & { outcome: number } {
  const request = fakeRequest({ filename: `/srv/docs.d/${name}`, fileInfo: fakeFile(), ...changes })
  return Object.assign(request, { outcome: assignTypes(request, config, TYPES, log) })
}

function main(...lines: string[]): MimeConfig {
  return new Bench(mime).in('server', '', ...lines)
}

/** The properties of a file: type, languages, coding and handler, with - for unknown ones. */
function known({ contentType, contentLanguages, contentEncoding, handler }: FakeRequest): string {
  return [contentType ?? '-', contentLanguages.join(',') || '-', contentEncoding ?? '-', handler ?? '-'].join(' | ')
}

const FILES: readonly (readonly [name: string, result: string])[] = [
  ['a.html', 'text/html | - | - | -'],
  ['UP.HTML', 'text/html | - | - | -'],
  ['.html', '- | - | - | -'],
  ['HTML', '- | - | - | -'],
  ['..html', '- | - | - | -'],
  ['a..html', 'text/html | - | - | -'],
  ['a.html.en.utf8', 'text/html; charset=utf-8 | en | - | -'],
  ['t.html.gz', 'application/gzip | - | x-gzip | -'],
  ['two.html.zzz.txt', 'text/plain | - | - | -'],
  ['unk.zzz', '- | - | - | -'],
  ['u.upp', 'TEXT/Upper | - | - | -'],
  ['g.gif2', 'image/gif | - | - | -'],
  ['g.dotted', '- | - | - | -'],
  ['q.xcs', 'text/x; charset=foo | - | - | -'],
  ['q.xcs.utf8', 'text/x; charset=utf-8 | - | - | -'],
  ['p.par', 'text/x-par; a=b; c="d e" | - | - | -'],
  ['p.par.utf8', 'text/x-par; a=b; c="d e"; charset=utf-8 | - | - | -'],
  ['pp.par2', 'text/x-par; charset=iso-8859-1; q=1 | - | - | -'],
  ['pp.par2.utf8', 'text/x-par; charset=utf-8; q=1 | - | - | -'],
  ['l.en.fr.txt', 'text/plain | en,fr | - | -'],
  ['e.gz.Z.txt', 'text/plain | - | x-gzip, x-compress | -'],
  ['a.html.enc.enc', 'text/html | - | gzip, gzip | -'],
  ['h.cgi.txt', 'text/plain | - | - | cgi-foo'],
  ['m.mal', 'malformed | - | - | -'],
  ['m.mal.utf8', 'malformed | - | - | -'],
  ['h2.han', '- | - | - | send-han'],
  ['mixed.mix', 'text/mixed; foo=bar | - | - | -'],
  ['x.en', '- | en | - | -'],
  ['l.lan', '- | en-us | - | -'],
  ['cs.utf8.koi', '- | - | - | -'],
  ['cs.html.utf8.koi', 'text/html; charset=koi8-r | - | - | -'],
  ['v.html.mul', 'text/mul2; charset=k1 | - | - | -'],
  ['trail.html.', 'text/html | - | - | -'],
  ['a.b c.html', 'text/html | - | - | -'],
  ['q.badq', 'text/x;a= | - | - | -'],
  ['q.bad2', 'text/x | - | - | -'],
  ['q.bad3', 'text/x;a=b c | - | - | -'],
  ['q.bad6', 'text/ | - | - | -'],
]

for (const [name, expected] of FILES) {
  t.test(`${name} is ${expected}`, async (t) => {
    const request = checked(name, main(...MAIN))
    t.equal(known(request), expected)
    t.equal(request.outcome, expected.startsWith('-') ? DECLINED : OK)
  })
}

t.test('a malformed type is sent as written, with a warning each time', async (t) => {
  warnings.length = 0
  const config = main(...MAIN)
  checked('m.mal', config)
  checked('m.mal.utf8', config)
  checked('q.bad6', config)
  t.same(warnings, ['warn AH01599', 'warn AH01599', 'warn AH01601'])
})

const SCOPES: readonly (readonly [what: string, lines: readonly (readonly string[])[], name: string, result: string])[] = [
  ['RemoveType hides the type of the types file', [['RemoveType .html']], 'a.html', '-'],
  ['a removed type does not affect other extensions', [['RemoveType .gz']], 'a.html.gz', 'text/html'],
  ['the last line of a scope counts: removed', [['AddType text/one .one', 'RemoveType one']], 'a.one', '-'],
  ['the last line of a scope counts: added', [['RemoveType .two', 'AddType text/two .two']], 'a.two', 'text/two'],
  ['a deeper scope may add again', [['RemoveType txt'], ['AddType text/ttxt .txt']], 'a.txt', 'text/ttxt'],
  ['an inner scope removes the type of an outer one', [['AddType text/one .one'], ['RemoveType .one']], 'a.one', '-'],
  ['other attributes of the extension stay', [['AddType text/one .one'], ['AddLanguage de .one']], 'a.one', 'text/one'],
]

for (const [what, scopes, name, expected] of SCOPES) {
  t.test(what, async (t) => {
    const config = scopes.map((lines) => main(...lines)).reduce((base, over) => mergeMimeConfig(base, over))
    t.equal(checked(name, config).contentType ?? '-', expected)
  })
}

t.test('RemoveHandler, RemoveEncoding, RemoveLanguage and RemoveCharset remove only their property', async (t) => {
  const removed = main('RemoveHandler .han .cgi', 'RemoveEncoding gz', 'RemoveLanguage en', 'RemoveCharset utf8')
  const config = mergeMimeConfig(main(...MAIN), removed)
  t.equal(known(checked('h2.han', config)), '- | - | - | -')
  t.equal(known(checked('t.html.gz', config)), 'application/gzip | - | - | -')
  t.equal(known(checked('a.html.en.fr.utf8', config)), 'text/html | fr | - | -')
})

t.test('every extension may add filters for the response, in the order of the name', (t) => {
  const config = main(
    'AddOutputFilter INCLUDES;DEFLATE .html',
    'AddOutputFilter SED en',
    'AddOutputFilter SED fr',
    'RemoveOutputFilter fr',
  )
  t.same(checked('a.en.html', config).addedFilters, ['sed', 'includes', 'deflate'])
  t.same(checked('a.fr.txt', config).addedFilters, [])
  t.end()
})

t.test('DefaultLanguage applies to every file without a language', async (t) => {
  const config = main('DefaultLanguage de', 'AddLanguage en .en')
  t.equal(known(checked('a.gif', config)), 'image/gif | de | - | -')
  t.equal(known(checked('unk.zzz', config)), '- | de | - | -')
  t.equal(known(checked('a.en', config)), '- | en | - | -')
})

t.test('path info counts only if ModMimeUsePathInfo is On', async (t) => {
  const changes = { pathInfo: '/x.gif' }
  t.equal(checked('readme.txt', main(), changes).contentType, 'text/plain')
  t.equal(checked('readme.txt', new Bench(mime).in('Location', '/', 'ModMimeUsePathInfo On'), changes).contentType, 'image/gif')
})

t.test('a folder has the type of folders, a request without a file name has none', async (t) => {
  const folder = checked('d.html', main(), { fileInfo: fakeFile('directory') })
  t.equal(folder.contentType, 'httpd/unix-directory')
  t.equal(folder.outcome, OK)
  t.equal(checked('', main(), { filename: '' }).outcome, DECLINED)
})
