import t from 'tap'
import * as dbm from '../src/index.ts'

t.test('the package exports these names and no others', async (t) => {
  t.same(Object.keys(dbm).sort(), [
    'DBM_TYPES',
    'DbmError',
    'DbmLookup',
    'dbmFiles',
    'openDbm',
    'openDbmWriter',
    'parseDbmType',
    'systemErrorOf',
  ])
})

t.test('a type is read in any case and without blanks', async (t) => {
  t.same(['SDBM', 'gdbm', 'Db', 'DEFAULT'].map(dbm.parseDbmType), ['sdbm', 'gdbm', 'db', 'default'])
  t.same(['', ' sdbm', 'ndbm', 'lmdb', 'db4', 'constructor'].map(dbm.parseDbmType), Array(6).fill(undefined))
})
