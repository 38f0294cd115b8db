import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { askReload, type ReloadOutcome } from '../src/supervisor/ask-reload.ts'
import { writePidFile } from '../src/supervisor/pid-file.ts'
import { StateFile } from '../src/supervisor/state-file.ts'

interface Server {
  readonly child: ChildProcess
  readonly pid: number
  readonly pidFile: string
  readonly state: StateFile
  /** Resolves when it has received the signal. */
  readonly signalled: Promise<unknown>
}

/** A process that only reports signals; the test plays the rest of the supervisor. */
async function server(t: Test, { replaceable } = { replaceable: false }): Promise<Server> {
  const script = 'trap "echo signalled" USR1 USR2; echo ready; while :; do sleep 0.02; done'
  const child = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  t.teardown(() => child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  const pid = child.pid ?? 0
  const pidFile = join(t.testdir({}), 'httpd.pid')
  writePidFile(pidFile, pid)
  return {
    child,
    pid,
    pidFile,
    state: new StateFile(pidFile, pid, { replaceable, begun: 0 }),
    signalled: once(child.stdout, 'data'),
  }
}

const ask = ({ pid, pidFile }: Server, patience = 20_000, onWaiting: () => void = () => undefined): Promise<ReloadOutcome> =>
  askReload({ pid, how: 'SIGUSR1', pidFile, patience, onWaiting })

t.test('the outcome of a reload that began after the request is reported', async (t) => {
  const asked = await server(t)
  const outcome = ask(asked)
  await asked.signalled
  asked.state.begin()
  asked.state.end(['a port is taken'])
  t.strictSame(await outcome, { kind: 'refused', lines: ['a port is taken'] })
})

t.test('the outcome of a reload that was already in progress is ignored', async (t) => {
  const asked = await server(t)
  asked.state.begin()
  const outcome = ask(asked)
  await asked.signalled
  asked.state.end(['it read the file that was there before'])
  asked.state.begin()
  // Long enough for a wrong outcome to appear.
  t.equal(await Promise.race([outcome, new Promise((resolve) => setTimeout(resolve, 200, 'waits'))]), 'waits')
  asked.state.end(null)
  t.strictSame(await outcome, { kind: 'serving' })
})

t.test('a server that ends or cannot write its state is distinguished from a slow one', async (t) => {
  const ending = await server(t)
  const over = ask(ending)
  await ending.signalled
  ending.child.kill('SIGKILL')
  t.strictSame(await over, { kind: 'over' })

  const mute = await server(t)
  const unknown = ask(mute)
  await mute.signalled
  mute.state.remove()
  t.strictSame(await unknown, { kind: 'unknown' })

  t.strictSame(await ask(await server(t), 200), { kind: 'late' })
})

t.test('a noticeable wait is announced', async (t) => {
  const asked = await server(t)
  const waiting = Promise.withResolvers<void>()
  const outcome = ask(asked, 20_000, waiting.resolve)
  await waiting.promise
  asked.state.begin()
  asked.state.end(null)
  t.strictSame(await outcome, { kind: 'serving' })
})

t.test('a program without a state file is only signalled', async (t) => {
  const other = await server(t)
  other.state.remove()
  t.strictSame(await ask(other), { kind: 'untold' })
  await other.signalled
})

const askUpgrade = ({ pid, pidFile }: Server): Promise<ReloadOutcome> =>
  askReload({ pid, how: 'SIGUSR2', pidFile, patience: 20_000, onWaiting: () => undefined })

t.test('a server that cannot be taken over is not signalled', async (t) => {
  t.strictSame(await askUpgrade(await server(t)), { kind: 'irreplaceable' })
})

t.test('an upgrade has succeeded when the state is that of a successor which serves', async (t) => {
  const asked = await server(t, { replaceable: true })
  const outcome = askUpgrade(asked)
  await asked.signalled
  asked.state.begin()
  writePidFile(asked.pidFile, process.pid)
  const state = new StateFile(asked.pidFile, process.pid, { replaceable: true, begun: 1 })
  t.equal(await Promise.race([outcome, new Promise((resolve) => setTimeout(resolve, 100, 'waits'))]), 'waits')
  state.end(null)
  t.strictSame(await outcome, { kind: 'serving' })
})

t.test('a failed successor leaves its number for a moment, and a stop leaves none', async (t) => {
  const asked = await server(t, { replaceable: true })
  const refused = askUpgrade(asked)
  await asked.signalled
  asked.state.begin()
  writePidFile(asked.pidFile, 4_194_303)
  t.equal(await Promise.race([refused, new Promise((resolve) => setTimeout(resolve, 100, 'waits'))]), 'waits')
  asked.state.end(['it cannot start'])
  t.strictSame(await refused, { kind: 'refused', lines: ['it cannot start'] })

  const stopped = await server(t, { replaceable: true })
  const over = askUpgrade(stopped)
  await stopped.signalled
  rmSync(stopped.pidFile)
  t.strictSame(await over, { kind: 'over' })
})
