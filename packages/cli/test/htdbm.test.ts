import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDbm, openDbmWriter } from '@gatewright/dbm'
import { verifyPassword } from '@gatewright/passwd'
import t from 'tap'
import { htdbm } from '../src/htdbm/htdbm.ts'
import { comparable, folders, missingTools, ours, theirs, withoutHashes } from './support/side-by-side.ts'

const many = (count: number): string => 'p'.repeat(count)

/** Command lines in order, each with its standard input; DIR/ is the folder of the program that runs it. */
const rows: (readonly [line: readonly string[], input?: string])[] = [
  [[]],
  ...[['-h'], ['-z'], ['-T'], ['-C'], ['-r', '5000', '-nb2', 'u', 'p'], ['-nb2', 'u', 'p'], ['-nb5', 'u', 'p']].map(
    (line) => [line] as const,
  ),
  ...[['-D', 'x', 'y'], ['-nbp', 'u'], ['-nbp', 'u', 'p', 'x'], ['-nbC'], ['-lTSDBM', 'DIR/s', 'x'], ['-bip', 'x', 'u', 'p']].map(
    (line) => [line] as const,
  ),
  // Costs.
  ...['x', '17x', '0', '-1', '', '5 ', '0x5', ' 5', '+5', '3', '32', '99999999999999999999'].map(
    (cost) => [['-C', cost, '-nbB', 'u', 'p']] as const,
  ),
  ...['s', 'm', 'd', 'p', ''].map((form) => [[`-nb${form}C`, '5', 'u', 'password']] as const),
  // Forms: the last one applies.
  ...['m', 's', 'p', 'd', 'B', 'sm', 'ps', 'sp', 'Bs', 'dp', 'pB', 'pp'].map(
    (forms) => [[`-nb${forms}`, 'u', 'password']] as const,
  ),
  [['-nbd', 'u', 'longpassword']],
  [['-nbdC', '5', 'u', 'longpassword']],
  [['-nbd', 'u', '']],
  [['-nbB', 'u', many(80)]],
  [['-nbs', 'u', many(3000)]],
  // Users.
  ...['u:v', '', many(64), many(65), many(256), 'r\xe9n\xe9', 'a b'].map((user) => [['-nbs', user, 'p']] as const),
  [['-nbst', 'u', 'p', 'comment']],
  [['-nbpt', 'u', 'p:q', 'com:ment']],
  [['-n', '-b', '-p', '--', 'u', '-p']],
  // Databases.
  ...['lT', 'vbpT', 'bpT', 'xT'].map(
    (letters) =>
      [[`-${letters}SDBM`, 'DIR/none', ...(letters === 'lT' ? [] : ['u']), ...(letters.includes('b') ? ['p'] : [])]] as const,
  ),
  [['-TSDBM', 'DIR/none', 'u:v'], 'a\na\n'],
  ...['NDBM', 'foo', ''].map((type) => [['-bs', '-T', type, 'DIR/s', 'u', 'p']] as const),
  [['-lTfoo', 'DIR/s']],
  [['-cbpTSDBM', 'DIR/nodir/x', 'u', 'p']],
  [['-cbpTGDBM', 'DIR/nodir/x', 'u', 'p']],
  [['-lTGDBM', 'DIR/text']],
  [['-lTDB', 'DIR/text']],
  [['-cbsTGDBM', 'DIR/text', 'u', 'p']],
  ...['SDBM', 'GDBM', 'sdbm', 'gdbm'].flatMap((type): (readonly [readonly string[], string?])[] => {
    const db = `DIR/${type}`
    return [
      [[`-cbsT${type}`, db, 'bob', 'right']],
      [[`-cbsT${type}`, db, 'eve', 'right']],
      [[`-bsT${type}`, db, 'bob', 'other']],
      [[`-bstT${type}`, db, 'alice', 'right', 'a comment: long']],
      [[`-bstT${type}`, db, 'carol', 'right', '']],
      [[`-bpT${type}`, db, 'plain', 'right']],
      [[`-bBT${type}`, db, 'bc', 'right']],
      [[`-bdT${type}`, db, 'des', 'right']],
      [[`-bT${type}`, db, many(60), 'right']],
      [[`-bsT${type}`, db, 'r\xe9n\xe9', 'r\xefght']],
      ...['bob', 'alice', 'carol', 'plain', 'bc', 'des', 'nobody', 'r\xe9n\xe9'].flatMap((user) => [
        [[`-vbT${type}`, db, user, 'right']] as const,
        [[`-vbT${type}`, db, user, 'wrong']] as const,
      ]),
      [[`-vbT${type}`, db, 'r\xe9n\xe9', 'r\xefght']],
      [[`-vT${type}`, db, 'alice'], 'right\nright\n'],
      [[`-viT${type}`, db, 'alice'], 'right\n'],
      [[`-xT${type}`, db, 'nobody']],
      [[`-xT${type}`, db, 'u:v']],
      [[`-xbT${type}`, db, 'eve', 'p']],
      [[`-xtT${type}`, db, 'nobody', 'c']],
      [[`-xvbT${type}`, db, 'alice', 'p']],
      [[`-bsT${type}`, db, 'alice', 'right']],
      [[`-iT${type}`, db, 'fay'], 'secret\n'],
      [[`-ibT${type}`, db, 'fay', 'p']],
      [[`-T${type}`, db, 'gus'], 'secret\nsecret\n'],
      [[`-T${type}`, db, 'gus'], 'secret\nother\n'],
      [[`-cxT${type}`, db, 'gus']],
      [[`-lbT${type}`, db, 'p']],
      [[`-ltT${type}`, db, 'c']],
      [[`-liT${type}`, db]],
      // httpd's own program is inconsistent about an empty GDBM file.
      ...(/sdbm/i.test(type) ? [[[`-lcT${type}`, `${db}-new`]] as const, [[`-lT${type}`, `${db}-new`]] as const] : []),
      [[`-cvbT${type}`, `${db}-new2`, 'u', 'p']],
      [[`-cbT${type}`, `${db}-new3`, 'u:', 'p']],
      [[`-bptT${type}`, db, 'u', many(200), many(700)]],
    ]
  }),
  // Passwords from standard input.
  ...[
    'secret',
    'secret\nmore\n',
    '',
    '\n',
    '\r\n',
    'x\r\n',
    'x\n\n',
    many(255),
    `${many(254)}\n`,
    `${many(255)}\n`,
    many(300),
  ].map((input) => [['-nis', 'u'], input] as const),
  ...['a\na\n', 'a\nb\n', 'a\n', '\n\n', 'a\r\na\r\n'].map((input) => [['-ns', 'u'], input] as const),
]

