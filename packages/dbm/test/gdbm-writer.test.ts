import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { type DbmWriter, openDbm, openDbmWriter } from '../src/index.ts'
import { bytes, fixtureRecords, large, type Records, records, sorted, sortedRecords } from './support/dataset.ts'
import { writeFixtures } from './support/files.ts'
import { buildGdbm, GDBM_KINDS } from './support/gdbm-file.ts'

function listed(path: string): [string, string][] {
  const reader = openDbm(path, 'GDBM')
  try {
    return sorted(reader.entries())
  } finally {
    reader.close()
  }
}

function fill(writer: DbmWriter, all: Records): void {
  for (const [key, value] of all) writer.replace(bytes(key), bytes(value))
}

/** Bits of the directory, and how many buckets it points at, in a file with offsets of 64 bits. */
function shape(path: string): { bits: number; buckets: number } {
  const file = readFileSync(path)
  const bits = file.readUInt32LE(20)
  const offsets = Array.from({ length: 2 ** bits }, (_, entry) => file.readUInt32LE(file.readUInt32LE(8) + 8 * entry))
  return { bits, buckets: new Set(offsets).size }
}

t.test('what was inserted, replaced and deleted, over several openings, is what a reader finds', async (t) => {
  const path = join(t.testdir(), 'db')
  let compared = 0
  const change = fc.record({
    what: fc.constantFrom('insert', 'replace', 'delete', 'reopen'),
    key: fc.oneof(
      fc.nat({ max: 40 }).map((number) => `user${number}`),
      fc.uint8Array({ maxLength: 4 }).map((array) => Buffer.from(array).toString('latin1')),
    ),
    value: fc.tuple(fc.nat({ max: 255 }), fc.constantFrom(0, 1, 30, 5000)),
  })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 80, size: 'max' }), (changes) => {
      let writer = openDbmWriter(path, 'GDBM', 'truncate')
      const model: Records = new Map()
      for (const { what, key, value } of changes) {
        const text = String.fromCharCode(value[0]).repeat(value[1])
        const had = model.has(key)
        if (what === 'insert' && writer.insert(bytes(key), bytes(text)) === had) return false
        if (what === 'replace') writer.replace(bytes(key), bytes(text))
        if (what === 'delete' && writer.delete(bytes(key)) !== had) return false
        if (what === 'delete') model.delete(key)
        if (what === 'replace' || (what === 'insert' && !had)) model.set(key, text)
        if (what === 'reopen') {
          writer.close()
          writer = openDbmWriter(path, 'GDBM', 'existing')
        }
        if (writer.get(bytes(key))?.toString('latin1') !== model.get(key)) return false
      }
      const inMemory = JSON.stringify(sorted(writer.entries()))
      writer.close()
      compared++
      return inMemory === JSON.stringify(sortedRecords(model)) && JSON.stringify(listed(path)) === inMemory
    }),
    { numRuns: 30 },
  )
  t.ok(compared >= 30, `${compared} databases`)
})

t.test('thousands of records fill hundreds of buckets, and the directory grows with them', async (t) => {
  const path = join(t.testdir(), 'db')
  const all = new Map([...records(60_000), ...large])
  const writer = openDbmWriter(path, 'GDBM', 'truncate')
  fill(writer, all)
  writer.close()
  t.same(listed(path), sortedRecords(all))
  const { bits, buckets } = shape(path)
  t.ok(bits > 9, `${bits} bits`)
  t.ok(buckets > 360, `${buckets} buckets`)

  const again = openDbmWriter(path, 'GDBM', 'existing')
  for (const key of all.keys()) if (key.startsWith('user') && !key.endsWith('0')) again.delete(bytes(key))
  again.close()
  t.same(listed(path), sortedRecords(new Map([...all].filter(([key]) => !key.startsWith('user') || key.endsWith('0')))))
  t.equal(shape(path).bits, 9, 'and shrinks with them to one block')
})

