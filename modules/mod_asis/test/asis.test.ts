import { site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import asis from '../src/index.ts'

async function asIs(t: Test, files: Readonly<Record<string, string>>): Promise<TestServer> {
  const documents = Object.entries(files).map(([name, text]) => [`docs/${name}`, text])
  const config = '<FilesMatch "\\.asis$">\nSetHandler send-as-is\n</FilesMatch>'
  const server = await site({ modules: [authzCore, asis], config, files: Object.fromEntries(documents) })
  t.teardown(() => server.close())
  return server
}

t.test('a file sends its own fields, status and body', async (t) => {
  const server = await asIs(t, {
    'a.asis': 'Status: 404 Mine\r\nContent-Type: text/x-own\r\nX-Own: 1\r\n\r\nbody\r\n',
    'b.asis': '\nonly body\n',
    'c.asis': 'Location: /t.txt\n\n',
    't.txt': 'target\n',
  })
  const own = await server.inject('/a.asis')
  t.match(own, { status: 404, body: 'body\r\n' })
  t.equal(own.header('x-own'), '1')
  t.equal(own.header('content-type'), 'text/x-own')
  t.match(await server.inject('/b.asis'), { status: 200, body: 'only body\n' })
  t.match(await server.inject('/c.asis'), { status: 200, body: 'target\n' })
  t.match(await server.inject({ target: '/a.asis', method: 'HEAD' }), { status: 404, body: '' })
  t.match((await server.inject({ target: '/a.asis', method: 'POST', body: 'x' })).body, /^Status: 404/, 'another method')
  t.equal((await server.inject('/none.asis')).status, 404)
})

t.test('files without a head have no body, and a line in the log', async (t) => {
  const server = await asIs(t, { 'empty.asis': '', 'open.asis': 'Content-Type: text/x-open\n', 'bad.asis': 'no field\n\nx\n' })
  t.match(await server.inject('/empty.asis'), { status: 200, body: '' })
  t.equal((await server.inject('/open.asis')).header('content-type'), 'text/x-open')
  t.match(await server.inject('/bad.asis'), { status: 200, body: '' })
  const log = server.errors().join('\n')
  t.match(log, 'End of script output before headers: empty.asis')
  t.match(log, 'Premature end of script headers: open.asis')
  t.match(log, "malformed header from script 'bad.asis': Bad header:")
})

t.test('a long file arrives whole', async (t) => {
  const long = 'x'.repeat(3_000_000)
  const server = await asIs(t, { 'long.asis': `Content-Type: text/plain\n\n${long}` })
  t.ok((await server.inject('/long.asis')).body === long)
})
