import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type Matrix, matrix, matrixText, NO_COLOURS, readExpectations, snapshotText } from '../../src/index.ts'
import { AUTH, PolicySite } from '../support/policy-site.ts'

const FILES = {
  'docs/.htaccess': '<Files "*.php">\nRequire all denied\n</Files>\n',
  'docs/config.php': 'x',
  'docs/admin/.htaccess': 'Require ip 10.0.0.0/8\n',
  'docs/admin/a.txt': 'x',
  'docs/admin/b.txt': 'x',
  'docs/admin/deep/c.txt': 'x',
  'docs/open/1.txt': 'x',
  'docs/open/2.txt': 'x',
  'docs/open/x.php': 'x',
  'docs/users/.htaccess': AUTH.replace('AuthUserFile "@ROOT@/users"\n', 'Require user alice\n'),
  'docs/users/f b.txt': 'x',
}

t.test('every kind of path has a row, every kind of client a column', async (t) => {
  const made = await madeFor(t)
  t.strictSame(
    made.clients.map(({ title }) => title),
    ['stranger', 'this machine', '10.0.0.1', 'alice', 'any-user'],
  )
  t.strictSame(rowsOf(made), [
    ['/', 1, '200 200 200 200 200'],
    ['/config.php', 1, '403 403 403 403 403'],
    ['/index.html', 1, '200 200 200 200 200'],
    ['/admin/', 1, '403 403 404 403 403'],
    ['/admin/*', 2, '403 403 200 403 403'],
    ['/admin/deep/', 1, '403 403 404 403 403'],
    ['/admin/deep/c.txt', 1, '403 403 200 403 403'],
    ['/open/', 1, '404 404 404 404 404'],
    ['/open/*.txt', 2, '200 200 200 200 200'],
    ['/open/x.php', 1, '403 403 403 403 403'],
    ['/users/', 1, '401 401 401 404 401'],
    ['/users/f%20b.txt', 1, '401 401 401 200 401'],
  ])
  t.equal(made.left, 0)
})

t.test('a matrix is shown as a table', async (t) => {
  const lines = matrixText(await madeFor(t), NO_COLOURS, '/').split('\n')
  t.match(lines[0], /^ +stranger {2}this machine {2}10\.0\.0\.1 {2}alice {2}any-user$/)
  t.match(lines[5], /^\/admin\/\* \(2\) +403 +403 +200 +403 +403$/)
  t.match(lines.at(-2), /^answered by main server localhost, port 80$/)
  const text = matrixText({ clients: [], rows: [], answeredBy: null, left: 7 }, NO_COLOURS, '/')
  t.match(text, /7 more paths were not requested/)
})

t.test('what is written as expectations holds', async (t) => {
  const { expectations, mistakes } = readExpectations('f', snapshotText(await madeFor(t)))
  t.strictSame(mistakes, [])
  const told = expectations.map(
    ({ request, statuses }) => `${request.target} ${request.client} ${request.credentials?.user} ${statuses}`,
  )
  t.strictSame(told.slice(0, 2), ['/ 192.0.2.1 undefined 200', '/config.php 192.0.2.1 undefined 403'])
  t.ok(told.includes('/admin/a.txt 10.0.0.1 undefined 200'))
  t.ok(told.includes('/users/f%20b.txt 192.0.2.1 alice 200'))
})

t.test('folders that are alike are one row, and so is a folder with all that is in it', async (t) => {
  const files = Object.fromEntries(
    ['a', 'b', 'c', 'd', 'e'].flatMap((name) => [1, 2].map((n) => [`docs/${name}/index.html/${n}.txt`, 'x'])),
  )
  const site = new PolicySite(t, { config: '<Directory "@ROOT@/docs/">\nRequire all denied\n</Directory>', files })
  const server = await site.open()
  t.teardown(() => server.close())
  const made = await matrix(server, { folder: join(site.root, 'docs'), texts: new Map() })
  t.strictSame(rowsOf(made), [['/ and all below', 22, '403 403']])
})

