import { configError } from '@gatewright/testing'
import t from 'tap'
import suexec from '../src/index.ts'

t.test('SuexecUserGroup is refused with the reason and what to do', async (t) => {
  const error = await configError({ modules: [suexec], config: 'SuexecUserGroup www-data www-data' })
  t.match(error, /^SuexecUserGroup configured, but suEXEC is disabled: .* FastCGI/)
})
