import { processOwner } from '@gatewright/api'
import t from 'tap'
import { Bench } from '../../mod_env/test/fakes/bench.ts'
import unixd from '../src/index.ts'

t.test('all directives belong to the main server', async (t) => {
  t.same(Object.keys(unixd.directives ?? {}), ['User', 'Group', 'ChrootDir', 'Suexec'])
  for (const spec of Object.values(unixd.directives ?? {})) t.match(spec, { scope: 'server', context: ['server'] })
  t.equal(unixd.directives?.Suexec.kind, 'flag')
  t.equal(unixd.directives?.User.kind, 'take1')
})

t.test('the host is told who the workers become', async (t) => {
  const bench = new Bench(unixd)
  bench.hook('preConfig')(bench.start())
  t.same(bench.functions.get(processOwner)?.(), { user: '#-1', group: '#-1' })
  bench.main('User www-data', 'Group #33', 'Suexec Off')
  t.same(bench.functions.get(processOwner)?.(), { user: 'www-data', group: '#33' })
  t.equal(bench.serverConfig().suexec, false)
})

t.test('ChrootDir is refused: who asks to be confined is not served unconfined', async (t) => {
  t.match(new Bench(unixd).main('ChrootDir /'), /^ChrootDir is not supported: /)
  t.equal(new Bench(unixd).main('ChrootDir /no/such/folder'), 'ChrootDir must be a valid directory')
})
