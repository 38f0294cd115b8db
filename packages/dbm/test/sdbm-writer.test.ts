import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { DbmError, type DbmWriter, openDbm, openDbmWriter } from '../src/index.ts'
import { sdbmHash } from '../src/sdbm/hash.ts'
import { bytes, fixtureRecords, type Records, records, sorted, sortedRecords } from './support/dataset.ts'
import { writeFixtures } from './support/files.ts'

function listed(path: string): [string, string][] {
  const reader = openDbm(path, 'SDBM')
  try {
    return sorted(reader.entries())
  } finally {
    reader.close()
  }
}

function fill(writer: DbmWriter, all: Records): void {
  for (const [key, value] of all) writer.replace(bytes(key), bytes(value))
}

/** Whether ten splits may fail to part a key from one that is stored. */
function collides(key: string, model: Records): boolean {
  const hash = sdbmHash(bytes(key))
  return [...model.keys()].some((other) => other !== key && ((sdbmHash(bytes(other)) ^ hash) & 0x3ff) === 0)
}

t.test('what was inserted, replaced and deleted is what a reader finds', async (t) => {
  const directory = t.testdir()
  // Few keys, so that they meet again; long values, so that pages split.
  const user = fc.nat({ max: 40 }).map((number) => `user${number}`)
  const odd = fc.uint8Array({ minLength: 1, maxLength: 4 }).map((array) => Buffer.from(array).toString('latin1'))
  const change = fc.record({
    what: fc.constantFrom('insert', 'replace', 'delete'),
    key: fc.oneof(user, odd),
    length: fc.constantFrom(0, 1, 30, 200, 500, 900),
    byte: fc.nat({ max: 255 }),
  })
  let round = 0
  let splits = 0
  fc.assert(
    fc.property(fc.array(change, { maxLength: 120, size: 'max' }), (changes) => {
      const path = join(directory, `db${round++}`)
      const writer = openDbmWriter(path, 'SDBM', 'truncate')
      const model: Records = new Map()
      for (const { what, key, length, byte } of changes) {
        const value = String.fromCharCode(byte).repeat(length)
        const had = model.has(key)
        try {
          if (what === 'insert' && writer.insert(bytes(key), bytes(value)) === had) return false
          if (what === 'replace') writer.replace(bytes(key), bytes(value))
          if (what === 'delete' && writer.delete(bytes(key)) !== had) return false
          if (what === 'delete') model.delete(key)
          else if (what === 'replace' || !had) model.set(key, value)
        } catch (error) {
          if (!(error instanceof DbmError && error.code === 28 && collides(key, model))) throw error
        }
        if (writer.get(bytes(key))?.toString('latin1') !== model.get(key)) return false
      }
      writer.close()
      if (statSync(`${path}.dir`).size > 0) splits++
      return JSON.stringify(listed(path)) === JSON.stringify(sortedRecords(model))
    }),
    { numRuns: 60 },
  )
  t.ok(splits > 10, `${splits} databases of more than one page`)
})

t.test('thousands of records spread over pages and several levels of splits', async (t) => {
  const path = join(t.testdir(), 'db')
  const all = records(4000)
  const writer = openDbmWriter(path, 'SDBM', 'truncate')
  fill(writer, all)
  writer.close()
  t.same(listed(path), sortedRecords(all))
  const reader = openDbm(path, 'SDBM')
  for (const [key, value] of all) if (reader.get(bytes(key))?.toString('latin1') !== value) t.fail(JSON.stringify(key))
  t.equal(statSync(`${path}.dir`).size, 4096)
  t.ok(statSync(`${path}.pag`).size > 100 * 1024)
})

t.test('a database that the tools wrote can be changed', async (t) => {
  const { sdbm } = writeFixtures(t.testdir())
  const expected = fixtureRecords()
  const writer = openDbmWriter(sdbm.path, 'SDBM', 'existing')
  t.equal(writer.insert(bytes('user1'), bytes('other')), false)
  t.equal(writer.get(bytes('user1'))?.toString(), 'v1,g1')
  t.equal(writer.delete(bytes('user7')), false)
  t.equal(writer.delete(bytes('user8')), true)
  writer.replace(bytes('user9'), bytes('z'.repeat(900)))
  t.equal(writer.insert(bytes('new'), bytes('')), true)
  writer.close()
  expected.delete('user8')
  expected.set('user9', 'z'.repeat(900))
  expected.set('new', '')
  t.same(listed(sdbm.path), sortedRecords(expected))
})

