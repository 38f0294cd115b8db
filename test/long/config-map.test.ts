import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { StagedServer } from '../fixtures/staged-server.ts'
import { until } from '../fixtures/until.ts'
import type { Mix } from '../load/habits.ts'
import { ServerUnderLoad } from '../load/server-under-load.ts'

const WATCHER = join(import.meta.dirname, '../../conf/kubernetes/reload-in-place/watch-site.sh')
const HTTPD = join(import.meta.dirname, '../../dist/bin/httpd')
const MIX: Mix = { closing: 2, busy: 2, pausing: 2, pipelining: 1, waiting: 1 }

/** A folder as the kubelet makes it of a ConfigMap: files are links through `..data`, a link that is exchanged at one stroke. */
class ConfigMapFolder {
  readonly #server: StagedServer
  #version = 0

  constructor(server: StagedServer, text: string) {
    this.#server = server
    mkdirSync(server.path('conf/site'))
    this.put(text)
    symlinkSync('..data/site.conf', server.path('conf/site/site.conf'))
  }

  put(text: string): void {
    const path = (name: string): string => this.#server.path(`conf/site/${name}`)
    const former = this.#version === 0 ? null : readlinkSync(path('..data'))
    const name = `..2026_11_21_${++this.#version}`
    this.#server.file(`conf/site/${name}/site.conf`, text)
    symlinkSync(name, path('..data_tmp'))
    renameSync(path('..data_tmp'), path('..data'))
    if (former !== null) rmSync(path(former), { recursive: true })
  }
}

/** A watched container and its output. */
function watch(t: Test, server: StagedServer): { readonly said: () => string } {
  const program = server.file('bin/httpd', `#!/bin/sh\nexec "${HTTPD}" -d "${server.root}" "$@"\n`)
  chmodSync(program, 0o755)
  const { NODE_OPTIONS: _, ...env } = process.env
  const child: ChildProcess = spawn('sh', [WATCHER, server.root, '0.1'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  t.teardown(() => child.kill())
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += text))
  return { said: () => said }
}

t.test('a ConfigMap that changes is loaded once, no request is lost, and one that is refused changes nothing', async (t) => {
  let folder: ConfigMapFolder | undefined
  const site = await ServerUnderLoad.start(t, {
    workers: 1,
    mix: MIX,
    lines: ['IncludeOptional conf/site/*.conf'],
    prepare: (server) => {
      folder = new ConfigMapFolder(server, 'ServerAdmin one@example.org\n')
    },
  })
  const { said } = watch(t, site.server)
  await site.load.answers(100)
  t.equal(site.generations(), 1, 'nothing has changed yet')

  folder?.put('ErrorDocument 404 "the second"\n')
  await until('it is loaded', () => said() === 'watch-site: ..2026_11_21_2 serves\n')
  t.match(await site.server.get('/missing'), { status: 404, body: 'the second' })
  await site.load.answers(100)
  t.equal(site.generations(), 2, 'once')

  folder?.put('NoSuchDirective on\n')
  await until('it is refused', () => said().includes("Invalid command 'NoSuchDirective'"))
  t.match(await site.server.get('/missing'), { status: 404, body: 'the second' })
  t.equal(site.generations(), 2)

  folder?.put('ErrorDocument 404 "the fourth"\n')
  await until('the next is loaded', () => said().endsWith('watch-site: ..2026_11_21_4 serves\n'))
  t.match(await site.server.get('/missing'), { status: 404, body: 'the fourth' })
  t.strictSame((await site.load.stop()).failures, {})
})
