import { truncateSync } from 'node:fs'
import t from 'tap'
import { DbmError, dbmFiles, openDbm } from '../src/index.ts'
import { bytes, deleted, fixtureRecords, large, type Records, records, sorted, sortedRecords } from './support/dataset.ts'
import { writeFixtures } from './support/files.ts'

const extended: Records = new Map([...records(20)].filter(([key]) => key.startsWith('user')))
const contents: Record<string, Records> = {
  sdbm: fixtureRecords(),
  gdbm: fixtureRecords(),
  gdbmExtended: extended,
  berkeley: fixtureRecords(),
  berkeleyBigEndian: fixtureRecords(),
  berkeleySmallPages: new Map([...fixtureRecords(), ...large]),
}
const absent = [...deleted, 'user200', 'USER1', 'user1 ', 'user1\0', 'user', 'nobody', '\xe9', 'x'.repeat(5000)]

t.test('every record of every format is found by its key and listed once', async (t) => {
  const files = writeFixtures(t.testdir())
  for (const [name, expected] of Object.entries(contents)) {
    const { path, type } = files[name]
    const reader = openDbm(path, type)
    for (const [key, value] of expected) {
      if (reader.get(bytes(key))?.toString('latin1') !== value) t.fail(`${name}: ${JSON.stringify(key)}`)
    }
    for (const key of absent.filter((key) => !expected.has(key)))
      t.equal(reader.get(bytes(key)), undefined, `${name} has no ${key.slice(0, 20)}`)
    t.same(sorted(reader.entries()), sortedRecords(expected), `${name} lists ${expected.size} records`)
    t.same(sorted(reader.entries()), sortedRecords(expected), `${name} lists them again`)
    t.equal(reader.damage, undefined, `${name} is sound`)
    reader.close()
  }
})

t.test('the type default opens whichever of the three the file is', async (t) => {
  for (const [name, { path }] of Object.entries(writeFixtures(t.testdir()))) {
    for (const type of ['default', 'Default', 'DEFAULT']) {
      const reader = openDbm(path, type)
      t.equal(reader.get(bytes('user9'))?.toString(), 'v81,g2', `${name} as ${type}`)
      reader.close()
    }
  }
})

t.test('files too large to be kept in memory are read in place', async (t) => {
  const { sdbm, gdbm, berkeley } = writeFixtures(t.testdir())
  for (const [path, type, file] of [
    [sdbm.path, sdbm.type, `${sdbm.path}.pag`],
    [gdbm.path, gdbm.type, gdbm.path],
    [berkeley.path, berkeley.type, berkeley.path],
  ]) {
    truncateSync(file, 5 * 1024 * 1024)
    const reader = openDbm(path, type)
    t.same(sorted(reader.entries()), sortedRecords(fixtureRecords()), type)
    t.equal(reader.get(bytes('user199'))?.toString(), 'v39601,g3', type)
    reader.close()
    t.throws(() => reader.get(bytes('user199')), { code: 9, text: 'Bad file descriptor' }, `${type}, closed`)
  }
})

t.test('a reader that is closed reads no more, and closing it again is harmless', async (t) => {
  for (const [name, { path, type }] of Object.entries(writeFixtures(t.testdir()))) {
    const reader = openDbm(path, type)
    reader.close()
    reader.close()
    t.throws(() => reader.get(bytes('user9')), DbmError, name)
    t.throws(() => [...reader.entries()], DbmError, name)
  }
})

t.test('an empty key is absent from SDBM, which cannot store it', async (t) => {
  const { sdbm } = writeFixtures(t.testdir())
  t.equal(openDbm(sdbm.path, sdbm.type).get(Buffer.alloc(0)), undefined)
})

t.test('a database is made of the files that decide what opening it gives', async (t) => {
  t.same(dbmFiles('/conf/users', 'SDBM'), ['/conf/users.dir', '/conf/users.pag'])
  t.same(dbmFiles('/conf/users.pag', 'sdbm'), ['/conf/users.pag.dir', '/conf/users.pag.pag'])
  t.same(dbmFiles('/conf/users', 'GDBM'), ['/conf/users'])
  t.same(dbmFiles('/conf/users', 'DB'), ['/conf/users'])
  t.same(dbmFiles('/conf/users', 'default'), ['/conf/users', '/conf/users.dir', '/conf/users.pag'])
  t.throws(() => dbmFiles('/conf/users', 'NDBM'), { code: 20019, text: 'DSO load failed' })
})
