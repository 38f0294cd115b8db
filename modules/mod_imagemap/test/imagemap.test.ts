import { site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import imagemap from '../src/index.ts'
import { isInCircle, isInPolygon, isInRectangle } from '../src/shapes.ts'

const MAP = `# comment
default /default.html
base /base/x
rect ../up.html 1,1 5,5
circle http://o.test/c 20,20 25,20
poly p.html "Text & more" 40,40 60,40 50,60
point q.html 90,90
rect error 100,100 110,110
rect nocontent 120,120 130,130
rect referer 140,140 150,150
`

t.test('a click leads to the area that contains it, or the closest point, or the default', async (t) => {
  const server = await site({
    modules: [authzCore, imagemap],
    config: '<FilesMatch "\\.map$">\nSetHandler imap-file\n</FilesMatch>',
    files: { 'docs/a.map': MAP, 'docs/b.map': 'rect x.html 0,0 1,1\n', 'docs/bad.map': 'rect a.html 1,1 5,5\nalone\n' },
  })
  t.teardown(() => server.close())
  const target = async (url: string): Promise<string | undefined> => (await server.inject(url)).header('location')
  t.equal(await target('/a.map?3,3'), '/up.html')
  t.equal(await target('/a.map?24,20'), 'http://o.test/c')
  t.equal(await target('/a.map?50,45'), '/base/p.html')
  t.equal(await target('/a.map?200,200'), '/base/q.html')
  t.equal((await server.inject('/a.map?105,105')).status, 500)
  t.equal((await server.inject('/a.map?125,125')).status, 204)
  t.equal(await target('/a.map?145,145'), '/base/')
  t.equal((await server.inject('/b.map?9,9')).status, 204, 'ImapDefault nocontent is the default')
  t.equal(await target('/bad.map?3,3'), 'http://localhost/a.html')
  t.equal((await server.inject('/bad.map?9,9')).status, 500)
  t.match(server.errors().join('\n'), 'AH00679: map file /bad.map, line 2 syntax error: requires at least two fields')
  t.equal((await server.inject('/none.map?1,1')).status, 404)
  const menu = await server.inject('/a.map')
  t.equal(menu.header('content-type'), 'text/html; charset=ISO-8859-1')
  t.match(menu.body, '<a href="/base/p.html">Text &amp; more</a>')
  t.notMatch(menu.body, 'nocontent')
})

t.test('edges belong to rectangles and circles', (t) => {
  const corners = [
    { x: 5, y: 5 },
    { x: 1, y: 1 },
  ]
  t.ok(isInRectangle({ x: 1, y: 5 }, corners))
  t.notOk(isInRectangle({ x: 6, y: 5 }, corners))
  t.ok(
    isInCircle({ x: 9, y: 5 }, [
      { x: 5, y: 5 },
      { x: 5, y: 9 },
    ]),
  )
  t.notOk(
    isInCircle({ x: 9, y: 6 }, [
      { x: 5, y: 5 },
      { x: 5, y: 9 },
    ]),
  )
  t.notOk(isInPolygon({ x: 1, y: 1 }, []))
  t.end()
})