t.test('existing requires both files, create keeps the content, truncate begins empty', async (t) => {
  const path = join(t.testdir(), 'db')
  t.throws(() => openDbmWriter(path, 'SDBM', 'existing'), { code: 2, text: 'No such file or directory' })
  t.notOk(existsSync(`${path}.pag`))
  const first = openDbmWriter(path, 'SDBM', 'create')
  first.replace(bytes('bob'), bytes('pw'))
  first.close()
  openDbmWriter(path, 'SDBM', 'create').close()
  t.same(listed(path), [['bob', 'pw']])
  openDbmWriter(path, 'SDBM', 'truncate').close()
  t.same(listed(path), [])
  t.same([statSync(`${path}.dir`).size, statSync(`${path}.pag`).size], [0, 0])
})

t.test('an empty key and a record of more than 1008 bytes are refused and change nothing', async (t) => {
  const path = join(t.testdir(), 'db')
  const writer = openDbmWriter(path, 'SDBM', 'truncate')
  t.throws(() => writer.replace(Buffer.alloc(0), bytes('x')), { code: 22, text: 'Invalid argument' })
  t.throws(() => writer.insert(bytes('bob'), Buffer.alloc(1006)), { code: 22 })
  t.equal(writer.delete(Buffer.alloc(0)), false)
  t.same([...writer.entries()], [])
  writer.replace(bytes('bob'), Buffer.alloc(1005, 'x'))
  writer.close()
  t.same(listed(path), [['bob', 'x'.repeat(1005)]])
})

t.test('keys that ten splits cannot part are refused, and nothing else is lost', async (t) => {
  const path = join(t.testdir(), 'db')
  const alike: string[] = []
  for (let number = 0; alike.length < 2; number++) if ((sdbmHash(bytes(`k${number}`)) & 0x7ff) === 0x2a5) alike.push(`k${number}`)
  const writer = openDbmWriter(path, 'SDBM', 'truncate')
  writer.replace(bytes(alike[0]), Buffer.alloc(900))
  t.throws(() => writer.replace(bytes(alike[1]), Buffer.alloc(900)), { code: 28, text: 'No space left on device' })
  t.same(
    Array.from(writer.entries(), ([key]) => key.toString()),
    [alike[0]],
  )
  writer.replace(bytes(alike[1]), bytes('short'))
  writer.close()
  t.equal(openDbm(path, 'SDBM').get(bytes(alike[0]))?.length, 900)
})

t.test('nothing of a deleted or replaced value stays in the file', async (t) => {
  const path = join(t.testdir(), 'db')
  const writer = openDbmWriter(path, 'SDBM', 'truncate')
  fill(writer, new Map([...records(3), ['bob', 'secret-one'], ['eve', 'secret-two'], ['tom', 'kept']]))
  writer.delete(bytes('bob'))
  writer.replace(bytes('eve'), bytes('new'))
  writer.close()
  t.notOk(readFileSync(`${path}.pag`, 'latin1').includes('secret'))
  t.ok(readFileSync(`${path}.pag`, 'latin1').includes('kept'))
})

t.test('a split that was interrupted before the old page was cut shows every record once', async (t) => {
  const path = join(t.testdir(), 'db')
  openDbmWriter(path, 'SDBM', 'truncate').close()
  const stored: string[] = []
  let uncut = Buffer.alloc(0)
  while (statSync(`${path}.dir`).size === 0) {
    uncut = readFileSync(`${path}.pag`)
    stored.push(`user${stored.length}`)
    const writer = openDbmWriter(path, 'SDBM', 'existing')
    writer.replace(bytes(`user${stored.length - 1}`), Buffer.alloc(50))
    writer.close()
  }
  t.equal(uncut.length, 1024, 'there was one page')
  const pages = readFileSync(`${path}.pag`)
  t.equal(pages.length, 2048, 'there are two')
  uncut.copy(pages)
  writeFileSync(`${path}.pag`, pages)
  // The record that made the page split is lost if it belongs to the old page, which was to be written last.
  const last = stored[stored.length - 1]
  const kept = (sdbmHash(bytes(last)) & 1) === 0 ? stored.slice(0, -1) : stored
  const keys = listed(path).map(([key]) => key)
  t.same(keys, [...kept].sort())
  t.ok(keys.length >= 17, `${keys.length} records`)
})

t.test('a database with a damaged page is not opened for changes, and is unchanged', async (t) => {
  const path = join(t.testdir(), 'db')
  writeFileSync(`${path}.dir`, '')
  writeFileSync(`${path}.pag`, Buffer.alloc(1024, 0x7f))
  for (const mode of ['existing', 'create'] as const) t.throws(() => openDbmWriter(path, 'SDBM', mode), { code: 28 })
  t.same(readFileSync(`${path}.pag`), Buffer.alloc(1024, 0x7f))
})

t.test('one file of the two is left alone, not made into an empty database', async (t) => {
  const path = join(t.testdir(), 'db')
  writeFileSync(`${path}.pag`, Buffer.alloc(1024))
  t.throws(() => openDbmWriter(path, 'SDBM', 'create'), { code: 2, message: /db\.dir/ })
  t.notOk(existsSync(`${path}.dir`))
})
