import { readFileSync, writeFileSync } from 'node:fs'
import { cpuStopwatch, seededNumbers } from '@gatewright/testing'
import t from 'tap'
import { DbmError, openDbm } from '../src/index.ts'
import { bytes, fixtureRecords, large } from './support/dataset.ts'
import { writeFixtures } from './support/files.ts'
import { damage, rewrite } from './support/mutants.ts'

const MUTANTS = 250
/** Milliseconds of processor time; a mutant takes a few, one that runs in circles or reads what is not there takes minutes. */
const RUNAWAY = 20_000
const known = [...fixtureRecords().keys(), ...large.keys()].map(bytes)

t.test('a damaged file gives records or DbmError, soon, and only records that a look-up finds', async (t) => {
  const files = writeFixtures(t.testdir())
  for (const [name, { path, type }] of Object.entries(files)) {
    const parts = type === 'SDBM' ? [`${path}.pag`, `${path}.dir`] : [path]
    const originals = parts.map((part) => readFileSync(part))
    const random = seededNumbers(20120211)
    const outcomes = { refused: 0, stopped: 0, read: 0 }
    let slowest = 0
    for (let mutant = 0; mutant < MUTANTS; mutant++) {
      const target = random(parts.length)
      rewrite(parts[target], damage(originals[target], random))
      const spent = cpuStopwatch()
      let outcome: keyof typeof outcomes = 'refused'
      try {
        const reader = openDbm(path, type)
        outcome = 'stopped'
        for (let index = 0; index < 20; index++) reader.get(known[random(known.length)])
        for (const [key, value] of reader.entries()) {
          if (reader.get(key)?.equals(value) !== true)
            t.fail(`${name}, mutant ${mutant}: listed, not found: ${key.toString('hex')}`)
        }
        reader.close()
        outcome = 'read'
      } catch (error) {
        if (!(error instanceof DbmError)) t.fail(`${name}, mutant ${mutant}: ${error}`)
      }
      outcomes[outcome]++
      slowest = Math.max(slowest, spent())
      rewrite(parts[target], originals[target])
    }
    t.ok(outcomes.read > 0 && outcomes.stopped + outcomes.refused > 0, `${name}: ${JSON.stringify(outcomes)}`)
    t.ok(slowest < RUNAWAY, `${name}: the slowest took ${slowest.toFixed(0)} ms of processor time`)
  }
})

t.test('noise of any length is no database', async (t) => {
  const { berkeley, sdbm } = writeFixtures(t.testdir())
  const random = seededNumbers(42)
  for (let length = 0; length < 3000; length += 97) {
    const noise = Buffer.from(Array.from({ length }, () => random(256)))
    writeFileSync(berkeley.path, noise)
    for (const type of ['default', 'GDBM', 'DB'])
      t.throws(() => openDbm(berkeley.path, type), DbmError, `${length} bytes as ${type}`)
    writeFileSync(`${sdbm.path}.pag`, noise)
    const reader = openDbm(sdbm.path, 'SDBM')
    t.ok(
      known.every((key) => reader.get(key) === undefined),
      `${length} bytes as SDBM`,
    )
    reader.close()
  }
})

t.test('chains of pages that run in circles end', async (t) => {
  const { berkeleySmallPages } = writeFixtures(t.testdir())
  const { path } = berkeleySmallPages
  const file = readFileSync(path)
  for (let page = 1; page * 512 < file.length; page++) {
    // Every page is its own successor, whether it belongs to a bucket or to a long item.
    file.writeUInt32LE(page, page * 512 + 16)
  }
  writeFileSync(path, file)
  const reader = openDbm(path, 'DB')
  const spent = cpuStopwatch()
  t.equal(reader.get(bytes('huge')), undefined)
  t.equal(reader.get(bytes('nobody')), undefined)
  t.match(reader.damage?.message, /damaged/)
  t.throws(() => [...reader.entries()], DbmError)
  t.ok(spent() < RUNAWAY)
})
