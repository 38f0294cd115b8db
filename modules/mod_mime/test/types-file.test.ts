import { mkdirSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { Bench } from '../../mod_env/test/fakes/bench.ts'
import { fakeFile, fakeRequest } from '../../mod_env/test/fakes/request.ts'
import mime from '../src/index.ts'
import { parseTypes } from '../src/types-file.ts'

t.test('a line of a types file contains a type and its extensions', async (t) => {
  const types = parseTypes(
    '# c\ntext/html html htm\n\n  text/plain  txt ASC\nimage/gif .dotted\napplication/x-none\ntext/new txt\n',
  )
  const texts = [...types].map(([extension, { text }]) => [extension, text])
  t.same(texts, [
    ['html', 'text/html'],
    ['htm', 'text/html'],
    ['txt', 'text/new'],
    ['asc', 'text/plain'],
    ['.dotted', 'image/gif'],
  ])
})

t.test("the main server's file is read at start", async (t) => {
  const folder = t.testdir({ 'mime.types': 'text/from-file x\n' })
  mkdirSync(`${folder}/sub`)
  writeFileSync(`${folder}/sub/host.types`, 'text/host x\n')
  const bench = new Bench(mime)
  bench.main(`TypesConfig ${folder}/mime.types`)
  bench.virtualHost(`TypesConfig ${folder}/sub/none.types`)
  t.equal(bench.hook('postConfig')(bench.start()), undefined)
  const request = fakeRequest({ filename: '/srv/a.x', fileInfo: fakeFile() })
  bench.hook('typeChecker')(request)
  t.equal(request.contentType, 'text/from-file')
})

t.test("a missing types file stops the start with httpd's message", async (t) => {
  const bench = new Bench(mime)
  bench.main('TypesConfig /no/such/mime.types')
  t.equal(bench.hook('postConfig')(bench.start()), '')
  t.match(bench.log, [{ level: 'error', code: 'AH01597', text: 'could not open mime types config file /no/such/mime.types.' }])
})
