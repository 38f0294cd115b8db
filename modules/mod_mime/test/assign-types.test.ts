import { DECLINED, type FileInfo, type ModuleLog, OK, type OutputFilter, type Request } from '@gatewright/api'
import { altered, observedModule, requestRecorder, servedRequest, site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import { assignTypes } from '../src/assign-types.ts'
import type { MimeConfig } from '../src/config.ts'
import { mergeMimeConfig } from '../src/config.ts'
import mime from '../src/index.ts'
import { parseTypes } from '../src/types-file.ts'

const TYPES_FILE = `text/html html htm
text/plain txt asc
TEXT/Upper upp
image/gif gif GIF2 .dotted
application/gzip gz
text/x;charset=foo xcs
`
const TYPES = parseTypes(TYPES_FILE)

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

const REQUEST = await servedRequest()
const FILE: FileInfo = { kind: 'file', size: 6, mtimeMs: 0, inode: 1, device: 1, mode: 0o644, uid: 0, gid: 0 }

const warnings: string[] = []

interface Checked extends Request {
  readonly outcome: number
  readonly addedFilters: readonly (OutputFilter | string)[]
}

function checked(name: string, config: MimeConfig, changes: Partial<Request> = {}): Checked {
  const addedFilters: (OutputFilter | string)[] = []
  const request = altered(REQUEST, {
    filename: `/srv/docs.d/${name}`,
    fileInfo: FILE,
    contentType: null,
    contentLanguages: [],
    contentEncoding: null,
    handler: null,
    addOutputFilter: (filter) => void addedFilters.push(filter),
    ...changes,
  })
  const log: ModuleLog = {
    enabled: () => true,
    write: (_subject, level, code) => void warnings.push(`${level} ${code}`),
    about: () => {
      throw new Error('not part of these tests')
    },
  }
  return Object.assign(request, { outcome: assignTypes(request, config, TYPES, log), addedFilters })
}

/** The configuration that a server makes of these lines. */
async function main(...lines: string[]): Promise<MimeConfig> {
  const observed = observedModule(mime)
  const files = { 'conf/mime.types': TYPES_FILE }
  const request = await servedRequest('/', { modules: [observed.module], config: lines.join('\n'), files })
  return observed.host.configOf(request)
}

/** The properties of a file: type, languages, coding and handler, with - for unknown ones. */
function known({ contentType, contentLanguages, contentEncoding, handler }: Request): string {
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

const MAIN_CONFIG = main(...MAIN)
const recorder = requestRecorder()
const served = await site({
  modules: [authzCore, mime, recorder.module],
  config: MAIN.join('\n'),
  files: { 'conf/mime.types': TYPES_FILE, ...Object.fromEntries(FILES.map(([name]) => [`docs/docs.d/${name}`, 'x'])) },
})
t.teardown(() => served.close())

for (const [name, expected] of FILES) {
  t.test(`${name} is ${expected}`, async (t) => {
    await served.inject(`/docs.d/${encodeURIComponent(name)}`)
    t.equal(known(recorder.last), expected)
    t.equal(checked(name, await MAIN_CONFIG).outcome, expected.startsWith('-') ? DECLINED : OK)
  })
}

t.test('a malformed type is sent as written, with a warning each time', async (t) => {
  warnings.length = 0
  const config = await MAIN_CONFIG
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
    const configs = await Promise.all(scopes.map((lines) => main(...lines)))
    const config = configs.reduce((base, over) => mergeMimeConfig(base, over))
    t.equal(checked(name, config).contentType ?? '-', expected)
  })
}

t.test('RemoveHandler, RemoveEncoding, RemoveLanguage and RemoveCharset remove only their property', async (t) => {
  const removed = await main('RemoveHandler .han .cgi', 'RemoveEncoding gz', 'RemoveLanguage en', 'RemoveCharset utf8')
  const config = mergeMimeConfig(await MAIN_CONFIG, removed)
  t.equal(known(checked('h2.han', config)), '- | - | - | -')
  t.equal(known(checked('t.html.gz', config)), 'application/gzip | - | - | -')
  t.equal(known(checked('a.html.en.fr.utf8', config)), 'text/html | fr | - | -')
})

/** As httpd merges: a section that nothing was merged with removes nothing. */
const REMOVALS: readonly (readonly [what: string, server: string[], sections: string[][], handler: string | null])[] = [
  ['Remove... of a server alone has no effect', ['AddHandler one .x', 'RemoveHandler .x'], [], 'one'],
  ['Remove... takes effect after Add... of its section', [], [['AddHandler one .x', 'RemoveHandler .x']], null],
  ['also if Add... comes later', [], [['RemoveHandler .x', 'AddHandler one .x']], null],
  ['a section removes what the server added', ['AddHandler one .x'], [['RemoveHandler .x']], null],
  ['a second section restores it', ['AddHandler one .x'], [['RemoveHandler .x'], ['AddLanguage fr .y']], 'one'],
  ['the last of two removes only what they added', ['AddHandler one .x'], [['AddLanguage fr .y'], ['RemoveHandler .x']], 'one'],
  ['the last of two removes what the first added', [], [['AddHandler one .x'], ['RemoveHandler .x']], null],
]

for (const [what, server, sections, expected] of REMOVALS) {
  t.test(what, async (t) => {
    const configs = await Promise.all(sections.map((lines) => main(...lines)))
    const base = await main(...server)
    const config =
      configs.length === 0
        ? base
        : mergeMimeConfig(
            base,
            configs.reduce((one, two) => mergeMimeConfig(one, two)),
          )
    t.equal(checked('a.x', config).handler, expected)
  })
}

t.test('every extension may add filters for the response, in the order of the name', async (t) => {
  const lines = await main(
    'AddOutputFilter INCLUDES;DEFLATE .html',
    'AddOutputFilter SED en',
    'AddOutputFilter SED fr',
    'RemoveOutputFilter fr',
  )
  const config = mergeMimeConfig(await main(), lines)
  t.same(checked('a.en.html', config).addedFilters, ['sed', 'includes', 'deflate'])
  t.same(checked('a.fr.txt', config).addedFilters, [])
})

t.test('DefaultLanguage applies to every file without a language', async (t) => {
  const config = await main('DefaultLanguage de', 'AddLanguage en .en')
  t.equal(known(checked('a.gif', config)), 'image/gif | de | - | -')
  t.equal(known(checked('unk.zzz', config)), '- | de | - | -')
  t.equal(known(checked('a.en', config)), '- | en | - | -')
})

t.test('path info counts only if ModMimeUsePathInfo is On', async (t) => {
  const changes = { pathInfo: '/x.gif' }
  t.equal(checked('readme.txt', await main(), changes).contentType, 'text/plain')
  t.equal(checked('readme.txt', await main('<Location />\nModMimeUsePathInfo On\n</Location>'), changes).contentType, 'image/gif')
})

t.test('a folder has the type of folders, a request without a file name has none', async (t) => {
  const folder = checked('d.html', await main(), { fileInfo: { ...FILE, kind: 'directory' } })
  t.equal(folder.contentType, 'httpd/unix-directory')
  t.equal(folder.outcome, OK)
  t.equal(checked('', await main(), { filename: '' }).outcome, DECLINED)
})
