import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { DbmError, openDbm } from '../src/index.ts'
import { bytes } from './support/dataset.ts'
import { unpack, writeFixtures } from './support/files.ts'
import { berkeleyBtree } from './support/fixtures.ts'

const NOT_UNDERSTOOD = 'APR does not understand this error code'
const TEXTS: Record<number, string> = {
  2: 'No such file or directory',
  13: 'Permission denied',
  20: 'Not a directory',
  21: 'Is a directory',
  20019: 'DSO load failed',
}

function failure(path: string, type: string): DbmError | undefined {
  try {
    openDbm(path, type).close()
    return undefined
  } catch (error) {
    if (error instanceof DbmError) return error
    throw error
  }
}

/** The fixtures, and beside them what is no DBM file or a damaged one. */
function writeFiles(directory: string): string {
  writeFixtures(directory)
  const at = (name: string): string => join(directory, name)
  const gdbm = readFileSync(at('gdbm'))
  const db = readFileSync(at('berkeley'))
  writeFileSync(at('empty'), '')
  writeFileSync(at('short'), 'x\n')
  writeFileSync(at('text'), 'bob:$apr1$\n'.repeat(100))
  writeFileSync(at('zeros'), Buffer.alloc(20_000))
  writeFileSync(at('btree'), unpack(berkeleyBtree))
  mkdirSync(at('directory'))
  writeFileSync(at('nopag.dir'), '')
  writeFileSync(at('nodir.pag'), Buffer.alloc(1024))
  writeFileSync(at('gdbm-cut'), gdbm.subarray(0, 30))
  writeFileSync(at('gdbm-header-only'), gdbm.subarray(0, 4096))
  writeFileSync(at('gdbm-swapped'), Buffer.concat([Buffer.from(gdbm.subarray(0, 4)).reverse(), gdbm.subarray(4)]))
  writeFileSync(at('gdbm-block-size'), patched(gdbm, 24, 77))
  writeFileSync(at('db-cut'), db.subarray(0, 600))
  writeFileSync(at('db-version-10'), patched(db, 16, 10))
  writeFileSync(at('db-version-7'), patched(db, 16, 7))
  writeFileSync(at('db-encrypted'), patched(db, 24, 0x0801))
  writeFileSync(at('db-checksum'), patched(db, 24, 0x010800))
  writeFileSync(at('db-duplicates'), patched(db, 48, 1))
  writeFileSync(at('db-own-hash'), patched(db, 92, 1))
  return directory
}

function patched(file: Buffer, at: number, word: number): Buffer {
  const copy = Buffer.from(file)
  copy.writeUInt32LE(word, at)
  return copy
}

// What httpd 2.4.71 logs (mod_authn_dbm), but for the rows under a comment that says they are ours.
const rows: [type: string, file: string, code: number][] = [
  ['SDBM', 'missing', 2],
  ['SDBM', 'missing/x', 2],
  ['SDBM', 'gdbm/x', 20],
  ['SDBM', 'gdbm', 2],
  ['SDBM', 'sdbm.pag', 2],
  ['SDBM', 'nopag', 2],
  ['SDBM', 'nodir', 2],
  ['GDBM', 'missing', 120003],
  ['GDBM', 'gdbm/x', 120003],
  ['GDBM', 'sdbm', 120003],
  ['GDBM', 'directory', 120006],
  ['GDBM', 'empty', 120008],
  ['GDBM', 'short', 120025],
  ['GDBM', 'gdbm-cut', 120025],
  ['GDBM', 'text', 120007],
  ['GDBM', 'zeros', 120007],
  ['GDBM', 'berkeley', 120007],
  ['GDBM', 'sdbm.pag', 120007],
  ['GDBM', 'gdbm-swapped', 120021],
  ['GDBM', 'gdbm-header-only', 120033],
  ['GDBM', 'gdbm-block-size', 120033],
  ['DB', 'missing', 120002],
  ['DB', 'gdbm/x', 120020],
  ['DB', 'sdbm', 120002],
  ['DB', 'directory', 120021],
  ['DB', 'empty', 120022],
  ['DB', 'short', 120022],
  ['DB', 'text', 120022],
  ['DB', 'zeros', 120022],
  ['DB', 'gdbm', 120022],
  ['DB', 'db-cut', 120022],
  ['DB', 'db-version-10', 120022],
  // Ours: httpd's library can read these.
  ['DB', 'btree', 120022],
  ['DB', 'db-version-7', 120022],
  ['DB', 'db-duplicates', 120022],
  // Ours: what the tools never write.
  ['DB', 'db-encrypted', 120022],
  ['DB', 'db-checksum', 120022],
  ['DB', 'db-own-hash', 120022],
  // Ours: the type default has no driver of its own.
  ['default', 'missing', 2],
  ['default', 'gdbm/x', 20],
  ['default', 'directory', 21],
  ['default', 'empty', 120022],
  ['default', 'text', 120022],
  ['default', 'zeros', 120022],
  ['default', 'sdbm.pag', 120022],
  ['default', 'btree', 120022],
  ['default', 'gdbm-header-only', 120033],
  ['NDBM', 'gdbm', 20019],
  ['LMDB', 'missing', 20019],
  ['foo', 'gdbm', 20019],
  ['', 'gdbm', 20019],
  ['sdbm ', 'sdbm', 20019],
]

