import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { gatewright } from './fixtures/gatewright.ts'

const CONF = '# top\nServerRoot "@"\nInclude more/*.conf\n<IfModule mod_none.c>\n\tOptions None # \u00e9\n</IfModule>\n'

t.test('a configuration with its includes is restored byte for byte, wherever it is written', async (t) => {
  const root = t.testdir({
    conf: {},
    more: { 'a.conf': 'Define A 1\r\n', 'b.conf': '<Directory /x>\n  AllowOverride None\n</Directory>' },
  })
  const file = join(root, 'conf/httpd.conf')
  writeFileSync(file, CONF.replace('@', root), 'latin1')
  const { status, stdout, stderr } = await gatewright(['config', '--json', '-d', root])
  t.equal(status, 0, stderr)
  const data: { readonly files: readonly { readonly path: string; readonly encoding: string }[] } = JSON.parse(
    Buffer.from(stdout, 'latin1').toString(),
  )
  t.strictSame(
    data.files.map(({ path, encoding }) => [path, encoding]),
    [
      [file, 'latin1'],
      [join(root, 'more/a.conf'), 'utf8'],
      [join(root, 'more/b.conf'), 'utf8'],
    ],
  )
  const out = join(root, 'out')
  t.match(await gatewright(['config', '--text', '--output', out], stdout), { status: 0, stderr: '' })
  for (const { path } of data.files) t.strictSame(readFileSync(join(out, path)), readFileSync(path))
  t.match(await gatewright(['config', '--text'], stdout), { status: 2, stderr: /3 files: add --output DIR or --in-place/ })
})

t.test('a file that a tool has changed is written in place, and the old one is kept', async (t) => {
  const file = join(t.testdir({ 'a.conf': '<Directory /a>\n    Options None\n</Directory>\n' }), 'a.conf')
  const { stdout } = await gatewright(['config', '--json', file])
  const data = JSON.parse(stdout)
  data.files[0].items[0].items.push({ kind: 'directive', name: 'Require', words: ['user', 'a b'] })
  t.match(await gatewright(['config', '--text', '--in-place'], JSON.stringify(data)), { status: 0, stderr: '' })
  t.equal(readFileSync(file, 'latin1'), '<Directory /a>\n    Options None\n    Require user "a b"\n</Directory>\n')
  t.equal(readFileSync(`${file}~`, 'latin1'), '<Directory /a>\n    Options None\n</Directory>\n')
})

t.test('data that is no configuration is refused with the place in it, and nothing is written', async (t) => {
  for (const [data, complaint] of [
    ['{', /not JSON/],
    ['{}', /an object with "files"/],
    ['{"files":[{"path":"a","encoding":"utf8","items":[{"kind":"odd"}]}]}', /files\[0\]\.items\[0\]\.kind must be blank/],
    ['{"files":[{"path":"a","encoding":"utf8","items":[{"kind":"directive"}]}]}', /files\[0\]\.items\[0\] has no "name"/],
    ['{"files":[{"path":"a","encoding":"x","items":[]}]}', /encoding is neither/],
  ] as const)
    t.match(await gatewright(['config', '--text'], data), { status: 1, stdout: '', stderr: complaint })
  t.match(await gatewright(['config', '--json', '/none/at/all']), { status: 1, stderr: /ENOENT/ })
  t.match(await gatewright(['config']), { status: 2, stderr: /give either --json or --text/ })
})
