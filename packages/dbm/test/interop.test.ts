import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { type DbmReader, openDbm, openDbmWriter } from '../src/index.ts'
import { sdbmHash } from '../src/sdbm/hash.ts'
import { bytes, type Records, records, sorted, sortedRecords } from './support/dataset.ts'
import { missingProgram, missingTools, run } from './support/tools.ts'

const skip = missingTools()
const sha = (password: string): string => `{SHA}${createHash('sha1').update(password).digest('base64')}`
const TYPES = ['SDBM', 'GDBM', 'DB', 'default']

/** One record a line, as httxt2dbm reads it. */
function lines(all: Records): Buffer {
  return bytes([...all].map(([key, value]) => `${key} ${value}\n`).join(''))
}

function read<T>(path: string, type: string, use: (reader: DbmReader) => T): T {
  const reader = openDbm(path, type)
  try {
    return use(reader)
  } finally {
    reader.close()
  }
}

/** The users that htdbm lists, in the order of the file. */
function users(path: string, type: string): string[] {
  const { status, output } = run('htdbm', [`-lT${type}`, path])
  if (status !== 0) throw new Error(output)
  return output
    .split('\n')
    .filter((line) => line.startsWith('    '))
    .slice(1)
    .map((line) => line.trim().split(/\s+/)[0])
}

t.test('thousands of records that httxt2dbm wrote are all found, in every type', { skip }, async (t) => {
  const directory = t.testdir()
  const all = records(3000)
  writeFileSync(join(directory, 'in.txt'), lines(all))
  for (const type of TYPES) {
    const path = join(directory, `db-${type}`)
    const { status, output } = run('httxt2dbm', ['-f', type, '-i', join(directory, 'in.txt'), '-o', path])
    t.equal(status, 0, `${type} ${output}`)
    read(path, type, (reader) => {
      for (const [key, value] of all) {
        if (reader.get(bytes(key))?.toString('latin1') !== value) t.fail(`${type}: ${JSON.stringify(key)}`)
      }
      t.equal(reader.get(bytes('user3000')), undefined, type)
      t.same(sorted(reader.entries()), sortedRecords(all), type)
    })
    t.same(
      read(path, 'default', (reader) => sorted(reader.entries())),
      sortedRecords(all),
      `${type} read as default`,
    )
  }
})

t.test('records that htdbm added, replaced and removed are seen so, in the order that it lists them', { skip }, async (t) => {
  const directory = t.testdir()
  for (const type of TYPES) {
    const path = join(directory, `db-${type}`)
    t.equal(run('htdbm', [`-cbsT${type}`, path, 'user0', 'pw0']).status, 0, type)
    for (let user = 1; user < 40; user++) run('htdbm', [`-bstT${type}`, path, `user${user}`, `pw${user}`, `group${user},all`])
    for (let user = 0; user < 40; user += 3) run('htdbm', [`-xT${type}`, path, `user${user}`])
    run('htdbm', [`-bsT${type}`, path, 'user1', 'other'])
    run('htdbm', [`-bsT${type}`, path, 'r\xe9n\xe9', 'pw'])
    read(path, type, (reader) => {
      t.equal(reader.get(bytes('user0')), undefined, type)
      t.equal(reader.get(bytes('user1'))?.toString(), sha('other'), `${type}, replaced`)
      t.match(reader.get(bytes('user2'))?.toString(), /^\{SHA\}[^:]+:group2,all$/, `${type}, with a comment`)
      const keys = Array.from(reader.entries(), ([key]) => key.toString('latin1'))
      t.equal(keys.length, 27, type)
      t.same(users(path, type), keys, type)
    })
  }
})

t.test('an SDBM database that we write is, byte for byte, what httxt2dbm writes', { skip }, async (t) => {
  const directory = t.testdir()
  const all = records(2000)
  writeFileSync(join(directory, 'in.txt'), lines(all))
  t.equal(run('httxt2dbm', ['-f', 'SDBM', '-i', join(directory, 'in.txt'), '-o', join(directory, 'theirs')]).status, 0)
  const writer = openDbmWriter(join(directory, 'ours'), 'SDBM', 'truncate')
  for (const [key, value] of all) writer.replace(bytes(key), bytes(value))
  writer.close()
  for (const extension of ['dir', 'pag']) {
    const [ours, theirs] = ['ours', 'theirs'].map((name) => readFileSync(join(directory, `${name}.${extension}`)))
    t.ok(ours.equals(theirs), `.${extension}, ${ours.length} bytes`)
  }
})

t.test('the writer gives up on keys that httxt2dbm gives up on, and on no others', { skip }, async (t) => {
  const directory = t.testdir()
  for (const [bits, refused] of [
    [9, false],
    [10, true],
  ] as const) {
    // Two keys that agree in exactly so many low bits of the hash, with values that share no page.
    const pair = ['k0']
    for (let number = 1; pair.length < 2; number++) {
      if (((sdbmHash(bytes(`k${number}`)) ^ sdbmHash(bytes('k0'))) & (2 ** (bits + 1) - 1)) === 2 ** bits) pair.push(`k${number}`)
    }
    writeFileSync(join(directory, 'in.txt'), lines(new Map(pair.map((key) => [key, 'x'.repeat(900)]))))
    const { status } = run('httxt2dbm', ['-f', 'SDBM', '-i', join(directory, 'in.txt'), '-o', join(directory, `theirs${bits}`)])
    const writer = openDbmWriter(join(directory, 'ours'), 'SDBM', 'truncate')
    const store = (): void => {
      for (const key of pair) writer.replace(bytes(key), bytes('x'.repeat(900)))
    }
    if (refused) t.throws(store, { code: 28 }, `${bits} bits`)
    else t.doesNotThrow(store, `${bits} bits`)
    writer.close()
    t.equal(status !== 0, refused, `httxt2dbm, ${bits} bits`)
  }
})

