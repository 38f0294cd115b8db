import { site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import dir from '../src/index.ts'

t.test('FallbackResource replaces a missing index file only if it applies to that file', async (t) => {
  const server = await site({
    modules: [authzCore, dir],
    config:
      '<If "%{REQUEST_URI} !~ /index/">\nFallbackResource /front.txt\n</If>\n<Location /a/index.html>\nFallbackResource /front.txt\n</Location>',
    files: { 'docs/front.txt': 'front', 'docs/a/x.txt': 'x', 'docs/b/x.txt': 'x' },
  })
  t.teardown(() => server.close())
  t.equal((await server.inject('/none')).body, 'front')
  t.equal((await server.inject('/a/')).body, 'front')
  t.equal((await server.inject('/b/index.html')).status, 404)
  t.not((await server.inject('/b/')).status, 200)
})
