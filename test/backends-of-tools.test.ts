import { createServer } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { freePort } from './fixtures/free-port.ts'
import { gatewright } from './fixtures/gatewright.ts'
import { MODULES } from './fixtures/staged-server.ts'

t.test('explain, lint and prove decide about requests for a backend, and send it nothing', async (t) => {
  const port = await freePort()
  let connections = 0
  const backend = createServer((socket) => {
    connections++
    socket.destroy()
  })
  await new Promise<void>((resolve) => backend.listen(port, '127.0.0.1', resolve))
  t.teardown(() => backend.close())
  const module = (name: string): string => `LoadModule ${name}_module ${join(MODULES, `mod_${name}.mjs`)}\n`
  const site = (rule: string): string =>
    `${['authz_core', 'authz_host', 'proxy', 'proxy_http', 'proxy_fcgi'].map(module).join('')}` +
    `Listen 127.0.0.1:8080\nServerName one\n` +
    `<Location /app>\nRequire ${rule}\n</Location>\nProxyPass /app http://127.0.0.1:${port}/app\n` +
    `ProxyPass /script fcgi://127.0.0.1:${port}/script\n<Location /script>\nRequire all granted\n</Location>\n`
  const root = t.testdir({ logs: {}, 'old.conf': site('all granted'), 'new.conf': site('ip 192.0.2.1') })
  const [old, now] = ['old.conf', 'new.conf'].map((name) => join(root, name))
  for (const path of ['/app/x', '/script/x']) {
    t.match(await gatewright(['explain', '-d', root, '-f', old, path]), { status: 0, stdout: /: 200 OK\n[\s\S]*granted/ }, path)
  }
  t.match(await gatewright(['explain', '-d', root, '-f', now, '--from', '192.0.2.9', '/app/x']), { stdout: /403/ })
  t.match(await gatewright(['lint', '-d', root, old]), { stderr: 'nothing found\n' })
  t.match(await gatewright(['prove', old, now]), { status: 1, stdout: /before: 200[\s\S]*after: {2}403/ })
  t.equal(connections, 0)
})