t.test('htdbm lists, verifies and changes a database that we wrote, and we change it again', { skip }, async (t) => {
  const directory = t.testdir()
  const hash = bytes(sha('other'))
  const names = Array.from({ length: 300 }, (_, user) => `user${user}`)
  for (const type of ['SDBM', 'GDBM']) {
    const path = join(directory, `db-${type}`)
    const writer = openDbmWriter(path, type, 'truncate')
    for (const name of names) writer.replace(bytes(name), hash)
    for (const name of names.slice(0, 100)) writer.delete(bytes(name))
    writer.close()
    t.same(users(path, type).sort(), names.slice(100).sort(), type)
    t.equal(run('htdbm', [`-vbT${type}`, path, 'user200', 'other']).status, 0, `${type}: the password is right`)
    t.not(run('htdbm', [`-vbT${type}`, path, 'user200', 'wrong']).status, 0, `${type}: the password is wrong`)

    for (const name of names.slice(100, 120)) t.equal(run('htdbm', [`-xT${type}`, path, name]).status, 0, name)
    t.equal(run('htdbm', [`-bsT${type}`, path, 'carol', 'pw']).status, 0)
    const again = openDbmWriter(path, type, 'existing')
    t.ok(again.get(bytes('carol')), type)
    t.notOk(again.get(bytes('user110')), type)
    for (const name of names.slice(0, 50)) again.insert(bytes(name), hash)
    again.close()
    t.same(users(path, type).sort(), [...names.slice(0, 50), ...names.slice(120), 'carol'].sort(), type)
  }
})

t.test('thousands of records go to and fro between httxt2dbm and us', { skip }, async (t) => {
  const directory = t.testdir()
  const odd: Records = new Map([
    ['', 'empty key'],
    ['void', ''],
    ['\xff\xfe key', '\x00\x01 value'],
    ['long', 'y'.repeat(20_000)],
  ])
  for (const type of ['SDBM', 'GDBM']) {
    const path = join(directory, `db-${type}`)
    const model = records(5000)
    const writer = openDbmWriter(path, type, 'truncate')
    for (const [key, value] of model) writer.replace(bytes(key), bytes(value))
    writer.close()

    // Half of them replaced, others new: full buckets split, and what is replaced leaves gaps.
    const theirs = new Map(
      [...records(9000)].filter(([key]) => Number(key.slice(4)) % 2 === 1).map(([key]) => [key, `theirs-${key}`]),
    )
    writeFileSync(join(directory, 'in.txt'), lines(theirs))
    t.equal(run('httxt2dbm', ['-f', type, '-i', join(directory, 'in.txt'), '-o', path]).status, 0, type)
    for (const [key, value] of theirs) model.set(key, value)
    t.same(
      read(path, type, (reader) => sorted(reader.entries())),
      sortedRecords(model),
      type,
    )

    const again = openDbmWriter(path, type, 'existing')
    for (const key of [...model.keys()].filter((_, index) => index % 3 === 0)) {
      if (!again.delete(bytes(key))) t.fail(`${type}: ${key}`)
      model.delete(key)
    }
    const added = type === 'GDBM' ? odd : new Map([['void', '']])
    for (const [key, value] of added) {
      again.replace(bytes(key), bytes(value))
      model.set(key, value)
    }
    again.close()

    writeFileSync(join(directory, 'in.txt'), lines(records(100)))
    t.equal(run('httxt2dbm', ['-f', type, '-i', join(directory, 'in.txt'), '-o', path]).status, 0, type)
    for (const [key, value] of records(100)) model.set(key, value)
    t.same(
      read(path, type, (reader) => sorted(reader.entries())),
      sortedRecords(model),
      `${type}, after all`,
    )
  }
})

t.test('gdbmtool finds nothing to mend in a GDBM file that we wrote', { skip: missingProgram('gdbmtool') }, async (t) => {
  const path = join(t.testdir(), 'db')
  for (const count of [0, 1, 400, 20_000]) {
    const all = new Map([...records(count), ['void', '']])
    const writer = openDbmWriter(path, 'GDBM', 'create')
    for (const [key, value] of all) writer.replace(bytes(key), bytes(value))
    writer.close()
    t.match(run('gdbmtool', ['-r', path, 'count']).output, new RegExp(`There (are|is) ${all.size} items? `))
    t.match(
      run('gdbmtool', [path, 'recover', 'verbose', 'summary']).output,
      /Recovery succeeded[\s\S]*Keys recovered: 0, failed: 0/,
    )
    t.equal(run('gdbmtool', ['-r', path, 'fetch', 'long']).output, `${all.get('long')}\n`)
    t.same(run('gdbmtool', [path, 'reorganize']).status, 0)
    t.same(
      read(path, 'GDBM', (reader) => sorted(reader.entries())),
      sortedRecords(all),
    )
  }
})
