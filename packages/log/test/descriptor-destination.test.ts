import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { DescriptorDestination, type LineLoss, type WriteTrouble } from '@gatewright/log'
import t, { type Test } from 'tap'

interface Pipe {
  readonly reader: number
  readonly writer: number
}

function openPipe(t: Test): Pipe {
  const path = `${t.testdir()}/pipe`
  execFileSync('mkfifo', [path])
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  return { reader, writer: openSync(path, constants.O_WRONLY) }
}

function readAvailable(fd: number): string {
  const chunk = Buffer.alloc(64 * 1024)
  try {
    return chunk.toString('latin1', 0, readSync(fd, chunk))
  } catch {
    return ''
  }
}

t.test('a descriptor of a file gets the lines of each turn and stays open', async (t) => {
  const path = `${t.testdir()}/out`
  const fd = openSync(path, 'a')
  const log = new DescriptorDestination(fd)
  log.write('1\n')
  await nextTurn()
  t.equal(readFileSync(path, 'latin1'), '1\n')
  log.write('2\n')
  log.reopen()
  log.close()
  log.close()
  t.equal(readFileSync(path, 'latin1'), '1\n2\n')
  t.doesNotThrow(() => closeSync(fd), 'it was not ours to close')
})

t.test('a pipe whose reader is behind does not hold the server up, and gets every line once it is read', async (t) => {
  const { reader, writer } = openPipe(t)
  const troubles: WriteTrouble[] = []
  const log = new DescriptorDestination(writer, { name: 'pipe', onError: (trouble) => troubles.push(trouble) })
  let expected = ''
  for (let i = 0; i < 3000; i++) {
    const line = `${i} ${'x'.repeat(i % 150)}\n`
    expected += line
    log.write(line)
    if (i % 100 === 0) await nextTurn()
  }
  let got = ''
  for (let tries = 0; tries < 300 && got.length < expected.length; tries++) {
    got += readAvailable(reader)
    await wait(2)
  }
  t.ok(expected.length > 200 * 1024, 'more than a pipe holds')
  t.ok(got === expected, 'all lines, in order')
  t.equal(log.droppedLines, 0)
  t.same(troubles, [])
  log.close()
  closeSync(writer)
  closeSync(reader)
})

t.test('lines beyond 4 MiB are dropped while the reader is stalled, and that is reported once', async (t) => {
  const { reader, writer } = openPipe(t)
  const troubles: WriteTrouble[] = []
  const log = new DescriptorDestination(writer, { onError: (trouble) => troubles.push(trouble) })
  const line = `${'x'.repeat(4000)}\n`
  for (let i = 0; i < 1200; i++) log.write(line)
  t.ok(log.droppedLines > 100 && log.droppedLines < 200, `${log.droppedLines} lines dropped`)
  t.equal(troubles.length, 1)
  t.equal(troubles[0]?.target, `descriptor ${writer}`)
  closeSync(reader)
  log.close()
  closeSync(writer)
})

t.test('a pipe without a reader is reported, and does not throw', async (t) => {
  const { reader, writer } = openPipe(t)
  const troubles: WriteTrouble[] = []
  const log = new DescriptorDestination(writer, { onError: (trouble) => troubles.push(trouble) })
  closeSync(reader)
  log.write('1\n')
  await nextTurn()
  t.match(troubles, [{ error: { code: 'EPIPE' } }])
  log.close()
  t.equal(log.droppedLines, 1)
  closeSync(writer)
})

t.test('the number of lost lines is reported when the reader continues, and again at the end', async (t) => {
  const { reader, writer } = openPipe(t)
  const losses: LineLoss[] = []
  const log = new DescriptorDestination(writer, { name: '|program', onLoss: (loss) => losses.push(loss) })
  const line = `${'x'.repeat(4000)}\n`
  for (let i = 0; i < 1200; i++) log.write(line)
  const { droppedLines } = log
  t.ok(droppedLines > 0)
  t.same(losses, [], 'not before the pipe takes lines again')
  for (let tries = 0; tries < 2000 && losses.length === 0; tries++) {
    if (readAvailable(reader) === '') await wait(2)
  }
  t.strictSame(losses, [{ target: '|program', lines: droppedLines }])

  closeSync(reader)
  log.write('1\n')
  log.write('2\n')
  log.close()
  t.strictSame(losses.slice(1), [{ target: '|program', lines: 2 }])
  closeSync(writer)
})

t.test('a reader that is stalled does not hold up the end', async (t) => {
  const { reader, writer } = openPipe(t)
  const losses: LineLoss[] = []
  const log = new DescriptorDestination(writer, { onLoss: (loss) => losses.push(loss) })
  for (let i = 0; i < 200; i++) log.write(`${'x'.repeat(999)}\n`)
  log.close()
  t.ok(log.droppedLines > 0)
  t.strictSame(losses, [{ target: `descriptor ${writer}`, lines: log.droppedLines }])
  closeSync(reader)
  closeSync(writer)
})
