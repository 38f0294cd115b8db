import { site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import slotmemPlain from '../src/index.ts'

t.test('a configuration that loads the module is served', async (t) => {
  const server = await site({
    modules: [authzCore, slotmemPlain],
    config: '<IfModule !mod_slotmem_plain.c>\nNoSuchDirective\n</IfModule>',
    files: { 'docs/f.txt': 'f' },
  })
  t.teardown(() => server.close())
  t.equal((await server.inject('/f.txt')).body, 'f')
})