t.test('a command line has the exit status and the output of the real htdbm', { skip: missingTools() }, async (t) => {
  const sides = folders(t.testdir())
  for (const folder of Object.values(sides)) writeFileSync(join(folder, 'text'), 'bob:pw\n')
  for (const [line, input = ''] of rows) {
    const args = (folder: string): string[] => line.map((word) => word.replace(/^DIR/, folder))
    const wanted = comparable(theirs('htdbm', args(sides.theirs), input), sides.theirs)
    const found = comparable(await ours(htdbm, args(sides.ours), input), sides.ours)
    t.strictSame(found, wanted, `htdbm ${line.join(' ').slice(0, 60)} ${JSON.stringify(input).slice(0, 30)}`)
  }
  t.same(readdirSync(sides.ours).sort(), readdirSync(sides.theirs).sort(), 'the same files are there')
  for (const type of ['SDBM', 'GDBM', 'sdbm', 'gdbm']) {
    const records = (folder: string): string[] => {
      const reader = openDbm(join(folder, type), type)
      try {
        return Array.from(
          reader.entries(),
          ([key, value]) => `${key.toString('latin1')} ${withoutHashes(value.toString('latin1'))}`,
        )
      } finally {
        reader.close()
      }
    }
    t.same(records(sides.ours), records(sides.theirs), `${type}: the same records, in the same order`)
  }
})

