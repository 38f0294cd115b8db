import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { childrenOf, gone } from './fixtures/processes.ts'
import { MODULES, StagedServer } from './fixtures/staged-server.ts'

const PROGRAM = join(import.meta.dirname, '../dist/bin/httpd')
const WORKERS = 3
const REQUESTS = 40

/** Both standard streams of a server, and what it has written to them. */
interface Streams {
  readonly stdio: readonly ['ignore', number | 'pipe', number | 'pipe']
  read(stream: 'stdout' | 'stderr'): string
  /** Takes the pipes of the server, if they are any. */
  attach(child: ChildProcess): void
}

/** Files that only this user may open, as an operator's shell makes them. */
function files(t: Test, server: StagedServer): Streams {
  const [stdout, stderr] = ['out', 'err'].map((name) => openSync(server.file(name, ''), 'a', 0o600))
  for (const name of ['out', 'err']) chmodSync(server.path(name), 0o600)
  t.teardown(() => [stdout, stderr].forEach(closeSync))
  return {
    stdio: ['ignore', stdout, stderr],
    read: (stream) => readFileSync(server.path(stream === 'stdout' ? 'out' : 'err'), 'latin1'),
    attach: () => undefined,
  }
}

/** Pipes, as the programs that run containers give. */
function pipes(): Streams {
  const texts = { stdout: '', stderr: '' }
  return {
    stdio: ['ignore', 'pipe', 'pipe'],
    read: (stream) => texts[stream],
    attach: (child) => {
      for (const stream of ['stdout', 'stderr'] as const)
        child[stream]?.setEncoding('latin1').on('data', (chunk: string) => {
          texts[stream] += chunk
        })
    },
  }
}

const linesOf = (text: string): string[] => text.split('\n').slice(0, -1)

for (const [kind, open] of [
  ['files', files],
  ['pipes', pipes],
] as const) {
  for (const name of ['/proc/self/fd', '/dev/fd']) {
    t.test(
      `logs to ${name}/1 and 2 reach their stream whole, also across a graceful restart, when these are ${kind}`,
      async (t) => {
        const server = await StagedServer.make(t)
        server.file('htdocs/f.txt', 'content\n')
        server.configure(
          `LoadModule authz_core_module ${MODULES}/mod_authz_core.mjs`,
          `WorkerProcesses ${WORKERS}`,
          'LogLevel info',
          `ErrorLog ${name}/2`,
          `CustomLog ${name}/1 "answered %U %>s"`,
          '<Location />',
          'Require all granted',
          '</Location>',
        )
        const streams = open(t, server)
        const child = start(t, server, streams)
        await server.accepting()
        const former = childrenOf(child.pid ?? 0)
        t.equal(former.length, WORKERS, 'there are several workers')
        await ask(server, 'before')

        t.match(await server.run('-k', 'graceful'), { status: 0 })
        const during = ask(server, 'during')
        await gone(former)
        await during
        await ask(server, 'after')
        child.kill('SIGTERM')
        await once(child, 'close')

        const paths = ['before', 'during', 'after'].flatMap((word) =>
          [...Array(REQUESTS).keys()].map((index) => `/${word}-${index}`),
        )
        t.strictSame(
          linesOf(streams.read('stdout')).sort(),
          paths.map((path) => `answered ${path} 404`).sort(),
          'standard output',
        )
        const errors = linesOf(streams.read('stderr'))
        const missing = errors.flatMap((line) => /AH00128: File does not exist: \S*\/htdocs(\S+)$/.exec(line)?.slice(1) ?? [])
        t.strictSame(missing.sort(), paths.sort(), 'standard error')
        for (const code of ['AH00489', 'AH00493', 'AH00491'])
          t.ok(
            errors.some((line) => line.includes(code)),
            `${code} of the supervisor is beside the lines of the workers`,
          )
        t.strictSame(
          errors.filter((line) => !/^\[.*\] AH\d+: /.test(line)),
          [],
          'every line is whole',
        )
      },
    )
  }
}

function start(t: Test, server: StagedServer, streams: Streams): ChildProcess {
  const words = ['-u', 'NODE_OPTIONS', PROGRAM, '-d', server.root, '-f', server.path('conf/httpd.conf'), '-D', 'FOREGROUND']
  const child = spawn('env', words, { cwd: server.root, stdio: [...streams.stdio] })
  t.teardown(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  streams.attach(child)
  return child
}

/** Requests files that do not exist, so that both logs get a line for each request. */
async function ask(server: StagedServer, word: string): Promise<void> {
  await Promise.all([...Array(REQUESTS).keys()].map((index) => server.get(`/${word}-${index}`)))
}
