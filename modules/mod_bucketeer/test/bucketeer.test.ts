import { site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import include from '../../mod_include/src/index.ts'
import mime from '../../mod_mime/src/index.ts'
import bucketeer from '../src/index.ts'

t.test('the marks of parts are not sent, except in other types than text', async (t) => {
  const config = 'TypesConfig /dev/null\nAddType text/plain .txt\nSetOutputFilter BUCKETEER'
  const text = 'a\x02b\x10\x06c'
  const server = await site({ modules: [authzCore, mime, bucketeer], config, files: { 'docs/f.txt': text, 'docs/f': text } })
  t.teardown(() => server.close())
  t.equal((await server.inject('/f.txt')).body, 'abc')
  t.equal((await server.inject('/f')).body, text)
})

t.test('filters of content get the parts, without the marks', async (t) => {
  const config =
    'TypesConfig /dev/null\nAddType text/html .html\n<Directory />\nOptions Includes\nSetOutputFilter INCLUDES;BUCKETEER\n</Directory>'
  const files = { 'docs/f.html': 'a<\x02!--\x10#echo\x06 var="DOCUMENT_N\x02AME" --\x02>b' }
  const server = await site({ modules: [authzCore, mime, include, bucketeer], config, files })
  t.teardown(() => server.close())
  t.equal((await server.inject('/f.html')).body, 'af.htmlb')
})