t.test('a file that cannot be opened fails with the number and text that httpd logs', async (t) => {
  const directory = writeFiles(t.testdir())
  for (const [type, file, code] of rows) {
    const error = failure(join(directory, file), type)
    t.same([error?.code, error?.text], [code, TEXTS[code] ?? NOT_UNDERSTOOD], `${type} ${file}: ${error?.message}`)
  }
})

t.test('an error message describes the fault in plain words', async (t) => {
  const directory = writeFiles(t.testdir())
  const message = (file: string, type: string): string => failure(join(directory, file), type)?.message ?? 'none'
  t.match(message('btree', 'DB'), /is a Berkeley DB file of the btree method, only hash can be read/)
  t.match(message('db-version-10', 'DB'), /has version 10 .* only 8 and 9/)
  t.match(message('gdbm-swapped', 'GDBM'), /other byte order/)
  t.match(message('text', 'default'), /neither a GDBM nor a Berkeley DB file/)
  t.match(message('nopag', 'SDBM'), /nopag\.pag/)
  t.match(message('nodir', 'SDBM'), /nodir\.dir/)
  t.match(message('gdbm', 'NDBM'), /unknown DBM type NDBM/)
})

/** Runs something without the privileges of root, who may read everything. */
function unprivileged<T>(use: () => T): T {
  const root = process.geteuid?.() === 0
  if (root) process.seteuid?.(65534)
  try {
    return use()
  } finally {
    if (root) process.seteuid?.(0)
  }
}

t.test('a file that may not be read is an error of the type', async (t) => {
  const directory = writeFiles(t.testdir())
  for (const name of ['sdbm.pag', 'gdbm', 'berkeley']) chmodSync(join(directory, name), 0)
  const code = (file: string, type: string): number | undefined => unprivileged(() => failure(join(directory, file), type))?.code
  t.equal(code('sdbm', 'SDBM'), 13)
  t.equal(code('gdbm', 'GDBM'), 120003)
  t.equal(code('berkeley', 'DB'), 120013)
  t.equal(code('gdbm', 'default'), 13)
})

t.test('a named pipe is refused at once instead of being waited for', async (t) => {
  const path = join(t.testdir(), 'pipe')
  t.equal(spawnSync('mkfifo', [path]).status, 0)
  t.equal(failure(path, 'default')?.code, 22)
})

t.test('a path is bytes, one character each', async (t) => {
  const directory = t.testdir()
  writeFileSync(Buffer.from(join(directory, 'gr\xfc\xdfe.pag'), 'latin1'), Buffer.alloc(0))
  writeFileSync(Buffer.from(join(directory, 'gr\xfc\xdfe.dir'), 'latin1'), Buffer.alloc(0))
  const reader = openDbm(join(directory, 'gr\xfc\xdfe'), 'SDBM')
  t.equal(reader.get(bytes('bob')), undefined)
  t.same([...reader.entries()], [])
})

t.test('an SDBM database of two empty files is empty, and a page cut short is damaged', async (t) => {
  const directory = writeFiles(t.testdir())
  writeFileSync(join(directory, 'e.dir'), '')
  writeFileSync(join(directory, 'e.pag'), '')
  const empty = openDbm(join(directory, 'e'), 'SDBM')
  t.equal(empty.get(bytes('bob')), undefined)
  t.equal(empty.damage, undefined)
  writeFileSync(join(directory, 'e.pag'), Buffer.alloc(500))
  const cut = openDbm(join(directory, 'e'), 'SDBM')
  t.equal(cut.get(bytes('bob')), undefined, 'not found, as in httpd')
  t.same([cut.damage?.code, cut.damage?.text], [28, 'No space left on device'])
  t.throws(() => [...cut.entries()], DbmError)
})

t.test('a key that damage hides counts as absent, and the reader reports the damage', async (t) => {
  const directory = writeFiles(t.testdir())
  const gdbm = readFileSync(join(directory, 'gdbm'))
  const db = readFileSync(join(directory, 'berkeley'))
  writeFileSync(join(directory, 'gdbm'), Buffer.concat([gdbm.subarray(0, 8192), Buffer.alloc(gdbm.length - 8192, 0xff)]))
  writeFileSync(join(directory, 'berkeley'), Buffer.concat([db.subarray(0, 4096), Buffer.alloc(db.length - 4096, 0xff)]))
  for (const [file, type] of [
    ['gdbm', 'GDBM'],
    ['berkeley', 'DB'],
  ]) {
    const reader = openDbm(join(directory, file), type)
    t.equal(reader.get(bytes('user1')), undefined, type)
    t.match(reader.damage?.message, /damaged/, type)
    t.ok((reader.damage?.code ?? 0) >= 120000, type)
    t.throws(() => [...reader.entries()], DbmError, type)
  }
})
