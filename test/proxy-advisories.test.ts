import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { freePort } from './fixtures/free-port.ts'
import { ADVISORIES, type Ports, type Seen } from './proxy-advisories/advisories.ts'
import { RecordingBackend } from './proxy-advisories/recorder.ts'
import { GATEWRIGHT, HTTPD, type Kind, ProxyServer } from './smuggling-pairs/proxy-server.ts'
import { exchange } from './smuggling-pairs/raw-client.ts'

const folder = mkdtempSync(join(tmpdir(), 'proxy-advisories-'))
chmodSync(folder, 0o755)
t.teardown(() => rmSync(folder, { recursive: true, force: true }))

const nameOf = (id: string): string => id.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/** A server with a virtual host for each advisory. */
function hosts(ports: Ports): readonly string[] {
  return ADVISORIES.flatMap(({ id, lines }) => ['<VirtualHost *>', `ServerName ${nameOf(id)}`, ...lines(ports), '</VirtualHost>'])
}

async function checkAll(t: Test, kind: Kind): Promise<void> {
  const backend = await RecordingBackend.start(await freePort())
  const secret = await RecordingBackend.start(await freePort())
  const ports: Ports = { backend: backend.port, secret: secret.port }
  const server = await ProxyServer.start(kind, folder, await freePort(), hosts(ports))
  t.teardown(async () => {
    await server.stop()
    backend.stop()
    secret.stop()
  })
  for (const advisory of ADVISORIES) {
    backend.reset()
    secret.reset()
    if (advisory.answering !== undefined) backend.answering = advisory.answering
    const answer = await exchange(server.port, advisory.request(ports).replaceAll('HOST', nameOf(advisory.id)))
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)
    const seen: Seen = { answer, status, backend: backend.received.join(''), secret: secret.received.join('') }
    t.equal(advisory.fault(seen), null, `${advisory.id}: ${advisory.about}`)
  }
}

t.test('no published weakness of proxies shows', (t) => checkAll(t, GATEWRIGHT))

const withoutHttpd = spawnSync('apache2', ['-v']).status === 0 ? false : 'apache2 is not installed'
t.test('the same requests show none in httpd either', { skip: withoutHttpd }, (t) => checkAll(t, HTTPD))

t.test('an advisory is listed once', async (t) => {
  t.equal(new Set(ADVISORIES.map(({ id }) => id)).size, ADVISORIES.length)
})
