import { readFileSync, renameSync, rmSync, statSync, symlinkSync, unlinkSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { FileDestination, osError, type WriteTrouble } from '@gatewright/log'
import t from 'tap'

function read(path: string): string {
  return readFileSync(path, 'latin1')
}

t.test('the lines of a turn are in the file one turn later, as bytes', async (t) => {
  const path = `${t.testdir()}/a.log`
  const log = new FileDestination(path)
  t.teardown(() => log.close())
  log.write('one\n')
  log.write('caf\xe9\n')
  t.equal(read(path), '', 'nothing is written within the turn')
  await nextTurn()
  t.same(readFileSync(path), Buffer.from('one\ncaf\xe9\n', 'latin1'))
  log.write('three\n')
  await nextTurn()
  t.equal(read(path), 'one\ncaf\xe9\nthree\n')
})

t.test('a file is created for its owner to write and all to read, and an old one is appended to', async (t) => {
  const directory = t.testdir({ 'old.log': 'before\n' })
  const before = process.umask(0o022)
  t.teardown(() => process.umask(before))
  const fresh = new FileDestination(`${directory}/new.log`)
  fresh.close()
  t.equal(statSync(`${directory}/new.log`).mode & 0o777, 0o644)
  const old = new FileDestination(`${directory}/old.log`)
  old.write('after\n')
  old.close()
  t.equal(read(`${directory}/old.log`), 'before\nafter\n')
})

t.test('a path is a byte string', async (t) => {
  const directory = t.testdir()
  const log = new FileDestination(`${directory}/${Buffer.from('é.log').toString('latin1')}`)
  log.write('x\n')
  log.close()
  t.equal(read(`${directory}/é.log`), 'x\n')
})

t.test('64 KiB are written without waiting for the end of the turn', async (t) => {
  const path = `${t.testdir()}/a.log`
  const log = new FileDestination(path)
  t.teardown(() => log.close())
  const line = `${'x'.repeat(1023)}\n`
  for (let i = 0; i < 65; i++) log.write(line)
  t.equal(statSync(path).size, 64 * 1024)
  log.flush()
  t.equal(statSync(path).size, 65 * 1024)
})

t.test('buffered lines are written when the next one would not fit into 4096 bytes', async (t) => {
  const path = `${t.testdir()}/a.log`
  const log = new FileDestination(path, { buffering: 'block' })
  const line = `${'x'.repeat(999)}\n`
  for (let i = 0; i < 4; i++) log.write(line)
  await nextTurn()
  t.equal(statSync(path).size, 0)
  log.write(line)
  t.equal(statSync(path).size, 4000)
  log.write(`${'y'.repeat(5000)}\n`)
  t.equal(statSync(path).size, 10001, 'a line longer than the buffer goes out at once, after what was there')
  log.write('last\n')
  log.close()
  t.ok(read(path).endsWith('last\n'))
})

t.test('a renamed file continues to receive lines until it is reopened by name', async (t) => {
  const directory = t.testdir()
  const log = new FileDestination(`${directory}/a.log`)
  t.teardown(() => log.close())
  log.write('1\n')
  await nextTurn()
  renameSync(`${directory}/a.log`, `${directory}/a.log.1`)
  log.write('2\n')
  await nextTurn()
  log.write('3\n')
  log.reopen()
  log.write('4\n')
  await nextTurn()
  t.equal(read(`${directory}/a.log.1`), '1\n2\n3\n')
  t.equal(read(`${directory}/a.log`), '4\n')
  t.not(statSync(`${directory}/a.log`).ino, statSync(`${directory}/a.log.1`).ino)
})

t.test('when a name cannot be opened again the old file stays in use and the trouble is reported', async (t) => {
  const directory = t.testdir({ logs: {} })
  const troubles: WriteTrouble[] = []
  const log = new FileDestination(`${directory}/logs/a.log`, { onError: (trouble) => troubles.push(trouble) })
  renameSync(`${directory}/logs`, `${directory}/moved`)
  log.reopen()
  log.write('still here\n')
  log.close()
  t.equal(read(`${directory}/moved/a.log`), 'still here\n')
  t.equal(troubles.length, 1)
  t.equal(osError(troubles[0]?.error)?.code, 2)
  t.equal(troubles[0]?.target, `${directory}/logs/a.log`)
})

t.test('a file that cannot be opened is an error at once', async (t) => {
  t.throws(() => new FileDestination(`${t.testdir()}/none/a.log`), { code: 'ENOENT' })
})

t.test('a full disk is reported once, holds nothing up and keeps lines until there is room', async (t) => {
  const directory = t.testdir()
  const path = `${directory}/a.log`
  symlinkSync('/dev/full', path)
  const troubles: WriteTrouble[] = []
  const log = new FileDestination(path, { onError: (trouble) => troubles.push(trouble) })
  for (let i = 0; i < 3; i++) {
    log.write(`${i}\n`)
    await nextTurn()
    log.flush()
  }
  t.equal(troubles.length, 1)
  t.equal(osError(troubles[0]?.error)?.text, 'No space left on device')
  t.equal(log.droppedLines, 0)

  unlinkSync(path)
  log.reopen()
  log.write('3\n')
  log.close()
  t.equal(read(path), '0\n1\n2\n3\n', 'what had no room is in the file that has')
})

t.test('a disk that stays full costs lines beyond 4 MiB and no memory beyond them', async (t) => {
  const troubles: WriteTrouble[] = []
  const log = new FileDestination('/dev/full', { onError: (trouble) => troubles.push(trouble) })
  const line = `${'x'.repeat(1024 * 1024 - 1)}\n`
  for (let i = 0; i < 6; i++) log.write(line)
  t.equal(log.droppedLines, 2)
  log.close()
  t.equal(log.droppedLines, 6, 'at the end everything is lost')
  t.equal(troubles.length, 1)
  log.write('late\n')
  t.equal(log.droppedLines, 7)
  t.doesNotThrow(() => log.close())
})

t.test('after it has worked again the next trouble is reported again', async (t) => {
  const path = `${t.testdir()}/a.log`
  let reports = 0
  symlinkSync('/dev/full', path)
  const log = new FileDestination(path, { onError: () => reports++ })
  log.write('1\n')
  log.flush()
  unlinkSync(path)
  log.reopen()
  rmSync(path)
  symlinkSync('/dev/full', path)
  log.reopen()
  log.write('2\n')
  log.flush()
  log.close()
  t.equal(reports, 2)
})
