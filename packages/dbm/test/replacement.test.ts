import { chmodSync, chownSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import { DbmError, openDbm, openDbmWriter } from '../src/index.ts'
import { bytes, records } from './support/dataset.ts'
import { writeFixtures } from './support/files.ts'

const TYPES = ['SDBM', 'GDBM']

function make(path: string, type: string, users: number): void {
  const writer = openDbmWriter(path, type, 'truncate')
  for (const [key, value] of records(users)) writer.replace(bytes(key), bytes(value))
  writer.close()
}

function count(path: string, type: string): number {
  const reader = openDbm(path, type)
  try {
    return [...reader.entries()].length
  } finally {
    reader.close()
  }
}

t.test('changes are seen when the writer closes, by those who open the database then', async (t) => {
  const directory = t.testdir()
  for (const type of TYPES) {
    const path = join(directory, `db-${type}`)
    make(path, type, 500)
    const before = openDbm(path, type)
    const writer = openDbmWriter(path, type, 'existing')
    for (const [key] of records(500)) writer.delete(bytes(key))
    t.equal(count(path, type), 521, `${type}: nothing is seen before`)
    writer.close()
    writer.close()
    t.equal(count(path, type), 0, type)
    t.equal([...before.entries()].length, 521, `${type}: who had it open goes on with what was there`)
    before.close()
  }
  t.same(readdirSync(directory).sort(), ['db-GDBM', 'db-SDBM.dir', 'db-SDBM.pag'], 'nothing else is left')
})

t.test('an abandoned writer changes nothing', async (t) => {
  const directory = t.testdir()
  for (const type of TYPES) {
    const path = join(directory, `db-${type}`)
    make(path, type, 10)
    const names = readdirSync(directory)
    const writer = openDbmWriter(path, type, 'truncate')
    writer.replace(bytes('bob'), bytes('pw'))
    writer.abandon()
    writer.close()
    t.equal(count(path, type), 31, type)
    t.throws(() => writer.get(bytes('bob')), { name: 'DbmError' })
    t.same(readdirSync(directory), names)
    openDbmWriter(join(directory, `new-${type}`), type, 'create').abandon()
    t.same(readdirSync(directory), names, 'and makes no file')
  }
})

t.test('the new files have the permissions and the owner of the old ones, and links stay', async (t) => {
  const directory = t.testdir()
  const root = process.geteuid?.() === 0
  for (const [type, file] of [
    ['SDBM', 'real.pag'],
    ['GDBM', 'real'],
  ]) {
    const path = join(directory, 'real')
    make(path, type, 3)
    chmodSync(join(directory, file), 0o640)
    if (root) chownSync(join(directory, file), 1234, 4321)
    const link = join(directory, file.replace('real', `link-${type}`))
    symlinkSync(file, link)
    const writer = openDbmWriter(join(directory, `link-${type}`), type, type === 'SDBM' ? 'truncate' : 'existing')
    writer.replace(bytes('bob'), bytes('pw'))
    writer.close()
    const { mode, uid, gid } = statSync(join(directory, file))
    t.equal(mode & 0o777, 0o640, type)
    if (root) t.same([uid, gid], [1234, 4321], type)
    t.ok(readFileSync(join(directory, file)).includes('bob'), `${type}: what the link leads to has changed`)
  }
})

t.test('a second writer waits for the first, so that no change is lost', async (t) => {
  const directory = t.testdir()
  const source = new URL('../src/index.ts', import.meta.url).href
  for (const type of TYPES) {
    const path = join(directory, `db-${type}`)
    make(path, type, 0)
    const first = openDbmWriter(path, type, 'existing')
    const code = `
      const { parentPort } = require('node:worker_threads')
      import(${JSON.stringify(source)}).then(({ openDbmWriter }) => {
        parentPort.postMessage('opens')
        const writer = openDbmWriter(${JSON.stringify(path)}, '${type}', 'existing')
        writer.replace(Buffer.from('second'), Buffer.from('2'))
        writer.close()
        parentPort.postMessage('closed')
      })`
    const worker = new Worker(code, { eval: true })
    const messages: string[] = []
    await new Promise<void>((resolve, reject) => {
      worker.on('error', reject)
      worker.on('exit', () => resolve())
      worker.on('message', (message: string) => {
        messages.push(message)
        if (message !== 'opens') return
        first.replace(bytes('first'), bytes('1'))
        first.close()
      })
    })
    t.same(messages, ['opens', 'closed'], type)
    const reader = openDbm(path, type)
    t.same([reader.get(bytes('first'))?.toString(), reader.get(bytes('second'))?.toString()], ['1', '2'], type)
    reader.close()
  }
})

t.test('a database that another program changes meanwhile is not written over', async (t) => {
  const files = writeFixtures(t.testdir())
  for (const [{ path, type }, file] of [
    [files.sdbm, `${files.sdbm.path}.pag`],
    [files.gdbm, files.gdbm.path],
  ] as const) {
    const writer = openDbmWriter(path, type, 'existing')
    writer.replace(bytes('bob'), bytes('pw'))
    const theirs = Buffer.concat([readFileSync(file), Buffer.alloc(1024)])
    writeFileSync(file, theirs)
    t.throws(() => writer.close(), { code: 11, text: 'Resource temporarily unavailable', message: /changed .* meanwhile/ }, type)
    t.ok(readFileSync(file).equals(theirs), type)
    t.notOk(existsSync(`${file}.new`))
  }
})

t.test('the type default writes what the type default reads', async (t) => {
  const directory = t.testdir()
  const files = writeFixtures(directory)
  for (const { path, format } of [
    { path: files.gdbm.path, format: 'GDBM' },
    { path: files.sdbm.path, format: 'SDBM' },
    { path: join(directory, 'new'), format: 'SDBM' },
  ]) {
    const writer = openDbmWriter(path, 'default', 'create')
    writer.replace(bytes('bob'), bytes('pw'))
    writer.close()
    for (const type of ['default', format]) {
      const reader = openDbm(path, type)
      t.equal(reader.get(bytes('bob'))?.toString(), 'pw', `${path} as ${type}`)
      reader.close()
    }
  }
  writeFileSync(join(directory, 'text'), 'bob:pw\n')
  t.throws(() => openDbmWriter(join(directory, 'text'), 'default', 'truncate'), { code: 120022 })
  t.equal(readFileSync(join(directory, 'text'), 'utf8'), 'bob:pw\n')
})

t.test('Berkeley DB files and types without driver cannot be written', async (t) => {
  const { berkeley } = writeFixtures(t.testdir())
  for (const type of ['DB', 'default']) {
    t.throws(() => openDbmWriter(berkeley.path, type, 'existing'), { code: 20019, message: /read, not written/ }, type)
  }
  for (const type of ['NDBM', 'foo', '']) t.throws(() => openDbmWriter(berkeley.path, type, 'create'), { code: 20019 }, type)
})

t.test('a reader of a database that is replaced repeatedly sees one version or the other, or none', async (t) => {
  const directory = t.testdir()
  const source = new URL('../src/index.ts', import.meta.url).href
  for (const type of TYPES) {
    const path = join(directory, `db-${type}`)
    openDbmWriter(path, type, 'truncate').close()
    // The versions differ in number and size of records, so that SDBM replaces its directory, too.
    const code = `
      import(${JSON.stringify(source)}).then(({ openDbmWriter }) => {
        for (let round = 1; round <= 30; round++) {
          const writer = openDbmWriter(${JSON.stringify(path)}, '${type}', 'truncate')
          const count = round % 2 === 0 ? 300 : 20
          for (let user = 0; user < count; user++) writer.replace(Buffer.from('user' + user), Buffer.from(count + ' ' + round))
          writer.close()
        }
      })`
    const worker = new Worker(code, { eval: true })
    let isRunning = true
    const ended = new Promise<void>((resolve, reject) => {
      worker.on('error', reject)
      worker.on('exit', () => {
        isRunning = false
        resolve()
      })
    })
    const versions = new Set<string>()
    while (isRunning) {
      try {
        const reader = openDbm(path, type)
        const values = Array.from(reader.entries(), ([, value]) => value.toString())
        reader.close()
        const [first = '0'] = values
        versions.add(first)
        if (values.length !== Number.parseInt(first, 10) || values.some((value) => value !== first))
          t.fail(`${type}: a mixture of ${[...new Set(values)]}`)
      } catch (error) {
        const isGone = error instanceof DbmError && type === 'SDBM' && error.code === 2
        if (!isGone) t.fail(`${type}: ${error}`)
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
    await ended
    t.ok(versions.size > 1, `${type}: ${versions.size} versions were seen`)
    t.equal(count(path, type), 300, type)
  }
})