t.test('a link to a folder is requested but not followed', async (t) => {
  const site = new PolicySite(t, { config: '' })
  symlinkSync(site.root, join(site.root, 'docs/round'))
  const server = await site.open()
  t.teardown(() => server.close())
  const made = await matrix(server, { folder: join(site.root, 'docs'), texts: new Map() })
  t.strictSame(
    made.rows.map(({ title }) => title),
    ['/', '/index.html', '/round/'],
  )
})

t.test('a file whose name begins with .ht has a row if some client receives it, and otherwise none', async (t) => {
  const site = new PolicySite(t, {
    config:
      '<Directory "@ROOT@/docs">\nAllowOverride All\nRequire all granted\n</Directory>\n<Files ".ht*">\nRequire all denied\n</Files>',
    files: {
      'docs/.htpasswd': 'x',
      'docs/open/.htaccess': 'Satisfy any\n',
      'docs/open/.htpasswd': 'x',
      'docs/open/index.html': 'x',
      'docs/some/.htaccess': '<Files ".htgroups">\nRequire ip 10.0.0.1\n</Files>\n',
      'docs/some/.htgroups': 'x',
      'docs/some/index.html': 'x',
      'docs/.htfolder/index.html': 'x',
    },
  })
  const server = await site.open()
  t.teardown(() => server.close())
  const made = await matrix(server, { folder: join(site.root, 'docs'), texts: new Map() })
  t.strictSame(
    made.clients.map(({ title }) => title),
    ['stranger', 'this machine', '10.0.0.1'],
  )
  t.strictSame(rowsOf(made), [
    ['/', 1, '200 200 200'],
    ['/index.html', 1, '200 200 200'],
    ['/.htfolder/ and all below', 2, '200 200 200'],
    ['/open/', 1, '200 200 200'],
    ['/open/.htaccess, /open/.htpasswd', 2, '200 200 200'],
    ['/open/index.html', 1, '200 200 200'],
    ['/some/', 1, '200 200 200'],
    ['/some/.htgroups', 1, '403 403 200'],
    ['/some/index.html', 1, '200 200 200'],
  ])
  t.strictSame(
    made.rows.filter(({ isExposed }) => isExposed).map(({ target }) => target),
    ['/open/.htaccess', '/some/.htgroups'],
  )
  t.equal(made.left, 0)
})

t.test('an answer that gives away a file with a name in .ht is shown in the colour of mistakes', async (t) => {
  const bad = { ...NO_COLOURS, bad: (text: string) => `!${text}!`, good: (text: string) => `+${text}+` }
  const site = new PolicySite(t, { config: '', files: { 'docs/.htpasswd': 'x' } })
  const server = await site.open()
  t.teardown(() => server.close())
  const made = await matrix(server, { folder: join(site.root, 'docs'), texts: new Map() })
  const lines = matrixText(made, bad, '/').split('\n')
  t.match(lines[2], /^\/\.htpasswd +! +200! +! +200!$/)
  t.match(lines[3], /^\/index\.html +\+ +200\+ +\+ +200\+$/)
})

async function madeFor(t: Test): Promise<Matrix> {
  const site = new PolicySite(t, {
    config:
      'AllowEncodedSlashes Off\n<Directory "@ROOT@/docs">\nAllowOverride All\nAuthUserFile "@ROOT@/users"\n</Directory>\n<Files ".ht*">\nRequire all denied\n</Files>',
    files: FILES,
  })
  const server = await site.open()
  t.teardown(() => server.close())
  return matrix(server, { folder: join(site.root, 'docs'), texts: new Map() })
}

function rowsOf({ rows }: Matrix): [string, number, string][] {
  return rows.map(({ title, count, answers }) => [title, count, answers.map(({ status }) => status).join(' ')])
}
