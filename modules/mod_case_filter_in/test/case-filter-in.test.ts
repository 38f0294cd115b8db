import { site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import reflector from '../../mod_reflector/src/index.ts'
import caseFilterIn from '../src/index.ts'

t.test('request bodies are read in capitals', async (t) => {
  const config = 'CaseFilterIn On\nSetHandler reflector'
  const server = await site({ modules: [authzCore, reflector, caseFilterIn], config })
  t.teardown(() => server.close())
  t.equal((await server.inject({ method: 'POST', target: '/', body: 'abc' })).body, 'ABC')
})
