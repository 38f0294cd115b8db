import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { freePort } from './fixtures/free-port.ts'
import { ADVISORIES as FORMER } from './proxy-advisories/advisories.ts'
import type { Advisory, Ports, Seen } from './proxy-advisories/advisory.ts'
import { LATER_ADVISORIES } from './proxy-advisories/later-advisories.ts'
import { RecordingBackend } from './proxy-advisories/recorder.ts'
import { GATEWRIGHT, HTTPD, type Kind, ProxyServer } from './smuggling-pairs/proxy-server.ts'
import { exchange } from './smuggling-pairs/raw-client.ts'

const folder = mkdtempSync(join(tmpdir(), 'proxy-advisories-'))
chmodSync(folder, 0o755)
t.teardown(() => rmSync(folder, { recursive: true, force: true }))

const ADVISORIES: readonly Advisory[] = [...FORMER, ...LATER_ADVISORIES]
const MODULES = ['proxy_ajp', 'proxy_fcgi', 'proxy_uwsgi', 'slotmem_shm', 'proxy_balancer', 'lbmethod_byrequests']

const nameOf = (id: string): string => id.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/** A server with a virtual host for each advisory. */
function hosts(ports: Ports, kind: Kind): readonly string[] {
  const [folder, ending] =
    kind === HTTPD ? ['/usr/lib/apache2/modules', 'so'] : [join(import.meta.dirname, '../dist/modules'), 'mjs']
  const modules = MODULES.map((name) => `LoadModule ${name}_module ${folder}/mod_${name}.${ending}`)
  const named = ADVISORIES.flatMap(({ id, lines }) => [
    '<VirtualHost *>',
    `ServerName ${nameOf(id)}`,
    ...lines(ports).map((line) => line.replaceAll('HOST', nameOf(id))),
    '</VirtualHost>',
  ])
  return [...modules, ...named]
}

async function checkAll(t: Test, kind: Kind): Promise<void> {
  const backend = await RecordingBackend.start(await freePort())
  const secret = await RecordingBackend.start(await freePort())
  const ports: Ports = { backend: backend.port, secret: secret.port }
  t.teardown(() => {
    backend.stop()
    secret.stop()
  })
  const server = await ProxyServer.start(kind, folder, await freePort(), hosts(ports, kind))
  t.teardown(() => server.stop())
  for (const advisory of ADVISORIES) {
    backend.reset()
    secret.reset()
    const { answering } = advisory
    if (answering !== undefined) backend.answering = (head) => answering(head).replaceAll('SECRET', String(secret.port))
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

t.test('docs/proxy-security.md has a row for each advisory', async (t) => {
  const page = readFileSync(join(import.meta.dirname, '../docs/proxy-security.md'), 'utf8')
  for (const { id, about } of ADVISORIES) {
    const row = page.split('\n').find((line) => line.startsWith(`| ${id} `))
    t.equal(row?.split('|')[2].trim(), about, id)
  }
})
