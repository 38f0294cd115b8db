import { site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import mime from '../../mod_mime/src/index.ts'
import data from '../src/index.ts'

t.test('a response becomes a data URL of its type', async (t) => {
  const large = 'x'.repeat(200_000)
  const server = await site({
    modules: [authzCore, mime, data],
    config: 'TypesConfig /dev/null\nAddType text/css .css\nAddCharset utf-8 .u\nSetOutputFilter DATA',
    files: { 'docs/f.css': 'a{}', 'docs/f.css.u': 'b', 'docs/none': '', 'docs/large': large },
  })
  t.teardown(() => server.close())
  t.equal((await server.inject('/f.css')).body, 'data:text/css;base64,YXt9')
  t.equal((await server.inject('/f.css.u')).body, 'data:text/css;charset=utf-8;base64,Yg==')
  t.equal((await server.inject('/none')).body, 'data:;base64,')
  t.equal((await server.inject('/large')).body, `data:;base64,${Buffer.from(large).toString('base64')}`)
  t.equal((await server.inject('/f.css')).header('Content-Type'), 'text/plain')
})
