import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { damagedPidFileLines, readPidFile, removePidFile, runningServer, writePidFile } from '../src/supervisor/pid-file.ts'

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
  t.equal(runningServer({ kind: 'pid', pid: process.ppid }), process.ppid)
  t.equal(runningServer({ kind: 'pid', pid: process.pid }), undefined)
  t.equal(runningServer({ kind: 'pid', pid: UNUSED_PID }), undefined)
  t.equal(runningServer({ kind: 'pid', pid: 0 }), undefined)
  t.equal(runningServer({ kind: 'absent' }), undefined)
  t.end()
})
