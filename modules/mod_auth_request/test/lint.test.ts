import { configError, lintFindings, site } from '@gatewright/testing'
import t from 'tap'
import authRequest from '../src/index.ts'

t.test('lint reports networks that are too large for proxies', async (t) => {
  const server = await site({ modules: [authRequest], config: '' })
  t.teardown(() => server.close())
  const rule = server.configuration.providers.lintRules.get('AUTHREQ002')
  for (const network of ['0.0.0.0/0.0.0.0', '0.0.0.0/1', '128.0.0.0/1', '8.0.0.0/7', '::/1', '2000::/3']) {
    t.match(lintFindings(rule, `AuthRequestTrust ${network}`), [/^1: a large part of all clients/], network)
  }
  for (const network of ['10.0.0.0/8', '10.1', '192.0.2.7', '2001:db8::/32', '::1']) {
    t.strictSame(lintFindings(rule, `AuthRequestTrust ${network}`), [], network)
  }
})

t.test('a network of all clients is refused at the start', async (t) => {
  for (const network of ['0.0.0.0/0', '::/0']) {
    const config = `<Location />\nAuthRequestTrust ${network}\n</Location>`
    t.match(await configError({ modules: [authRequest], config }), /is everybody.*name the proxies$/, network)
  }
})
