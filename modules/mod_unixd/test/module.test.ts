import { processOwner } from '@gatewright/api'
import { configError, observedModule, site } from '@gatewright/testing'
import t from 'tap'
import unixd from '../src/index.ts'

t.test('all directives belong to the main server', async (t) => {
  t.same(Object.keys(unixd.directives ?? {}), ['User', 'Group', 'ChrootDir', 'Suexec'])
  for (const spec of Object.values(unixd.directives ?? {})) t.match(spec, { scope: 'server', context: ['server'] })
  t.equal(unixd.directives?.Suexec.kind, 'flag')
  t.equal(unixd.directives?.User.kind, 'take1')
})

t.test('the host can read the user and group of the workers', async (t) => {
  const plain = observedModule(unixd)
  const one = await site({ modules: [plain.module] })
  t.teardown(() => one.close())
  t.same(plain.host.functions.get(processOwner)?.(), { user: '#-1', group: '#-1' })
  const configured = observedModule(unixd)
  const other = await site({ modules: [configured.module], config: 'User www-data\nGroup #33\nSuexec Off' })
  t.teardown(() => other.close())
  t.same(configured.host.functions.get(processOwner)?.(), { user: 'www-data', group: '#33' })
})

t.test('Suexec On is rejected, because programs would run as another user than the one requested', async (t) => {
  t.match(await configError({ modules: [unixd], config: 'Suexec On' }), /^suEXEC isn't supported: /)
})

t.test('ChrootDir is rejected, because the server would run without the requested confinement', async (t) => {
  t.match(await configError({ modules: [unixd], config: 'ChrootDir /' }), /^ChrootDir is not supported: /)
  t.equal(await configError({ modules: [unixd], config: 'ChrootDir /no/such/folder' }), 'ChrootDir must be a valid directory')
})
