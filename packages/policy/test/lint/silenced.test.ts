import t from 'tap'
import { lint } from '../../src/index.ts'
import { openSite } from '../support/lint-site.ts'

const CONFIG = '<Directory "@DOCS@">\nAllowOverride All\nRequire all granted\n</Directory>'
const shut = (comment: string): string => `Order deny,allow\n${comment}\nDeny from all\nSatisfy any\n`

t.test('a comment above the line silences the rules that it names', async (t) => {
  const comment = '# gatewright-ignore GW002, GW001 it is a joke'
  const { server } = await openSite(t, { config: CONFIG, docs: { 'shut/.htaccess': shut(comment) } })
  t.strictSame(await lint(server), [])
})

t.test('it silences no other rule, and no line below the next', async (t) => {
  const docs = { 'a/.htaccess': shut('# gatewright-ignore GW002'), 'b/.htaccess': `# gatewright-ignore GW001\n${shut('')}` }
  const { server } = await openSite(t, { config: CONFIG, docs })
  t.match(await lint(server), [{ rule: 'GW001' }, { rule: 'GW001' }])
})
