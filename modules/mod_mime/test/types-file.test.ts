import type { ModuleLog } from '@gatewright/api'
import { altered, servedRequest, site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
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
  const request = await servedRequest('/a.x', {
    modules: [authzCore, mime],
    config: 'TypesConfig conf/main.types\n<VirtualHost *:8080>\nTypesConfig conf/none.types\n</VirtualHost>',
    files: { 'conf/main.types': 'text/from-file x\n', 'docs/a.x': 'x' },
  })
  t.equal(request.contentType, 'text/from-file')
})

t.test("a missing types file stops the start with httpd's message", async (t) => {
  const written: string[] = []
  const write: ModuleLog['write'] = (_subject, level, code, text) => void written.push(`${level} ${code}: ${text}`)
  const module: typeof mime = {
    ...mime,
    register: (host) => mime.register?.(altered(host, { log: altered(host.log, { write }) })),
  }
  const started = site({ modules: [module], config: 'TypesConfig /no/such/mime.types' })
  t.match(await started.catch((error: unknown) => error), { message: /^AH00016: / })
  t.same(written, ['error AH01597: could not open mime types config file /no/such/mime.types.'])
})
