import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seededNumbers } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { DbmLookup, openDbm, openDbmWriter } from '../src/index.ts'
import { bytes, fixtureRecords, large, type Records } from './support/dataset.ts'
import { writeFixtures } from './support/files.ts'

/** Looks for all records: each is found as it was stored, or the reader tells of damage. @returns how many were not found */
function check(t: Test, path: string, type: string, records: Records, what: string): number {
  let missing = 0
  for (const [key, value] of records) {
    const reader = openOrNothing(path, type)
    if (reader === undefined) return records.size
    const found = reader.get(bytes(key))?.toString('latin1')
    if (found === undefined) missing++
    if (found === undefined ? reader.damage === undefined : found !== value) t.fail(`${what}: ${key} is ${found}`)
    reader.close()
  }
  return missing
}

function openOrNothing(path: string, type: string): ReturnType<typeof openDbm> | undefined {
  try {
    return openDbm(path, type)
  } catch {
    return undefined
  }
}

/** Some of the records, to be quick. */
function sample(records: Records): Records {
  return new Map([...records].filter((_, index) => index % 9 === 0))
}

t.test('in a truncated file every record is found, or the reader reports damage', async (t) => {
  const files = writeFixtures(t.testdir())
  const random = seededNumbers(20120213)
  for (const [name, { path, type }] of Object.entries(files)) {
    const stored = sample(new Map([...fixtureRecords(), ...large]))
    const whole = openDbm(path, type)
    for (const [key, value] of stored) if (whole.get(bytes(key))?.toString('latin1') !== value) stored.delete(key)
    whole.close()
    for (const part of type === 'SDBM' ? [`${path}.pag`, `${path}.dir`] : [path]) {
      const original = readFileSync(part)
      let missing = 0
      for (let cut = 0; cut < 25; cut++) {
        // Where a block ends as often as anywhere else.
        const length = cut % 2 === 0 ? random(original.length) : 512 * random(original.length / 512)
        writeFileSync(part, original.subarray(0, length))
        missing += check(t, path, type, stored, `${name} cut to ${length} bytes`)
      }
      writeFileSync(part, original)
      t.ok(missing > 0, `${name}: ${missing} records were behind the cuts`)
    }
  }
})

t.test('a directory that leads elsewhere hides no record', async (t) => {
  const { sdbm, gdbm } = writeFixtures(t.testdir())
  const stored = sample(fixtureRecords())
  const bits = readFileSync(`${sdbm.path}.dir`)
  for (let bit = 0; bit < 64; bit++) {
    const changed = Buffer.from(bits)
    changed[bit >> 3] ^= 1 << (bit & 7)
    writeFileSync(`${sdbm.path}.dir`, changed)
    check(t, sdbm.path, sdbm.type, stored, `SDBM, bit ${bit}`)
  }
  const file = readFileSync(gdbm.path)
  const directory = file.readUInt32LE(8)
  const random = seededNumbers(20120214)
  for (let round = 0; round < 30; round++) {
    const changed = Buffer.from(file)
    for (let count = 0; count < 300; count++) {
      const [to, from] = [directory + 8 * random(512), directory + 8 * random(512)]
      file.copy(changed, to, from, from + 8)
    }
    writeFileSync(gdbm.path, changed)
    check(t, gdbm.path, gdbm.type, stored, `GDBM, round ${round}`)
  }
  t.pass('every record was found, or its absence explained')
})

t.test('a look-up for the server fails where damage may hide the key', async (t) => {
  const path = join(t.testdir(), 'db')
  const writer = openDbmWriter(path, 'SDBM', 'truncate')
  for (let user = 0; user < 200; user++) writer.replace(bytes(`user${user}`), bytes(`group${user}`))
  writer.close()
  truncateSync(`${path}.pag`, 1024)
  const lookup = new DbmLookup((_, open) => {
    const reader = open()
    return { current: () => reader }
  })
  const answers = Array.from({ length: 200 }, (_, user) => lookup.find(path, 'SDBM', [`user${user}`]))
  t.ok(answers.some((answer) => typeof answer === 'object'))
  t.notOk(answers.includes(undefined))
  t.match(
    answers.find((answer) => typeof answer === 'object'),
    { code: 28, text: 'No space left on device' },
  )
})