t.test('what is stored can be verified by the rules of httpd', async (t) => {
  const path = join(t.testdir(), 'db')
  for (const form of ['m', 's', 'd', 'B']) {
    const outcome = await ours(htdbm, [`-cbt${form}TSDBM`, path, 'bob', 'right', 'staff'], '')
    t.match(outcome, { status: 0, out: `Database ${path} created.\n` })
    const reader = openDbm(path, 'SDBM')
    const [hash, comment] = reader.get(Buffer.from('bob'))?.toString().split(':') ?? []
    reader.close()
    t.ok(verifyPassword(hash, Buffer.from('right')), form)
    t.equal(comment, 'staff')
  }
})

t.test('nothing is stored of a password that crypt cannot hash', async (t) => {
  const path = join(t.testdir(), 'db')
  await ours(htdbm, ['-cbsTGDBM', path, 'bob', 'right'], '')
  const outcome = await ours(htdbm, ['-bdTGDBM', path, 'bob', many(600)], '')
  t.match(outcome, { status: 3, out: '', err: /Error: Unable to encode with crypt.*\nhint: the password is too long/ })
  t.match(await ours(htdbm, ['-vbTGDBM', path, 'bob', 'right'], ''), { status: 0 })
})

t.test('an error message contains the solution', async (t) => {
  const directory = t.testdir()
  const path = join(directory, 'db')
  t.match(await ours(htdbm, ['-bTSDBM', path, 'bob', 'pw'], ''), { status: 1, err: /^hint: .*db\.pag/m })
  t.match(await ours(htdbm, ['-cbTDB', path, 'bob', 'pw'], ''), { status: 1, err: /^hint: .*choose SDBM or GDBM/m })
  t.match(await ours(htdbm, ['-cbTNDBM', path, 'bob', 'pw'], ''), { status: 1, err: /^hint: unknown DBM type NDBM/m })
  await ours(htdbm, ['-cbTSDBM', path, 'bob', 'pw'], '')
  const tooLong = await ours(htdbm, ['-bptTSDBM', path, 'eve', 'pw', many(1010)], '')
  t.match(tooLong, { status: 1, err: /^hint: .*1008 bytes/m })
  t.match(await ours(htdbm, ['-vxTSDBM', path, 'bob'], ''), { status: 2, err: /^htdbm -- / }, 'verify or remove?')
  t.match(await ours(htdbm, ['-n', '-x', 'u'], ''), { status: 2, err: /^htdbm -- / }, 'there is nothing to remove from')
})

t.test('a damaged database is an error, and is neither listed nor changed nor believed', async (t) => {
  const directory = t.testdir()
  for (const type of ['SDBM', 'GDBM']) {
    const path = join(directory, `db-${type}`)
    await ours(htdbm, [`-cbsT${type}`, path, 'bob', 'right'], '')
    writeFileSync(type === 'SDBM' ? `${path}.pag` : path, Buffer.alloc(type === 'SDBM' ? 1024 : 16_384, 0x7f))
    for (const line of [
      [`-lT${type}`, path],
      [`-vbT${type}`, path, 'bob', 'right'],
      [`-xT${type}`, path, 'bob'],
      [`-bsT${type}`, path, 'bob', 'new'],
    ]) {
      t.match(
        await ours(htdbm, line, ''),
        { status: 1, out: '', err: /^Error (opening|reading) database [\s\S]*^hint: /m },
        line[0],
      )
    }
  }
})

t.test(
  'no password is asked for a database that cannot be changed, and none is kept from others while it is typed',
  async (t) => {
    const path = join(t.testdir(), 'db')
    t.notMatch((await ours(htdbm, ['-TSDBM', path, 'bob'], 'a\na\n')).err, /New password/)
    await ours(htdbm, ['-cbsTSDBM', path, 'bob', 'right'], '')
    const io = {
      out: () => undefined,
      err: () => undefined,
      readInput: () => Buffer.alloc(0),
      ask: async () => {
        const writer = openDbmWriter(path, 'SDBM', 'existing')
        writer.replace(Buffer.from('meanwhile'), Buffer.from('x'))
        writer.close()
        return 'new'
      },
    }
    t.equal(await htdbm(['-sTSDBM', path, 'eve'], io), 0)
    t.match((await ours(htdbm, ['-lTSDBM', path], '')).err, /bob[\s\S]*meanwhile[\s\S]*eve[\s\S]*: 3/)
    t.notOk(existsSync(`${path}.pag.new`))
  },
)
