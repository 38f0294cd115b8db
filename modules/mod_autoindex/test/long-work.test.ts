import { busyLoop, type SiteOptions, servedMeanwhile, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import mime from '../../mod_mime/src/index.ts'
import autoindex from '../src/index.ts'

async function serve(t: Test, files: SiteOptions['files'], more: Partial<SiteOptions> = {}): Promise<TestServer> {
  const server = await site({
    ...more,
    modules: [authzCore, mime, autoindex],
    config: `TypesConfig conf/mime.types\n<Directory "@ROOT@/docs">\nAllowOverride All\nOptions Indexes\n</Directory>\n${more.config ?? ''}`,
    files: { 'conf/mime.types': 'text/plain txt\ntext/html html\n', 'docs/other.txt': 'other', ...files },
  })
  t.teardown(() => server.close())
  return server
}

const some = (count: number, name: (n: number) => string, content: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [name(n), content]))
const lines = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => `${line(n)}\n`).join('')

/** Folders whose listing takes long, and the minimum number of other requests served meanwhile. */
const ROWS: readonly { readonly name: string; readonly files: Record<string, string>; readonly least: number }[] = [
  {
    name: 'a folder of many files',
    files: { 'docs/d/.htaccess': 'IndexOptions FancyIndexing\n', ...some(600, (n) => `docs/d/f${(n * 7) % 600}.txt`, '') },
    least: 10,
  },
  {
    name: 'many descriptions and patterns for few files',
    files: {
      'docs/d/.htaccess': `IndexOptions FancyIndexing\n${lines(500, (n) => `AddDescription "text ${n}" *a*b*${n}\nIndexIgnore *x*y*${n}\nAddIcon /i${n}.png *z*${n}`)}`,
      ...some(3, (n) => `docs/d/ab${n}.txt`, ''),
    },
    least: 10,
  },
  {
    name: 'titles of many pages',
    files: {
      'docs/d/.htaccess': 'IndexOptions FancyIndexing HTMLTable ScanHTMLTitles\n',
      ...some(100, (n) => `docs/d/p${n}.html`, '<title>Page</title>'),
    },
    least: 10,
  },
]

for (const { name, files, least } of ROWS) {
  t.test(`${name}: other requests are served while the listing is made, and it is the same`, async (t) => {
    // The dates of two sites may differ.
    const dateless = (body: string): string => body.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, 'DATE')
    const expected = await (await serve(t, files)).inject('/d/')
    const server = await serve(t, files, { loopClock: busyLoop(), config: 'LimitComputingTime unlimited' })
    const long = server.inject('/d/')
    const served = await servedMeanwhile(server, long, '/other.txt')
    t.ok(served.length >= least, `${served.length} others were served in between`)
    t.ok(served.every((status) => status === 200))
    const answer = await long
    t.equal(answer.status, 200)
    t.equal(dateless(answer.body), dateless(expected.body))
  })

  t.test(`${name}: a listing that costs more than LimitComputingTime is a 500`, async (t) => {
    const server = await serve(t, files, { loopClock: busyLoop(), config: 'LimitComputingTime 0.05' })
    t.equal((await server.inject('/d/')).status, 500)
    t.match(server.errors().join('\n'), /which is all that LimitComputingTime allows/)
    t.equal((await server.inject('/other.txt')).status, 200)
  })
}

t.test('entries are in order whatever their number', async (t) => {
  const { inject } = await serve(
    t,
    some(1000, (n) => `docs/d/f${(n * 7) % 1000}.txt`, ''),
  )
  const names = [...(await inject('/d/')).body.matchAll(/<a href="(f\d+\.txt)">/g)].map(([, name]) => name)
  t.strictSame(names, Array.from({ length: 1000 }, (_, n) => `f${n}.txt`).sort())
})

t.test('a long text of HeaderName is escaped completely, and sent in pieces', async (t) => {
  const { inject } = await serve(t, {
    'docs/d/.htaccess': 'HeaderName header.txt\n',
    'docs/d/header.txt': '<&>\n'.repeat(300_000),
  })
  const { status, body, header } = await inject('/d/')
  t.equal(status, 200)
  t.equal(header('Content-Length'), undefined)
  t.ok(body.includes(`<pre>\n${'&lt;&amp;&gt;\n'.repeat(300_000)}</pre>`))
})
