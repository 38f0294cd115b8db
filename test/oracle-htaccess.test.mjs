import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { reasonNotToCompare } from './oracle/sides.mjs'
import { differencesOf } from './oracle-htaccess/differences.mjs'
import { readOptions } from './oracle-htaccess/options.mjs'
import { readRequests, readSite } from './oracle-htaccess/site.mjs'

const EXAMPLE = join(import.meta.dirname, 'oracle-htaccess/example')
const ANSWER = { line: 'HTTP/1.1 200 OK', fields: [['ETag', '"1"']], body: 'text', error: [] }
const PAGE = (prose) =>
  `<!DOCTYPE HTML PUBLIC "x">\n<html><head>\n<title>404 Not Found</title>\n</head><body>\n<h1>Not Found</h1>\n<p>${prose}</p>\n</body></html>\n`

const partsThatDiffer = (one, other) => differencesOf({ ...ANSWER, ...one }, { ...ANSWER, ...other }).map(([part]) => part)

function oracle(...args) {
  return spawnSync(
    process.execPath,
    [...process.execArgv, join(import.meta.dirname, 'oracle-htaccess/oracle-htaccess.mjs'), ...args],
    {
      encoding: 'utf8',
    },
  )
}

t.test('a site with an .htaccess file answers alike on both servers', { skip: reasonNotToCompare() ?? false }, async (t) => {
  const { stdout, stderr, status } = oracle('--options', 'Indexes FollowSymLinks MultiViews', EXAMPLE)
  t.equal(stdout, 'example: 12 requests, 0 differ\n12 passed, 0 failed\n', stderr)
  t.equal(status, 0)
})

t.test('requests are read with their header fields, and what is neither is refused by its place', async (t) => {
  const [first, second] = readRequests('# first\nGET /a?b\n  Accept: x\n\n\tX-Y: a:b\nPOST /c\n', 'f')
  t.match(first, { method: 'GET', target: '/a?b', line: 2 })
  t.strictSame(first.fields, [
    ['Accept', 'x'],
    ['X-Y', 'a:b'],
  ])
  t.match(second, { method: 'POST', target: '/c', fields: [], line: 6 })
  t.throws(() => readRequests('GET /a\nAccept: x\n', 'f'), { message: /^f:2: neither/ })
  t.throws(() => readRequests('  Accept: x\n', 'f'), { message: /^f:1: neither/ })
})

t.test('a folder that is no site is refused', async (t) => {
  t.throws(() => readSite(import.meta.dirname), { message: /has no folder "site"/ })
  t.throws(() => readOptions([]), { message: 'no folder given' })
})

t.test('every part of an answer counts', async (t) => {
  t.strictSame(partsThatDiffer({}, {}), [])
  t.strictSame(partsThatDiffer({}, { line: 'HTTP/1.1 403 Forbidden' }), ['status'])
  t.strictSame(partsThatDiffer({}, { body: 'texts' }), ['body'])
  t.strictSame(partsThatDiffer({}, { error: ['[core:error] x'] }), ['error log'])
  t.strictSame(partsThatDiffer({}, { fields: [] }), ['field ETag', 'order of the header fields'])
  const pair = [
    ['A', '1'],
    ['B', '2'],
  ]
  t.strictSame(partsThatDiffer({ fields: pair }, { fields: [...pair].reverse() }), ['order of the header fields'])
})

t.test('of a built-in page the wording does not count, and httpd may forget the end of a tag', async (t) => {
  const missing = { line: 'HTTP/1.1 404 Not Found' }
  const page = (prose) => ({ ...missing, fields: [['Content-Length', String(prose.length)]], body: PAGE(prose) })
  t.strictSame(partsThatDiffer(page('ours'), page('another')), [])
  const tag = (value) => ({ fields: [['ETag', value]] })
  t.strictSame(partsThatDiffer(tag('"1;2a'), tag('"1;2a"')), [])
  t.strictSame(partsThatDiffer(tag('"1;2a;3'), tag('"1;2a;3b"')), [])
  t.strictSame(partsThatDiffer(tag('"1'), tag('"1"')), ['field ETag'])
  t.strictSame(partsThatDiffer(tag('"1;2a'), tag('"1;2b"')), ['field ETag'])
})
