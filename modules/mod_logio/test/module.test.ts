import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AnyModule } from '@gatewright/api'
import { trafficOf } from '@gatewright/api/peers'
import { altered, rawExchange, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import logConfig from '../../mod_log_config/src/index.ts'
import logio from '../src/index.ts'

async function serving(t: Test, config: string, module: AnyModule = logio): Promise<TestServer> {
  const modules = [authzCore, logConfig, module]
  const server = await site({ modules, config, files: { 'docs/f.txt': 'hello\n', 'docs/g.txt': 'hello\n' } })
  t.teardown(() => server.close())
  return server
}

/** Lines of the access log. */
function lines(server: TestServer): string[] {
  server.worker.flushLogs()
  return readFileSync(join(server.serverRoot, 'logs/access_log'), 'latin1').trimEnd().split('\n')
}

t.test('LogIOTrackTTFB is allowed anywhere', async (t) => {
  t.same(Object.keys(logio.directives ?? {}), ['LogIOTrackTTFB'])
  const context = ['server', 'virtualhost', 'directory', 'htaccess']
  t.match(logio.directives?.LogIOTrackTTFB, { kind: 'flag', scope: 'directory', override: 'All', context })
})

t.test('%I, %O and %S are the bytes received, sent, and both', async (t) => {
  const server = await serving(t, 'CustomLog logs/access_log "%I %O %S"')
  const request = 'GET /f.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
  const response = await rawExchange(await server.listen(), request)
  t.match(response, /^HTTP\/1\.1 200 OK\r\n/)
  t.same(lines(server), [`${request.length} ${response.length} ${request.length + response.length}`])
})

t.test('without a counter the items are empty', async (t) => {
  const module: typeof logio = {
    ...logio,
    register(host) {
      const functions = altered(host.functions, {
        get: (key) => (key.name === trafficOf.name ? undefined : host.functions.get(key)),
      })
      return logio.register?.(altered(host, { functions }))
    },
  }
  const server = await serving(t, 'CustomLog logs/access_log "%I %O %S"', module)
  await server.inject('/f.txt')
  t.same(lines(server), ['- - -'])
})

t.test('%^FB is a time only if tracking is on, and not for error pages', async (t) => {
  const tracked = '<Location /f.txt>\nLogIOTrackTTFB On\n</Location>\n<Location /none>\nLogIOTrackTTFB On\n</Location>'
  const server = await serving(t, `CustomLog logs/access_log "%U %^FB"\n${tracked}`)
  for (const target of ['/g.txt', '/f.txt', '/none']) await server.inject(target)
  t.match(lines(server), ['/g.txt -', /^\/f\.txt \d+$/, '/none -'])
})

t.test('a server without mod_log_config starts', async (t) => {
  const server = await site({ modules: [authzCore, logio], files: { 'docs/f.txt': 'x' } })
  t.teardown(() => server.close())
  t.equal((await server.inject('/f.txt')).status, 200)
})
