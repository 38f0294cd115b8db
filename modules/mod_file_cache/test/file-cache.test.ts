import { site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import fileCache from '../src/index.ts'

t.test('listed files are served as others are', async (t) => {
  const config = 'CacheFile docs/f.txt docs\nMMapFile docs/none.txt'
  const server = await site({ modules: [authzCore, fileCache], config, files: { 'docs/f.txt': 'text' } })
  t.teardown(() => server.close())
  t.equal((await server.inject('/f.txt')).body, 'text')
  t.equal((await server.inject('/none.txt')).status, 404)
})
