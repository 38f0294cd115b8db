import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { freePort, Trial } from './fixtures/trial.ts'

const LIMITS = { silence: 1_500, loading: 5_000, tick: 100, lastWords: 1_000 }
const MODULE = [
  "import { readFileSync } from 'node:fs'",
  'export function spin() { for (;;); }',
  "export function backtrack() { /^(a+)+$/.test('a'.repeat(60) + 'b') }",
  'export function wait(folder) { readFileSync(`${folder}/fifo`) }',
].join('\n')

/** A server whose requests for `/block/NAME` call a function of a module that never returns. */
async function served(t: Test): Promise<Trial> {
  const server = new Trial(t.testdir({ 'mod_loop.mjs': MODULE }), await freePort(), LIMITS)
  execFileSync('mkfifo', [join(server.folder, 'fifo')])
  server.configure({ module: join(server.folder, 'mod_loop.mjs') }, { workers: 1 })
  const over = server.supervisor.run()
  t.teardown(() => {
    server.supervisor.stop('SIGTERM')
    return over
  })
  await server.serving
  return server
}

t.test('a worker that does not respond is ended, its log line names the place, and another one serves', async (t) => {
  const server = await served(t)
  const file = join(server.folder, 'mod_loop.mjs')
  for (const [call, busy] of [
    ['spin', `it was busy in module loop: spin (${file}:2)`],
    ['backtrack', `it was busy in module loop: backtrack (${file}:3)`],
    ['wait', 'it was not executing JavaScript: it was blocked in a system call, or was waiting'],
  ]) {
    const before = server.log().length
    const { pid } = JSON.parse(await server.get('/'))
    await t.rejects(server.get(`/block/${call}`), { code: 'ECONNRESET' })
    t.not(JSON.parse(await server.get('/')).pid, pid)
    const lines = server.log().slice(before)
    t.match(lines, [/^\[mpm_event:error\] child pid N did not answer for \d seconds and was ended; /], lines.join('\n'))
    t.match(lines[0], busy)
  }
})

t.test('a configuration whose reader never ends is rejected with the place', async (t) => {
  const server = await served(t)
  server.configure({ reader: 'spins', module: join(server.folder, 'mod_loop.mjs') })
  server.supervisor.reload('SIGUSR1')
  await server.until(() => server.log().some((line) => line.includes('cannot be used')))
  t.match(
    server.log().at(-2),
    `the configuration could not be read: its reader did not finish within 5 seconds, while loading ${server.folder}/mod_loop.mjs; ` +
      `it was busy in module loop: spin (${server.folder}/mod_loop.mjs:2)`,
  )
  t.match(JSON.parse(await server.get('/')), { generation: 0 })
})

t.test('a new configuration whose workers never come to an end is refused with the place', async (t) => {
  const server = await served(t)
  server.configure({ worker: 'spins', module: join(server.folder, 'mod_loop.mjs') })
  server.supervisor.reload('SIGUSR1')
  await server.until(() => server.log().some((line) => line.includes('cannot be used')))
  t.match(
    server.log().at(-2),
    /^a worker \(pid N\) did not answer for \d seconds and was ended; it was busy in module loop: spin \(/,
  )
  t.match(JSON.parse(await server.get('/')), { generation: 0 })
})

t.test('the error output of a worker goes to the error log', async (t) => {
  const server = await served(t)
  await server.get('/print')
  await server.until(() => server.log().includes('printed by a worker'))
})
