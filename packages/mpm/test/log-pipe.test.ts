import { spawnSync } from 'node:child_process'
import { readdirSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { closeLogPipe, openLogPipes } from '../src/supervisor/log-pipe.ts'

t.test('pipes have two descriptors and no name', async (t) => {
  const folder = t.testdir()
  const pipes = openLogPipes(folder, 3)
  t.strictSame(readdirSync(folder), [])
  t.equal(new Set(pipes.flatMap(({ readEnd, writeEnd }) => [readEnd, writeEnd])).size, 6)
  const chunk = Buffer.alloc(100)
  for (const [index, { readEnd, writeEnd }] of pipes.entries()) {
    writeSync(writeEnd, `line ${index}\n`)
    t.equal(chunk.toString('latin1', 0, readSync(readEnd, chunk)), `line ${index}\n`)
  }
  for (const pipe of pipes) closeLogPipe(pipe)
})

t.test('a child that was not given a pipe does not keep it open', async (t) => {
  const [first, second] = openLogPipes(t.testdir(), 2)
  const { stdout } = spawnSync('ls', ['-l', '/proc/self/fd'], {
    stdio: [first.readEnd, 'pipe', 'ignore'],
    encoding: 'utf8',
  })
  t.equal(stdout.split('\n').filter((target) => target.includes('.log-pipes-')).length, 1)
  closeLogPipe(first)
  closeLogPipe(second)
})

t.test('no program, no folder', async (t) => {
  const folder = join(t.testdir(), 'missing')
  t.strictSame(openLogPipes(folder, 0), [])
  t.throws(() => openLogPipes(folder, 1), { code: 'ENOENT' })
})
