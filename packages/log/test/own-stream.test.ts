import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { appendablePath, FileDestination, ownDescriptor } from '../src/index.ts'

/** Paths of the server's own descriptors, and of other files. */
const PATHS: readonly (readonly [path: string, number: number | undefined])[] = [
  ['/dev/stdout', 1],
  ['/dev/stderr', 2],
  ['/dev/fd/1', 1],
  ['/dev/fd/2', 2],
  ['/proc/self/fd/1', 1],
  ['/proc/self/fd/2', 2],
  ['/proc/thread-self/fd/2', 2],
  ['/dev/../dev/stderr', 2],
  ['/dev/./fd//2', 2],
  ['/proc/self/fd/77', 77],
  ['/proc/self/fd/', undefined],
  ['/dev/fd/x', undefined],
  ['/dev/null', undefined],
  ['/var/log/dev/stderr', undefined],
  ['dev/stderr', undefined],
]

for (const [path, number] of PATHS) {
  t.test(`${path} names ${number === undefined ? 'no descriptor' : `descriptor ${number}`}`, async (t) => {
    t.equal(ownDescriptor(path), number)
  })
}

t.test('a descriptor of a file is opened again, and lines are appended after those of others', async (t) => {
  const file = join(t.testdir({}), 'log')
  const fd = openSync(file, 'w')
  const path = appendablePath(fd)
  t.equal(path, `/proc/self/fd/${fd}`)
  const one = new FileDestination(path ?? '')
  const two = new FileDestination(file)
  one.write('one\n')
  one.flush()
  two.write('two\n')
  two.flush()
  one.write('three\n')
  one.close()
  two.close()
  closeSync(fd)
  t.equal(readFileSync(file, 'latin1'), 'one\ntwo\nthree\n')
})

t.test('a descriptor that is not a file is written to directly', async (t) => {
  const fd = openSync('/dev/null', 'w')
  t.equal(appendablePath(fd), undefined)
  closeSync(fd)
  t.equal(appendablePath(9999), undefined)
})