t.test('a file that the tools wrote can be changed', async (t) => {
  const { gdbm } = writeFixtures(t.testdir())
  const expected = fixtureRecords()
  const writer = openDbmWriter(gdbm.path, 'GDBM', 'existing')
  t.equal(writer.insert(bytes('user1'), bytes('other')), false)
  t.equal(writer.get(bytes('user1'))?.toString(), 'v1,g1')
  t.equal(writer.delete(bytes('user7')), false)
  t.equal(writer.delete(bytes('user8')), true)
  fill(writer, new Map([...large, ['user9', 'z'.repeat(9000)]]))
  writer.close()
  expected.delete('user8')
  t.same(listed(gdbm.path), sortedRecords(new Map([...expected, ...large, ['user9', 'z'.repeat(9000)]])))
})

t.test('a file keeps its kind: width of offsets, header and its extension, size of blocks', async (t) => {
  const path = join(t.testdir(), 'db')
  for (const [name, kind] of Object.entries(GDBM_KINDS)) {
    const file = buildGdbm(kind, records(300))
    const extension = kind.offset === 8 ? 40 : 32
    if (kind.extension > 0) file.writeUInt32LE(77, extension + 4)
    writeFileSync(path, file)
    const writer = openDbmWriter(path, 'GDBM', 'existing')
    fill(writer, large)
    writer.close()
    t.same(listed(path), sortedRecords(new Map([...records(300), ...large])), name)
    const changed = readFileSync(path)
    t.same(changed.subarray(0, 8), file.subarray(0, 8), `${name}: magic number and block size`)
    if (kind.extension > 0) t.same(changed.subarray(extension, extension + 32), file.subarray(extension, extension + 32), name)
  }
})

t.test(
  'existing wants a file, create keeps what is there, truncate begins anew, and an empty file is an empty database',
  async (t) => {
    const path = join(t.testdir(), 'db')
    t.throws(() => openDbmWriter(path, 'GDBM', 'existing'), { code: 120003 })
    const first = openDbmWriter(path, 'GDBM', 'create')
    first.replace(bytes('bob'), bytes('pw'))
    first.close()
    openDbmWriter(path, 'GDBM', 'create').close()
    t.same(listed(path), [['bob', 'pw']])
    openDbmWriter(path, 'GDBM', 'truncate').close()
    t.same(listed(path), [])
    writeFileSync(path, '')
    const onEmpty = openDbmWriter(path, 'GDBM', 'existing')
    onEmpty.insert(bytes('eve'), bytes(''))
    onEmpty.close()
    t.same(listed(path), [['eve', '']])
  },
)

t.test('nothing of a deleted or replaced value stays in the file', async (t) => {
  const path = join(t.testdir(), 'db')
  const writer = openDbmWriter(path, 'GDBM', 'truncate')
  fill(writer, new Map([...records(3), ['bob', 'secret-one'], ['eve', 'secret-two'], ['tom', 'kept']]))
  writer.close()
  const again = openDbmWriter(path, 'GDBM', 'existing')
  again.delete(bytes('bob'))
  again.replace(bytes('eve'), bytes('new'))
  again.close()
  t.notOk(readFileSync(path, 'latin1').includes('secret'))
  t.ok(readFileSync(path, 'latin1').includes('kept'))
})

t.test('what is no sound GDBM file is not written over', async (t) => {
  const { gdbm } = writeFixtures(t.testdir())
  const file = readFileSync(gdbm.path)
  const broken: [string, number, (copy: Buffer) => void][] = [
    ['of another magic number', 120007, (copy) => copy.writeUInt32LE(1, 0)],
    ['of another block size', 120033, (copy) => copy.writeUInt32LE(8192, 4)],
    ['with a directory entry that leads out of the file', 120036, (copy) => copy.writeUInt32LE(0xffffff, 4096 + 8 * 100)],
    [
      'with a bucket that belongs to another entry',
      120036,
      (copy) => copy.writeUInt32LE(copy.readUInt32LE(4096), 4096 + 8 * 511),
    ],
  ]
  for (const [what, code, breakIt] of broken) {
    const copy = Buffer.from(file)
    breakIt(copy)
    writeFileSync(gdbm.path, copy)
    for (const mode of ['existing', 'create'] as const) t.throws(() => openDbmWriter(gdbm.path, 'GDBM', mode), { code }, what)
    t.ok(readFileSync(gdbm.path).equals(copy), `a file ${what} is as it was`)
  }
})
