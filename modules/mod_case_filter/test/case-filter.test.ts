import { site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import caseFilter from '../src/index.ts'

t.test('responses of a server are sent in capitals', async (t) => {
  const config = 'CaseFilter On'
  const server = await site({ modules: [authzCore, caseFilter], config, files: { 'docs/f.txt': 'abz{`A1' } })
  t.teardown(() => server.close())
  t.equal((await server.inject('/f.txt')).body, 'ABZ{`A1')
})

t.test('nothing is changed without the directive', async (t) => {
  const server = await site({ modules: [authzCore, caseFilter], files: { 'docs/f.txt': 'abc' } })
  t.teardown(() => server.close())
  t.equal((await server.inject('/f.txt')).body, 'abc')
})
