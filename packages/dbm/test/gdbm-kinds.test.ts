import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openDbm } from '../src/index.ts'
import { bytes, large, records, sorted, sortedRecords } from './support/dataset.ts'
import { buildGdbm, GDBM_KINDS } from './support/gdbm-file.ts'
import { missingTools, run } from './support/tools.ts'

const all = new Map([...records(500), ...large])

t.test('GDBM files of both offset widths, with and without extended header, are read', async (t) => {
  const directory = t.testdir()
  for (const [name, kind] of Object.entries(GDBM_KINDS)) {
    const path = join(directory, 'db')
    writeFileSync(path, buildGdbm(kind, all))
    for (const type of ['GDBM', 'default']) {
      const reader = openDbm(path, type)
      for (const [key, value] of all) {
        if (reader.get(bytes(key))?.toString('latin1') !== value) t.fail(`${name}: ${JSON.stringify(key)}`)
      }
      t.equal(reader.get(bytes('nobody')), undefined, name)
      t.same(sorted(reader.entries()), sortedRecords(all), `${name}, type ${type}`)
      reader.close()
    }
  }
})

t.test('the real library reads the 64-bit files of this test too', { skip: missingTools() }, async (t) => {
  const path = join(t.testdir(), 'db')
  for (const name of ['offsets of 64 bits', 'offsets of 64 bits and extended header']) {
    writeFileSync(path, buildGdbm(GDBM_KINDS[name], records(300)))
    const { status, output } = run('htdbm', ['-lTGDBM', path])
    t.equal(status, 0)
    t.match(output, `Total #records : ${records(300).size}`, name)
    t.match(output, /user299\s/, name)
  }
})
