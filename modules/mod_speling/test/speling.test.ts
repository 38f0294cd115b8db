import { site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import speling from '../src/index.ts'
import { lower, misspelling } from '../src/misspelling.ts'

t.test('one small mistake is recognized, two are not', (t) => {
  const cases: readonly (readonly [string, string, string | null])[] = [
    ['INDEX.html', 'index.html', 'miscapitalized'],
    ['idnex.html', 'index.html', 'transposed characters'],
    ['indx.html', 'index.html', 'character missing'],
    ['inndex.html', 'index.html', 'extra character'],
    ['indax.html', 'Index.html', 'mistyped character'],
    ['indaxx.html', 'index.html', null],
    ['a', '', 'extra character'],
    ['', 'a', 'character missing'],
    ['caf\u00e8', 'caf\u00e9', 'mistyped character'],
  ]
  for (const [requested, name, how] of cases) t.equal(misspelling(lower(requested), lower(name)), how, `${requested} for ${name}`)
  t.end()
})

t.test('a single good candidate is a redirect, several are a choice, and sections replace all settings', async (t) => {
  const server = await site({
    modules: [authzCore, speling],
    config: `CheckSpelling On
<Directory "@ROOT@/docs/case">
CheckSpelling On
CheckCaseOnly On
</Directory>
<Directory "@ROOT@/docs/other">
CheckCaseOnly On
</Directory>`,
    files: {
      'docs/ab.txt': '',
      'docs/ac.txt': '',
      'docs/a.b.c': '',
      'docs/only.html': '',
      'docs/case/Name.txt': '',
      'docs/other/name.txt': '',
    },
  })
  t.teardown(() => server.close())
  const redirect = await server.inject('/onyl.html?q=1')
  t.equal(redirect.status, 301)
  t.equal(redirect.header('location'), 'http://localhost/only.html?q=1')
  t.equal((await server.inject('/onyl.html/more')).header('location'), 'http://localhost/only.html/more')
  const choice = await server.inject({ target: '/a.txt?x&y', headers: { Referer: 'http://from.test/<p>' } })
  t.equal(choice.status, 300)
  t.match(choice.body, '<li><a href="/ab.txt?x&amp;y">/ab.txt?x&amp;y</a> (character missing)')
  t.match(choice.body, '<li><a href="/a.b.c?x&amp;y">/a.b.c?x&amp;y</a> (common basename)')
  t.match(choice.body, 'http://from.test/&lt;p&gt;')
  t.equal((await server.inject('/only.txt')).status, 300, 'another ending is offered, not chosen')
  t.equal((await server.inject('/case/name.txt')).status, 301)
  t.equal((await server.inject('/case/Nmae.txt')).status, 404)
  t.equal((await server.inject('/other/nmae.txt')).status, 404, 'CheckSpelling of the server does not apply there')
  t.equal((await server.inject('/missing/x')).status, 404)
  t.equal((await server.inject({ target: '/onyl.html', method: 'POST', body: 'x' })).status, 404)
})
