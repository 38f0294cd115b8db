import { site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import dialup from '../src/index.ts'
import { MODEMS } from '../src/modems.ts'

t.test('rates are those of the standards', (t) => {
  t.same([...MODEMS.values()], [12, 307, 1228, 3686, 7168])
  t.end()
})

t.test('a file arrives whole, and other standards are refused', async (t) => {
  const config = '<Location "/m">\nModemStandard V.92\n</Location>'
  const server = await site({ modules: [authzCore, dialup], config, files: { 'docs/m/f.txt': 'slow\n' } })
  t.teardown(() => server.close())
  t.match(await server.inject('/m/f.txt'), { status: 200, body: 'slow\n' })
  const wrong = '<Location "/m">\nModemStandard V.99\n</Location>'
  await t.rejects(site({ modules: [authzCore, dialup], config: wrong }), {
    message: /mod_dialup: Unknown Modem Standard specified\./,
  })
})
