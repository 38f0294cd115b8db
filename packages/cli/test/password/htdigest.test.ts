import t from 'tap'
import { htdigest } from '../../src/htdigest/htdigest.ts'
import { type Outcome, runOurs, runReal, whyMissing } from './side-by-side.ts'

/** Command line, file before (null: none), standard input. */
type Row = readonly [args: readonly string[], file?: string | null, input?: string]

const OURS = 'u:R:653ebcc74aab44e13ba67df56c92f1d2\n'
const long = (length: number): string => 'x'.repeat(length)
const TWICE = 'p\np\n'

const ROWS: readonly Row[] = [
  [['-c', 'f', 'R', 'u'], null, TWICE],
  [['-c', 'f', 'R', 'u'], 'v:R:x\n', TWICE],
  [['f', 'R', 'u'], 'v:R:x\n', TWICE],
  [['f', 'R', 'u'], 'v:R:x\nu:R:y\nu:S:z\n', TWICE],
  [['f', 'S', 'u'], 'u:R:y\n', TWICE],
  [['f', 'R', 'u'], '# c\n\nnocolon\nu:R:x\nu:R:y\n u:R:z\nu:R:a:extra\n', TWICE],
  [['f', 'R', 'u'], '', TWICE],
  [['f', 'r', 'U'], 'u:R:x\n', TWICE],
  [['f', 'R s', 'u v'], 'u v:R s:x\n', TWICE],
  [['f', '\u00e9', '\u00f3'], '', TWICE],
  [['f', '', ''], 'u:R:x\n', TWICE],
  [['f', 'R', 'u'], null, TWICE],
  [['f', 'R', 'u'], OURS, 'p\nq\n'],
  [['f', 'R', 'u'], OURS, ''],
  [['f', 'R', 'u'], OURS, '\xff\n\xff\n'],
  [['f', 'R', 'u'], OURS, `${long(255)}\n${long(255)}\n`],
  [['f', 'R', 'u'], OURS, `${long(256)}\n${long(256)}\n`],
  [['-c', 'nosuch/f', 'R', 'u'], null, TWICE],
  [['-c', '.', 'R', 'u'], null, TWICE],
  [['-c', 'f', 'R']],
  [[]],
  [['f', 'R']],
  [['f', 'R', 'u', 'x']],
  [['-x', 'f', 'R', 'u']],
  [['-cc', 'f', 'R', 'u']],
  [['-c', '-c', 'f', 'R', 'u']],
  [['--', 'f', 'R', 'u']],
]

/**
 * httpd's program checks whether it can create a file before it prompts, and some of its messages have no
 * line end.
 */
function comparable({ status, out, err, file }: Outcome): Outcome {
  const failed = /Could not open passwd file .* for writing/.exec(err)?.[0]
  return { status, out, err: failed ?? err.trimEnd(), file }
}

t.test('htdigest does and says what the real one does', { skip: whyMissing('htdigest') }, async (t) => {
  const root = t.testdir()
  for (const [args, file = null, input = ''] of ROWS) {
    const run = { args, file, input }
    const name = `htdigest ${args.join(' ')} ${JSON.stringify([file, input]).slice(0, 60)}`
    t.same(comparable(await runOurs(root, htdigest, run)), comparable(runReal(root, 'htdigest', run)), name)
  }
})

t.test('without the real one: users are added and changed, and nothing else is', async (t) => {
  const root = t.testdir()
  const questions = 'New password: Re-type new password: '
  t.same(await runOurs(root, htdigest, { args: ['-c', 'f', 'R', 'u'], file: null, input: TWICE }), {
    status: 0,
    out: '',
    err: `Adding password for u in realm R.\n${questions}`,
    file: OURS,
  })
  t.same(await runOurs(root, htdigest, { args: ['f', 'R', 'u'], file: '# c\nu:S:x\nu:R:y\nlast:R:z', input: TWICE }), {
    status: 0,
    out: '',
    err: `Changing password for user u in realm R\n${questions}`,
    file: `# c\nu:S:x\n${OURS}last:R:z\n`,
  })
})

t.test('-c makes no file when the passwords differ', async (t) => {
  const { status, file } = await runOurs(t.testdir(), htdigest, { args: ['-c', 'f', 'R', 'u'], file: null, input: 'p\nq\n' })
  t.same([status, file], [1, null])
})

t.test('a colon or a line end in a name or realm is refused', async (t) => {
  const root = t.testdir()
  for (const words of [
    ['R:x', 'u'],
    ['R', 'u:x'],
    ['R', 'u\nv'],
    ['R\r', 'u'],
  ]) {
    const outcome = await runOurs(root, htdigest, { args: ['f', ...words], file: OURS, input: TWICE })
    t.match(outcome, { status: 1, err: /contains a colon or a line end\nhint: /, file: OURS }, JSON.stringify(words))
  }
})
