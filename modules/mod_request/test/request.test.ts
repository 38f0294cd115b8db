import { DECLINED, defineModule } from '@gatewright/api'
import { site } from '@gatewright/testing'
import t from 'tap'
import alias from '../../mod_alias/src/index.ts'
import authzCore from '../../mod_authz_core/src/index.ts'
import cgid from '../../mod_cgid/src/index.ts'
import include from '../../mod_include/src/index.ts'
import request from '../src/index.ts'

const config = '<Location "/kept">\nKeptBodySize 10\n</Location>\n<Location "/kept/off">\nKeptBodySize 0\n</Location>'
const files = { 'docs/kept/f.txt': 'text', 'docs/kept/off/f.txt': 'text', 'docs/f.txt': 'text' }

t.test('a body that is longer than KeptBodySize is refused', async (t) => {
  const server = await site({
    modules: [authzCore, request],
    config: `<Location />\nRequire all granted\n</Location>\n${config}`,
    files,
  })
  t.teardown(() => server.close())
  const post = async (target: string, length: number): Promise<number> =>
    (await server.inject({ method: 'POST', target, body: 'x'.repeat(length) })).status
  t.equal(await post('/kept/f.txt', 10), 200)
  t.equal(await post('/kept/f.txt', 11), 413)
  t.match(server.errors().join('\n'), 'AH01412: Requested content-length of 11 is larger than the configured limit of 10')
  t.equal(await post('/kept/off/f.txt', 11), 200, 'zero keeps nothing')
  t.equal(await post('/f.txt', 11), 200, 'without the directive there is no limit')
})

t.test('a size that is none is refused', async (t) => {
  for (const word of ['a', '-1', '1k', '99999999999999999999']) {
    const starting = site({ modules: [authzCore, request], config: `<Location "/">\nKeptBodySize ${word}\n</Location>` })
    await t.rejects(starting, /KeptBodySize must be a valid size in bytes, or zero\./, word)
  }
})

const echo = defineModule({
  name: 'echo_body_module',
  source: 'mod_echo_body.c',
  register({ hooks }) {
    hooks.handler.add(async (request) => {
      if (request.handler !== 'echo-body') return DECLINED
      const pieces: Uint8Array[] = []
      for await (const piece of request.readBody()) pieces.push(Buffer.from(piece))
      return request.send('text/plain', `${request.method} ${Buffer.concat(pieces).toString('latin1')}`)
    })
  },
})

t.test('what a page includes gets the body that was sent to the page', async (t) => {
  const config = `Options Includes\nSetOutputFilter INCLUDES\n<Location "/echo">\nSetHandler echo-body\nSetOutputFilter none
</Location>\n<Location "/page.shtml">\nKeptBodySize 10\n</Location>`
  const page = '<!--#include virtual="/echo" -->, <!--#include virtual="/echo" -->'
  const server = await site({
    modules: [authzCore, include, request, echo],
    config: `<Directory />\n${config.replace('<Location', '</Directory>\n<Location')}`,
    files: { 'docs/page.shtml': page, 'docs/other.shtml': page },
  })
  t.teardown(() => server.close())
  const post = (target: string) => server.inject({ method: 'POST', target, body: 'a=b' })
  t.equal((await post('/page.shtml')).body, 'POST a=b, POST a=b')
  t.equal((await post('/other.shtml')).body, 'GET , GET ')
})

t.test('a script that a page includes reads the body that was sent to the page', async (t) => {
  const config = `Options Includes\nSetOutputFilter INCLUDES\n</Directory>\n<Directory "@ROOT@/cgi">\nSetOutputFilter none\n</Directory>
ScriptAlias /cgi/ "@ROOT@/cgi/"\n<Location "/page.shtml">\nKeptBodySize 10\n</Location>`
  const text = '#!/bin/sh\nprintf "Content-Type: text/plain\\n\\n$REQUEST_METHOD $CONTENT_LENGTH "; cat'
  const server = await site({
    modules: [authzCore, alias, include, request, cgid],
    config: `<Directory />\n${config}`,
    files: { 'docs/page.shtml': '(<!--#include virtual="/cgi/read" -->)', 'cgi/read': { text, mode: 0o755 } },
  })
  t.teardown(() => server.close())
  t.equal((await server.inject({ method: 'POST', target: '/page.shtml', body: 'a=b' })).body, '(POST 3 a=b)')
})
