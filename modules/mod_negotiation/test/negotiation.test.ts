import { type AnyModule, defineModule, OK } from '@gatewright/api'
import { type InjectedResponse, type SiteOptions, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import dir from '../../mod_dir/src/index.ts'
import headers from '../../mod_headers/src/index.ts'
import mime from '../../mod_mime/src/index.ts'
import setenvif from '../../mod_setenvif/src/index.ts'
import negotiation from '../src/index.ts'

const TYPES = 'text/html html\ntext/plain txt\nimage/png png\nimage/gif gif\n'
const FILES = {
  'conf/mime.types': TYPES,
  'docs/doc.html.en': 'english',
  'docs/doc.html.fr': 'le francais',
  'docs/pic.png': 'png',
  'docs/pic.gif': 'gif.',
  'docs/bad.unknown': 'x',
}

/** The parts of a response that a test compares: status, body, and fields by lower-case names. */
function seen({ status, body, headers }: InjectedResponse): { status: number; body: string; headers: Record<string, string> } {
  return { status, body, headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])) }
}

async function server(
  t: Test,
  config = '',
  files: SiteOptions['files'] = {},
  modules: readonly AnyModule[] = [],
): Promise<TestServer> {
  const started = await site({
    modules: [authzCore, mime, setenvif, negotiation, ...modules],
    config: `TypesConfig conf/mime.types\nAddLanguage en .en\nAddLanguage fr .fr\nAddEncoding x-gzip .gz\nAddHandler type-map .var\n<Directory "@ROOT@/docs">\nOptions +MultiViews\n</Directory>\n${config}`,
    files: { ...FILES, ...files },
  })
  t.teardown(() => started.close())
  return started
}

t.test('a request for a name that does not exist is answered with the best file for the client', async (t) => {
  const { inject } = await server(t)
  t.match(seen(await inject({ target: '/doc', headers: { 'Accept-Language': 'fr, en;q=0.5' } })), {
    status: 200,
    body: 'le francais',
    headers: {
      'content-location': 'doc.html.fr',
      vary: 'negotiate,accept-language',
      tcn: 'choice',
      'content-language': 'fr',
    },
  })
  t.match(seen(await inject({ target: '/pic', headers: { Accept: 'image/gif, image/png;q=0.9' } })), { body: 'gif.' })
})

t.test('if nothing is acceptable, the page lists the variants', async (t) => {
  const { inject, errors } = await server(t)
  const answer = seen(await inject({ target: '/doc', headers: { 'Accept-Language': 'es' } }))
  t.equal(answer.status, 406)
  t.match(answer.headers, {
    tcn: 'list',
    alternates:
      '{"doc.html.en" 1 {type text/html} {language en} {length 7}}, {"doc.html.fr" 1 {type text/html} {language fr} {length 11}}',
  })
  t.match(answer.body, '<li><a href="doc.html.fr">doc.html.fr</a> , type text/html, language fr</li>')
  t.match(errors().join('\n'), /AH00690: no acceptable variant: .*\/docs\/doc/)
})

t.test('the entity tag also identifies the list, and is compared in a condition', async (t) => {
  const { inject } = await server(t)
  const tag = (await inject('/doc')).header('ETag') ?? ''
  t.match(tag, /^(?:W\/)?"7-[0-9a-f]+;[0-9a-f]+"$/)
  t.equal((await inject({ target: '/doc', headers: { 'If-None-Match': tag } })).status, 304)
})

t.test('the entity tag of an error document also identifies the folder that had no variants', async (t) => {
  const { inject } = await server(t, 'ErrorDocument 404 /pic.png\n<LocationMatch ^/sized>\nFileETag Size\n</LocationMatch>', {
    'docs/sized.html.en': 'four',
  })
  t.match((await inject('/none')).header('ETag'), /^(?:W\/)?"3-[0-9a-f]+;[0-9a-f]+"$/)
  t.match((await inject('/pic.png')).header('ETag'), /^(?:W\/)?"3-[0-9a-f]+"$/)
  t.match((await inject('/sized')).header('ETag'), /^(?:W\/)?"4;[0-9a-f]+"$/, 'a folder has no size')
})

t.test(
  'the entity tag of a type map in place of a missing file identifies the map, then the folder without variants',
  async (t) => {
    const config = '<Directory "@ROOT@/docs">\nFallbackResource /map.var\n</Directory>'
    const { inject } = await server(t, config, { 'docs/map.var': 'URI: pic.png\nContent-Type: image/png\n' }, [dir])
    t.match((await inject('/none')).header('ETag'), /^(?:W\/)?"3-[0-9a-f]+;25-[0-9a-f]+;[0-9a-f]+"$/)
    t.match((await inject('/map.var')).header('ETag'), /^(?:W\/)?"3-[0-9a-f]+;25-[0-9a-f]+"$/)
  },
)

