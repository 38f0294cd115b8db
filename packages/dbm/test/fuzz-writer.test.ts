import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cpuStopwatch, seededNumbers } from '@gatewright/testing'
import t from 'tap'
import { DbmError, openDbm, openDbmWriter } from '../src/index.ts'
import { bytes, fixtureRecords, large, type Records } from './support/dataset.ts'
import { writeFixtures } from './support/files.ts'
import { damage, rewrite } from './support/mutants.ts'

const MUTANTS = 80
/** Milliseconds of processor time, for what takes a few hundred unless it reads what a file merely claims to have. */
const RUNAWAY = 20_000
const known = [...fixtureRecords().keys(), ...large.keys()]
const NEW: Records = new Map([
  ['fresh', 'value'],
  ['user1', 'replaced'],
  ['void', ''],
])

/** What a reader lists, by the key; undefined if it cannot. */
function list(path: string, type: string): Records | undefined {
  try {
    const reader = openDbm(path, type)
    try {
      return new Map(Array.from(reader.entries(), ([key, value]) => [key.toString('latin1'), value.toString('latin1')]))
    } finally {
      reader.close()
    }
  } catch (error) {
    if (error instanceof DbmError) return undefined
    throw error
  }
}

/** Changes a damaged database and looks at what came of it. @returns whether the writer accepted it */
function change(path: string, type: string, random: (limit: number) => number): boolean {
  const before = list(path, type)
  const gone = known[random(known.length)]
  try {
    const writer = openDbmWriter(path, type, 'create')
    try {
      writer.delete(bytes(gone))
      for (const [key, value] of NEW) writer.replace(bytes(key), bytes(value))
      writer.close()
    } finally {
      writer.abandon()
    }
  } catch (error) {
    if (!(error instanceof DbmError)) throw error
    return false
  }
  if (before === undefined) throw new Error('a writer took what a reader refuses')
  before.delete(gone)
  for (const [key, value] of NEW) before.set(key, value)
  const after = list(path, type)
  if (after === undefined) throw new Error('the changed database cannot be read')
  const differing = [...new Set([...before.keys(), ...after.keys()])].filter((key) => before.get(key) !== after.get(key))
  if (differing.length > 0) throw new Error(`records were lost or changed: ${JSON.stringify(differing)}`)
  return true
}

t.test('a damaged database is rejected and unchanged, or changed without losing readable records', async (t) => {
  const { sdbm, gdbm, gdbmExtended } = writeFixtures(t.testdir())
  for (const { path, type } of [sdbm, gdbm, gdbmExtended]) {
    const parts = type === 'SDBM' ? [`${path}.pag`, `${path}.dir`] : [path]
    const originals = parts.map((part) => readFileSync(part))
    const random = seededNumbers(20120212)
    const outcomes = { refused: 0, changed: 0 }
    let slowest = 0
    for (let mutant = 0; mutant < MUTANTS; mutant++) {
      for (const [index, part] of parts.entries()) rewrite(part, originals[index])
      const target = random(parts.length)
      rewrite(parts[target], damage(originals[target], random))
      const damaged = parts.map((part) => readFileSync(part))
      const spent = cpuStopwatch()
      try {
        if (change(path, type, random)) outcomes.changed++
        else {
          outcomes.refused++
          if (parts.some((part, index) => !readFileSync(part).equals(damaged[index])))
            t.fail(`${type}, mutant ${mutant}: written to`)
        }
      } catch (error) {
        t.fail(`${path}, mutant ${mutant}: ${error}`)
      }
      slowest = Math.max(slowest, spent())
      if (parts.some((part) => existsSync(`${part}.new`))) t.fail(`${type}, mutant ${mutant}: leaves a file behind`)
    }
    t.ok(outcomes.refused > 0 && outcomes.changed > 0, `${path}: ${JSON.stringify(outcomes)}`)
    t.ok(slowest < RUNAWAY, `${path}: the slowest took ${slowest.toFixed(0)} ms of processor time`)
  }
})

t.test('a directory that leads everywhere to itself, to the header or to one bucket is refused', async (t) => {
  const { gdbm } = writeFixtures(t.testdir())
  const file = readFileSync(gdbm.path)
  const directory = file.readUInt32LE(8)
  const aims: [string, (entry: number) => number][] = [
    ['to itself', (entry) => directory + 8 * entry],
    ['to the header', () => 0],
    ['to the directory', () => directory],
    ['to the bucket of the last entry', () => file.readUInt32LE(directory + 8 * 511)],
    ['to the end of the file', () => file.length],
    ['beyond all files', () => 2 ** 32 - 1],
  ]
  for (const [what, aim] of aims) {
    const copy = Buffer.from(file)
    for (let entry = 0; entry < 512; entry++) copy.writeUInt32LE(aim(entry), directory + 8 * entry)
    writeFileSync(gdbm.path, copy)
    t.throws(() => openDbmWriter(gdbm.path, 'GDBM', 'existing'), DbmError, what)
    t.throws(() => Array.from(openDbm(gdbm.path, 'GDBM').entries()), DbmError, what)
    const reader = openDbm(gdbm.path, 'GDBM')
    for (const key of known) {
      const value = reader.get(bytes(key))?.toString('latin1')
      if (value !== undefined && value !== fixtureRecords().get(key)) t.fail(`${what}: a wrong value of ${key}`)
    }
  }
})

t.test('sizes that no file has are refused at once, however long the file claims to be', async (t) => {
  const directory = t.testdir()
  const { sdbm, gdbm, berkeley } = writeFixtures(directory)
  const spent = cpuStopwatch()
  const field = (at: number, value: number): Buffer => {
    const copy = readFileSync(gdbm.path)
    copy.writeUInt32LE(value, at)
    return copy
  }
  const path = join(directory, 'absurd')
  for (const [what, file] of [
    ['block size', field(4, 0x7fffffff)],
    ['directory size', field(16, 0x7fffffff)],
    ['directory bits', field(20, 31)],
    ['bucket size', field(24, 0x7fffffff)],
    ['elements', field(28, 0x7fffffff)],
  ] as const) {
    writeFileSync(path, file)
    t.throws(() => openDbmWriter(path, 'GDBM', 'existing'), DbmError, `GDBM, ${what}`)
    // Sparse: terabytes by name, kilobytes on disk.
    truncateSync(path, 2 ** 40)
    t.throws(() => openDbmWriter(path, 'GDBM', 'existing'), DbmError, `GDBM, ${what}, in a terabyte`)
  }

  truncateSync(`${sdbm.path}.pag`, 2 ** 40)
  t.equal(list(sdbm.path, 'SDBM')?.size, fixtureRecords().size, 'SDBM: pages that no key leads to are not looked at')
  t.ok(change(sdbm.path, 'SDBM', seededNumbers(1)), 'nor kept')
  truncateSync(`${sdbm.path}.dir`, 2 ** 40)
  t.throws(() => openDbmWriter(sdbm.path, 'SDBM', 'existing'), { code: 27 })
  t.throws(() => openDbm(sdbm.path, 'SDBM'), { code: 27 })
  truncateSync(berkeley.path, 2 ** 40)
  t.equal(list(berkeley.path, 'DB')?.size, fixtureRecords().size, 'Berkeley DB')
  t.ok(spent() < RUNAWAY, 'all that takes no time to speak of')
})
