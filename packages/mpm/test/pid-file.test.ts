import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import t, { type Test } from 'tap'
import { damagedPidFileLines, readPidFile, removePidFile, runningServer, writePidFile } from '../src/supervisor/pid-file.ts'
import { readState, StateFile } from '../src/supervisor/state-file.ts'

const UNUSED_PID = 4_194_303

t.test('a pid file that was written can be read and removed', (t) => {
  const folder = t.testdir({})
  const path = join(folder, 'httpd.pid')
  t.strictSame(readPidFile(path), { kind: 'absent' })
  writePidFile(path, 123)
  t.equal(readFileSync(path, 'latin1'), '123\n')
  t.strictSame(readdirSync(folder), ['httpd.pid'], 'nothing else is left behind')
  t.strictSame(readPidFile(path), { kind: 'pid', pid: 123 })
  t.equal(removePidFile(path, 123), true)
  t.strictSame(readPidFile(path), { kind: 'absent' })
  t.end()
})

t.test('the file of another server is not removed', (t) => {
  const path = join(t.testdir({ 'httpd.pid': '77\n' }), 'httpd.pid')
  t.equal(removePidFile(path, 123), false)
  t.strictSame(readPidFile(path), { kind: 'pid', pid: 77 })
  t.end()
})

t.test('a file without a number is damaged, in the words of APR', (t) => {
  const folder = t.testdir({})
  const path = join(folder, 'httpd.pid')
  for (const text of ['garbage', '12x', '', '-5']) {
    writeFileSync(path, text)
    t.strictSame(
      readPidFile(path),
      { kind: 'damaged', cause: '(20014)Internal error (specific information not available)' },
      JSON.stringify(text),
    )
  }
  t.strictSame(readPidFile(folder), { kind: 'damaged', cause: '(21)Is a directory' })
  t.strictSame(damagedPidFileLines('/run/x.pid', '(20014)Internal error (specific information not available)'), [
    '(20014)Internal error (specific information not available): AH00058: Error retrieving pid file /run/x.pid',
    'AH00059: Remove it before continuing if it is corrupted.',
  ])
  t.end()
})

t.test('a server runs when its process does, and is not this one', (t) => {
  const path = join(t.testdir({ 'httpd.pid': '' }), 'httpd.pid')
  t.equal(runningServer(path, { kind: 'pid', pid: process.ppid }), process.ppid)
  t.equal(runningServer(path, { kind: 'pid', pid: process.pid }), undefined)
  t.equal(runningServer(path, { kind: 'pid', pid: UNUSED_PID }), undefined)
  t.equal(runningServer(path, { kind: 'pid', pid: 0 }), undefined)
  t.equal(runningServer(path, { kind: 'absent' }), undefined)
  t.end()
})

t.test('a process that started after the number was written is not the server', async (t) => {
  const { path, pid } = await recordedProcess(t)
  const content = { kind: 'pid', pid } as const
  t.equal(runningServer(path, content), pid)
  aged(path, 3)
  t.equal(runningServer(path, content), pid, 'clocks are not that exact')
  aged(path, 10)
  t.equal(runningServer(path, content), undefined)
})

t.test('a server is recognised by its identity regardless of the clock, and no other process is', async (t) => {
  const { path, pid } = await recordedProcess(t)
  const content = { kind: 'pid', pid } as const
  const state = new StateFile(path, pid, { replaceable: false, begun: 0 })
  aged(path, 10)
  t.equal(runningServer(path, content), pid, 'the clock was set after its start')
  state.remove()
  new StateFile(path, process.pid, { replaceable: false, begun: 0 })
  const other = readState(path)
  writePidFile(path, pid)
  writeFileSync(`${path}.state`, JSON.stringify({ ...other, pid }))
  t.equal(runningServer(path, content), undefined, 'another process had the number')
  writeFileSync(`${path}.state`, JSON.stringify({ ...other, pid, identity: null }))
  t.equal(runningServer(path, content), pid, 'one that does not know who it is')
})

t.test('a process that has ended and was not waited for does not run', async (t) => {
  const path = join(t.testdir({ 'httpd.pid': '' }), 'httpd.pid')
  const shell = spawn('sh', ['-c', 'cat <&3 >/dev/null & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  })
  t.teardown(() => shell.kill('SIGKILL'))
  const [, stdout, , input] = shell.stdio
  if (!(stdout instanceof Readable) || !(input instanceof Writable)) throw new Error('no pipes')
  const [output] = await once(stdout, 'data')
  const pid = Number(String(output))
  // A shell would wait for its child; the program that replaces it does not.
  while (readFileSync(`/proc/${shell.pid}/comm`, 'latin1') !== 'sleep\n') await new Promise((resolve) => setTimeout(resolve, 10))
  input.end()
  while (runningServer(path, { kind: 'pid', pid }) !== undefined) await new Promise((resolve) => setTimeout(resolve, 10))
  t.ok(process.kill(pid, 0), 'though it has its number yet')
})

/** A process that is neither this one nor much older than its pid file. */
async function recordedProcess(t: Test): Promise<{ readonly path: string; readonly pid: number }> {
  const path = join(t.testdir({}), 'httpd.pid')
  const child = spawn('sleep', ['60'])
  t.teardown(() => child.kill('SIGKILL'))
  await once(child, 'spawn')
  const pid = child.pid ?? 0
  writePidFile(path, pid)
  return { path, pid }
}

/** Sets the time of a file back by some seconds. */
function aged(path: string, seconds: number): void {
  const time = Date.now() / 1000 - seconds
  utimesSync(path, time, time)
}
