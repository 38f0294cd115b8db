import { site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import cernMeta from '../src/index.ts'

t.test('the fields of the file beside a page are those of the page', async (t) => {
  const server = await site({
    modules: [authzCore, cernMeta],
    config: `MetaFiles on
<Directory "@ROOT@/docs/own">
MetaDir headers
MetaSuffix .hdr
</Directory>`,
    files: {
      'docs/a.txt': 'a',
      'docs/.web/a.txt.meta': 'X-A: 1\r\nx-a: 2\nContent-Type: text/x-a  \nStatus: 451 Own\n\nX-After: 1\n',
      'docs/own/b.txt': 'b',
      'docs/own/headers/b.txt.hdr': 'X-B: 1\n',
      'docs/c.txt': 'c',
      'docs/d.txt': 'd',
      'docs/.web/d.txt.meta': 'Status: many\n',
    },
  })
  t.teardown(() => server.close())
  const a = await server.inject('/a.txt')
  t.equal(a.statusLine, 'HTTP/1.1 451 Own')
  t.equal(a.header('x-a'), '2')
  t.equal(a.header('content-type'), 'text/x-a')
  t.equal(a.header('x-after'), undefined)
  t.equal(a.body, 'a')
  t.equal((await server.inject('/own/b.txt')).header('x-b'), '1')
  t.equal((await server.inject('/c.txt')).status, 200)
  t.equal((await server.inject('/d.txt')).status, 200, 'a status without number does not count')
})

t.test('a file of more than 1 MiB is not read', async (t) => {
  const server = await site({
    modules: [authzCore, cernMeta],
    config: 'MetaFiles on',
    files: { 'docs/a.txt': 'a', 'docs/.web/a.txt.meta': `X-A: 1\n${'\n'.repeat(1024 * 1024)}` },
  })
  t.teardown(() => server.close())
  t.equal((await server.inject('/a.txt')).status, 500)
  t.match(server.errors().join('\n'), /a\.txt\.meta is larger than 1048576 bytes, the limit of a meta file/)
})

t.test('files that would break the response are refused', async (t) => {
  const names = ['none', 'Content-Length: 1', 'transfer-encoding: chunked', 'Keep-Alive: 1', `X: ${'y'.repeat(9000)}`]
  const files = names.flatMap((text, index) => [
    [`docs/f${index}`, 'f'],
    [`docs/.web/f${index}.meta`, `${text}\n`],
  ])
  const server = await site({ modules: [authzCore, cernMeta], config: 'MetaFiles on', files: Object.fromEntries(files) })
  t.teardown(() => server.close())
  for (const [index, text] of names.entries()) t.equal((await server.inject(`/f${index}`)).status, 500, text.slice(0, 30))
  const log = server.errors().join('\n')
  t.match(log, 'AH01560: malformed header in meta file: ')
  t.match(log, "AH10596: forbidden HTTP framing header 'transfer-encoding' in meta file: ")
})
