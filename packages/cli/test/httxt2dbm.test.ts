import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDbm } from '@gatewright/dbm'
import t from 'tap'
import { httxt2dbm } from '../src/httxt2dbm/httxt2dbm.ts'
import { comparable, folders, missingTools, ours, theirs } from './support/side-by-side.ts'

const many = (count: number): string => 'p'.repeat(count)

const TEXTS: Readonly<Record<string, string>> = {
  plain: '# comment\n\nbob admins,staff\nalice staff\n  carol admins\ndave\neve one two\nbob dup\nfay\tx\n',
  odd: 'a\\ b c\n"x y" z\n\tk v\nq\rr s\nu v\r\n \n\xe9\xa0 \xff\n#x y\nm\n',
  nul: 'a b\ne\0f g\nh i\0j\n\0 k\nl \0\nx\x0by z\n',
  unended: 'last line',
  empty: '',
  long: [1015, 1017, 1018, 1019, 1020, 1021, 1022, 1023, 1024, 2060]
    .map((length, index) => `k${index} ${many(length)} w v\n`)
    .join(''),
}

/** Command lines in order, each with its standard input; DIR/ is the folder of the program that runs it. */
const rows: (readonly [line: readonly string[], input?: string])[] = [
  ...[[], ['-h'], ['-z'], ['-f'], ['-i'], ['-o'], ['-v'], ['-i', 'x'], ['-o', 'x'], ['-v', '-i', 'x'], ['x', 'y']].map(
    (line) => [line] as const,
  ),
  ...['SDBM', 'sdbm', 'GDBM', 'gdbm'].flatMap((type) =>
    Object.keys(TEXTS)
      .filter((text) => text !== 'long' || type === 'GDBM')
      .flatMap((text) => [
        [['-v', '-f', type, '-i', `DIR/${text}.txt`, '-o', `DIR/${type}-${text}`]] as const,
        [['-f', type, '-i', `DIR/${text}.txt`, '-o', `DIR/all-${type}`]] as const,
      ]),
  ),
  ...['NDBM', 'foo', ''].map((type) => [['-v', '-f', type, '-i', 'DIR/plain.txt', '-o', 'DIR/none']] as const),
  [['-v', '-f', 'SDBM', '-i', 'DIR/none.txt', '-o', 'DIR/none']],
  [['-v', '-f', 'SDBM', '-i', 'DIR/plain.txt', '-o', 'DIR/nodir/none']],
  [['-v', '-f', 'GDBM', '-i', 'DIR/plain.txt', '-o', 'DIR/nodir/none']],
  [['-v', '-f', 'GDBM', '-i', 'DIR/plain.txt', '-o', 'DIR/odd.txt']],
  [['-v', '-f', 'SDBM', '-i', '-', '-o', 'DIR/SDBM-plain'], 'new value\nbob again'],
  [['-f', 'GDBM', '-i', '-', '-o', 'DIR/GDBM-plain'], 'new value\nbob again'],
  [['-vfSDBM', '-iDIR/plain.txt', '-oDIR/joined', 'stray'], ''],
]

t.test(
  'a command line has the exit status, the output and the records of the real httxt2dbm',
  { skip: missingTools() },
  async (t) => {
    const sides = folders(t.testdir())
    for (const folder of Object.values(sides)) {
      for (const [name, text] of Object.entries(TEXTS)) writeFileSync(join(folder, `${name}.txt`), text, 'latin1')
    }
    for (const [line, input = ''] of rows) {
      const args = (folder: string): string[] => line.map((word) => word.replace('DIR', folder))
      const wanted = comparable(theirs('httxt2dbm', args(sides.theirs), input), sides.theirs)
      const found = comparable(await ours(httxt2dbm, args(sides.ours), input), sides.ours)
      t.strictSame(found, wanted, `httxt2dbm ${line.join(' ')}`)
    }
    const names = readdirSync(sides.theirs).sort()
    t.same(readdirSync(sides.ours).sort(), names, 'the same files are there')
    for (const name of names.filter((name) => !name.endsWith('.txt') && !name.endsWith('.pag'))) {
      const records = (folder: string): string[] => {
        const reader = openDbm(join(folder, name.replace('.dir', '')), 'default')
        try {
          return Array.from(reader.entries(), ([key, value]) => `${key.toString('latin1')} ${value.toString('latin1')}`)
        } finally {
          reader.close()
        }
      }
      t.same(records(sides.ours), records(sides.theirs), `${name}: the same records, in the same order`)
    }
  },
)

t.test('a text with one record too long stores nothing at all', async (t) => {
  const directory = t.testdir({ 'in.txt': `bob staff\nlong ${many(1010)}\n` })
  const path = join(directory, 'db')
  const outcome = await ours(httxt2dbm, ['-f', 'SDBM', '-i', join(directory, 'in.txt'), '-o', path], '')
  t.match(outcome, { status: 1, out: '', err: /^Error: Converting to DBM: \(22\) Invalid argument\n\nhint: .*1008 bytes/ })
  t.same(readdirSync(directory), ['in.txt'])
})

t.test('a key or value of any bytes is stored unchanged', async (t) => {
  const path = join(t.testdir(), 'db')
  t.equal((await ours(httxt2dbm, ['-i', '-', '-o', path], 'r\xe9n\xe9 \xff\x80\n')).status, 0)
  const reader = openDbm(path, 'SDBM')
  t.equal(reader.get(Buffer.from('r\xe9n\xe9', 'latin1'))?.toString('latin1'), '\xff\x80')
  reader.close()
})

t.test('a type that cannot be written is refused with a hint', async (t) => {
  const path = join(t.testdir(), 'db')
  t.match(await ours(httxt2dbm, ['-f', 'DB', '-i', '-', '-o', path], 'a b'), {
    status: 1,
    err: /\(20019\) DSO load failed[\s\S]*hint: .*SDBM or GDBM/,
  })
})
