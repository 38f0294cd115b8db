import { lintFindings, site } from '@gatewright/testing'
import t from 'tap'
import requestRate from '../src/index.ts'

t.test('lint reports rates that do not do what they say', async (t) => {
  const server = await site({ modules: [requestRate], config: '' })
  t.teardown(() => server.close())
  const found = (id: string, ...lines: readonly string[]): readonly string[] =>
    lintFindings(server.configuration.providers.lintRules.get(id), ...lines)

  t.match(found('RATE001', 'RequestRate 1r/s "key=%{HTTP:User-Agent}"', 'RequestRate 1r/s key=client'), [/^1: .*never limited$/])
  t.match(found('RATE002', 'RequestRate 1r/s key=user'), [/^1: .*no AuthType/])
  t.strictSame(found('RATE002', 'AuthType Basic', 'RequestRate 1r/s key=user'), [])
  t.match(found('RATE003', 'RequestRate 1r/s', 'RequestRate 1r/s burst=2 shared=strict', 'RequestRate 1r/s shared'), [
    /^2: without SharedCache .* this server only$/,
    /^3: /,
  ])
  t.strictSame(found('RATE003', 'RequestRate 1r/s name=shared'), [])
})