t.test('files are looked up with the query of the request', async (t) => {
  const queries = new Set<string | null>()
  const look = defineModule({
    name: 'look_module',
    source: 'mod_look.c',
    register({ hooks }) {
      hooks.fixups.add((request) => {
        if (request.main !== null) queries.add(request.args)
        return OK
      })
    },
  })
  const { inject } = await server(t, '', {}, [look])
  t.equal((await inject('/doc?a=b')).status, 200)
  t.strictSame([...queries], ['a=b'])
})

t.test('files with an unknown extension are not variants, and the log mentions them', async (t) => {
  const { inject, errors } = await server(t)
  t.equal((await inject('/bad')).status, 404)
  t.match(
    errors().join('\n'),
    /AH00687: Negotiation: discovered file\(s\) matching request: .*\/docs\/bad \(None could be negotiated\)\./,
  )
})

t.test('a file to which the client has no access is not a variant', async (t) => {
  const { inject } = await server(t, '<Files "doc.html.fr">\nRequire all denied\n</Files>')
  t.match(seen(await inject({ target: '/doc', headers: { 'Accept-Language': 'fr, en;q=0.1' } })), {
    status: 200,
    body: 'english',
  })
})

t.test('without Options MultiViews there is no search', async (t) => {
  const { inject } = await server(t, '<Location "/">\nOptions -MultiViews\n</Location>')
  t.equal((await inject('/doc')).status, 404)
})

t.test('LanguagePriority breaks ties, and provides a language with Fallback', async (t) => {
  const { inject } = await server(t, 'LanguagePriority fr en\nForceLanguagePriority Prefer Fallback')
  t.match(seen(await inject('/doc')), { body: 'le francais' })
  t.match(seen(await inject({ target: '/doc', headers: { 'Accept-Language': 'es' } })), { status: 200, body: 'le francais' })
  t.match(seen(await inject({ target: '/doc', headers: { 'Accept-Language': 'en' } })), { body: 'english' })
})

t.test("a type map with bodies serves as error document in the client's language", async (t) => {
  const body = (lang: string, text: string): string =>
    `Content-Type: text/html\nContent-Language: ${lang}\nBody:--${lang}--\n${text}\n--${lang}--\n\n`
  const map = body('en', 'nothing here') + body('fr', 'rien ici')
  const { inject } = await server(t, 'ErrorDocument 404 /missing.var', { 'docs/missing.var': map })
  t.match(seen(await inject({ target: '/nowhere', headers: { 'Accept-Language': 'fr' } })), {
    status: 404,
    body: 'rien ici\n',
    headers: { 'content-language': 'fr', 'content-type': 'text/html' },
  })
})

t.test("a body of a type map is subject to the request's conditions, as if it were modified now", async (t) => {
  const map = 'Content-Type: text/plain\nBody:--x--\nwithin\n--x--\n'
  const { inject } = await server(t, 'ErrorDocument 404 /body.var', { 'docs/body.var': map })
  const status = async (name: string, value: string, method = 'GET', target = '/body.var'): Promise<number> =>
    (await inject({ method, target, headers: { [name]: value } })).status
  t.equal(await status('If-None-Match', '*'), 304)
  t.equal(await status('If-None-Match', '*', 'POST'), 412)
  t.equal(await status('If-None-Match', '"x"'), 200)
  t.equal(await status('If-Match', '"x"'), 412)
  t.equal(await status('If-Match', '*'), 200)
  t.equal(await status('If-Unmodified-Since', 'Tue, 01 Jan 2019 00:00:00 GMT'), 412)
  t.equal(await status('If-Modified-Since', 'Tue, 01 Jan 2019 00:00:00 GMT'), 200)
  t.equal(await status('If-None-Match', '*', 'GET', '/missing'), 404, 'an error page is sent whatever the conditions are')
  const unmodified = await inject({ target: '/body.var', headers: { 'If-None-Match': '*' } })
  t.match(seen(unmodified), { body: '', headers: { 'accept-ranges': 'bytes' } })
})

t.test('slashes before the path info of a type map do not belong to the map', async (t) => {
  const { inject } = await server(t, 'MergeSlashes Off\nLogLevel info\nAcceptPathInfo On', {
    'docs/info.var': 'URI: doc.html.fr\nContent-Type: text/html\n',
  })
  t.match(seen(await inject('/info.var//x')), { status: 200, body: 'le francais' })
})

t.test('a description in a type map cannot insert markup into the list', async (t) => {
  const map = 'URI: doc.html.fr\nContent-Type: text/html\nContent-Language: fr\nDescription: <script>x</script>\n'
  const { inject } = await server(t, '', { 'docs/list.var': map })
  const { status, body } = await inject({ target: '/list.var', headers: { Negotiate: 'trans' } })
  t.equal(status, 300)
  t.match(body, '&lt;script&gt;x&lt;/script&gt;')
  t.notMatch(body, '<script>')
})

t.test('the coding is named as the client names it', async (t) => {
  const { inject } = await server(t, '', { 'docs/z.txt.gz': 'zip' })
  t.match(seen(await inject({ target: '/z', headers: { 'Accept-Encoding': 'gzip' } })), {
    headers: { 'content-encoding': 'gzip' },
  })
  t.match(seen(await inject({ target: '/z', headers: { 'Accept-Encoding': 'x-gzip' } })), {
    headers: { 'content-encoding': 'x-gzip' },
  })
})

t.test('the answer of a type map expires at once for HTTP/1.0 clients, unless caches may keep it', async (t) => {
  const files = { 'docs/list.var': 'URI: doc.html.fr\nContent-Type: text/html\n' }
  const plain = await server(t, '', files)
  t.type((await plain.inject({ target: '/list.var', version: 'HTTP/1.0' })).header('Expires'), 'string')
  t.equal((await plain.inject('/list.var')).header('Expires'), undefined)
  const cached = await server(t, 'CacheNegotiatedDocs On', files)
  t.equal((await cached.inject({ target: '/list.var', version: 'HTTP/1.0' })).header('Expires'), undefined)
})

t.test('a field Expires that a module set replaces the one for HTTP/1.0 clients', async (t) => {
  const files = { 'docs/list.var': 'URI: doc.html.fr\nContent-Type: text/html\n' }
  for (const [config, expected] of [
    ['Header set Expires normal', ['normal']],
    ['Header always set Expires always', ['always']],
  ] as const) {
    const { inject } = await server(t, config, files, [headers])
    const { headers: fields } = await inject({ target: '/list.var', version: 'HTTP/1.0' })
    t.same(
      fields.filter(([name]) => name === 'Expires').map(([, value]) => value),
      expected,
    )
  }
})

t.test('Header unset does not affect the Expires for HTTP/1.0 clients', async (t) => {
  const files = { 'docs/list.var': 'URI: doc.html.fr\nContent-Type: text/html\n' }
  const { inject } = await server(t, 'Header unset Expires\nHeader always unset Expires', files, [headers])
  t.type((await inject({ target: '/list.var', version: 'HTTP/1.0' })).header('Expires'), 'string')
})

t.test('HTTP/1.0 caches may keep a response that replaces a variant', async (t) => {
  const files = { 'docs/list.var': 'URI: missing.html\nContent-Type: text/html\n', 'docs/other.txt': 'other' }
  const { inject } = await server(t, 'FallbackResource /other.txt', files, [dir])
  const answer = await inject({ target: '/list.var', version: 'HTTP/1.0' })
  t.equal(answer.body, 'other')
  t.equal(answer.header('Expires'), undefined)
})

t.test('a name with path info maps to the file with the path info, for sections and for logs', async (t) => {
  const uris: string[] = []
  const log: AnyModule = defineModule({
    name: 'uri_module',
    source: 'mod_uri.c',
    register({ hooks }) {
      hooks.logTransaction.add((request) => {
        uris.push(request.uri)
        return OK
      })
    },
  })
  const config =
    '<Directory @ROOT@/docs>\nAcceptPathInfo On\n</Directory>\n<Location /doc.html.fr>\nRequire all denied\n</Location>'
  const map = 'URI: doc.html.en\nContent-Type: text/html\n'
  const { inject } = await server(t, config, { 'docs/doc.var': map }, [log])
  const ask = (target: string, language: string) => inject({ target, headers: { 'Accept-Language': language } })
  t.equal((await ask('/doc/more/x', 'en')).status, 200)
  t.equal((await ask('/doc/more/x', 'fr')).status, 406, 'a file that its section denies is not a variant')
  t.equal((await ask('/doc.var/more', 'en')).status, 200)
  t.same(uris, ['/doc.html.en/more/x', '/doc/more/x', '/doc.var'])
})

t.test('a folder that is a type map has no variants, and an unsatisfiable range is answered without their fields', async (t) => {
  const { inject } = await server(t, '<Location /folder>\nSetHandler type-map\n</Location>', { 'docs/folder/x': 'x' })
  t.match(seen(await inject('/folder/')), { status: 406, headers: { tcn: 'list', vary: 'negotiate' } })
  const range = seen(await inject({ target: '/doc', headers: { 'Accept-Language': 'en', Range: 'bytes=9999-' } }))
  t.equal(range.status, 416)
  t.notOk('tcn' in range.headers || 'vary' in range.headers || 'content-location' in range.headers)
})

t.test('slashes of names in a type map are escaped in lists of variants', async (t) => {
  const map = 'URI: ../doc.html.en\nContent-Type: text/html\n'
  const { inject } = await server(t, '', { 'docs/maps/m.var': map })
  const answer = seen(await inject({ target: '/maps/m.var', headers: { Accept: 'image/png' } }))
  t.equal(answer.status, 406)
  t.equal(answer.headers['alternates'], '{"..%2fdoc.html.en" 1 {type text/html} {length 7}}')
})
