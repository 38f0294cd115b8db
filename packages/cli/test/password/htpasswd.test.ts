import { join } from 'node:path'
import { identifyScheme, verifyPassword } from '@gatewright/passwd'
import t from 'tap'
import { htpasswd } from '../../src/htpasswd/htpasswd.ts'
import { PasswordInterrupted } from '../../src/password/ask-password.ts'
import { type Outcome, type Run, runOurs, runReal, whyMissing } from './side-by-side.ts'

const long = (length: number): string => 'x'.repeat(length)
const SHA = '{SHA}UWuXg/ylF+7L0dBk2i0WUxCxl1k='

/** Command line, file before (null: none), standard input. */
type Row = readonly [args: string, file?: string | null, input?: string]

const FILE = 'v:b\nu:a\n# end\n'

/**
 * Words are separated by blanks; `''` is an empty word, `_` a blank in a word, and `N*x` a word of N
 * characters.
 */
function words(args: string): string[] {
  return args
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => {
      if (word === "''") return ''
      const many = /^(\d+)\*x$/.exec(word)
      return many === null ? word.replaceAll('_', ' ') : long(Number(many[1]))
    })
}

const ROWS: readonly Row[] = [
  // Schemes and their strength.
  ...['m', 's', 'B', '2', '5', 'd', 'p', 'mBsd', 'ps', 'sp'].map((letters): Row => [`-nb${letters} u p`]),
  ['-nb u p'],
  ["-nb u ''"],
  ["-nb '' p"],
  ['-nbB -C 4 u p'],
  ['-nbB -C _5 u p'],
  ['-nbB -C +05 u p'],
  ['-nbB -r 4 u p'],
  ['-nbB -C 6 -C 4 u p'],
  ['-nbB -C 3 u p'],
  ['-nbB -C 18 u p'],
  ['-nbB -C 99999999999999999999 u p'],
  ['-nb2 -r 1000 u p'],
  ['-nb5 -r 5000 u p'],
  ['-nb5 -C 1001 u p'],
  ['-nbd -C 5 u 123456789'],
  ['-nbd u 12345678'],
  ['-nbs -r 7 u p'],
  ['-nbm -C 7 u p'],
  ['-nbp -C 7 u p'],
  ['-nbp u a:b'],
  ...['0', '-1', 'abc', '5x', '0x5', "''"].map((number): Row => [`-nb -C ${number} u p`]),
  // Files.
  ['-b f u p'],
  ['-bs f u p', FILE],
  ['-bs f w p', FILE],
  ['-cbs f u p', FILE],
  ['-cbs f u p'],
  ['-cbs nosuch/f u p'],
  ['-bs nosuch/f u p'],
  ['-bs . u p'],
  ['-cbs . u p'],
  ["-bs '' u p"],
  ['-bs f u p', ''],
  ['-bs f u p', '# c\n\n  # d\n\t\n u:a:b\nv:c\n'],
  ['-bs f u p', 'u:a\r\nv:c\r\n'],
  ['-bs f u p', 'nocolon\nu:a\n'],
  ['-bs f w p', 'u:a\nnocolon\n'],
  ['-bs f #u p', '#u:a\n'],
  ['-bs f _u p', ' u:a\n'],
  ['-bs f \u00e9 p', '\xc3\xa9:a\n'],
  ['-bs -- f u p', FILE],
  ['f -bs u p', FILE],
  // Deleting.
  ['-D f u', FILE],
  ['-D f u'],
  ['-D f w', FILE],
  ['-D f nocolon', 'nocolon\n'],
  ['-Di f u', FILE],
  ['-bD f u', FILE],
  ['-bD f u p', FILE],
  // Verifying.
  ['-vb f u p', `u:${SHA}\n`],
  ['-vb f u q', `u:${SHA}\n`],
  ['-vb f w p', `u:${SHA}\n`],
  ['-vb f u p', `u:${SHA}\r\n`],
  ['-vb f u p', `u:${SHA} \n`],
  ['-vb f u p', `  u:${SHA}\n`],
  ['-vb f u p', `u:${SHA}:more\n`],
  ['-vb f u p', `u:x\nu:${SHA}\n`],
  ['-vb f u p', 'u:\n'],
  ['-vb f u p', 'u:p\n'],
  ['-vbp f u p', 'u:p\n'],
  ['-vb f u p', 'nocolon\n'],
  ['-vb f u p', null],
  ['-v f u', `u:${SHA}\n`, 'p\n'],
  ['-v f u', `u:${SHA}\n`, 'q\n'],
  ['-vi f u', `u:${SHA}\n`, 'p\n'],
  ['-vi f u', `u:${SHA}\n`, ''],
  // Sources of the password.
  ['-nis u', null, 'p'],
  ['-nis u', null, 'p\n'],
  ['-nis u', null, 'p\r\n'],
  ['-nis u', null, 'p\n\n'],
  ['-nis u', null, 'p\nq\n'],
  ['-nis u', null, ''],
  ['-nis u', null, 'p\0q'],
  ['-nis u', null, '\xe9\xff'],
  ['-nis u', null, long(255)],
  ['-nis u', null, `${long(255)}\n`],
  ['-nis u', null, long(256)],
  ['-ns u', null, 'p\np\n'],
  ['-ns u', null, 'p\nq\n'],
  ['-ns u', null, 'p'],
  ['-ns u', null, ''],
  ['-ns u', null, `${long(256)}\n${long(256)}\n`],
  ['-ns u', null, `${long(300)}\n${long(300)}\n`],
  ['-s f u', FILE, 'p\np\n'],
  ['-s f u', FILE, 'p\nq\n'],
  ['-s f u', null, 'p\np\n'],
  ['-bi f u', FILE, 'p\n'],
  ['-bi f u p', FILE],
  ['-nibs u p'],
  // Rejected command lines.
  ['-bs f a:b p', FILE],
  ['-bs nosuch a:b p'],
  ['-bs f 255*x p', FILE],
  ['-bs f 256*x p', FILE],
  ['-nb 300*x: p'],
  ['-nb x: 300*x'],
  ['-nbs u 255*x'],
  ['-nbs u 256*x'],
  ['-nbs 220*x p'],
  ['-nbs 221*x p'],
  ['-bs 5000*x u p'],
  ['-D f u:x', FILE],
  ['-cn f u', FILE],
  ['-cDb f u p', FILE],
  ['-vn u'],
  ['-vD f u', FILE],
  ['-pcn f u', FILE],
  [''],
  ['-x'],
  ['-px'],
  ['-cnx'],
  ['-C'],
  ['-nbC'],
  ['-n -C abc -x'],
  ['--help'],
  ['-h'],
  ['-n'],
  ['f'],
  ['-b f u', FILE],
  ['-b f u p q', FILE],
  ['-nb5 u p -r 5'],
  ['-n -b -s -- -u p'],
  ['-nbs - -'],
]

/** Removes random parts of a hash, hints, and the list of options, which has our own wording. */
function comparable({ status, out, err, file }: Outcome): Outcome {
  return {
    status,
    out: withoutSalts(out),
    err: err.replace(/^hint: .*\n/gm, '').replace(/^ -c {2}[\s\S]*/m, ''),
    file: file === null ? null : withoutSalts(file),
  }
}

function withoutSalts(text: string): string {
  return text.replace(/(?<=^[^:\n]*:)[^:\n]+$/gm, (stored) => {
    const scheme = identifyScheme(stored)
    if (scheme === 'sha' || scheme === 'unsupported') return stored
    return `<${scheme} of ${stored.length} ${/^\$\w+\$(rounds=\d+|\d\d(?=\$))?/.exec(stored)?.[0] ?? ''}>`
  })
}

t.test('htpasswd does and says what the real one does', { skip: whyMissing('htpasswd') }, async (t) => {
  const root = t.testdir()
  for (const [args, file = null, input = ''] of ROWS) {
    const run: Run = { args: words(args), file, input }
    const name = `htpasswd ${args} ${JSON.stringify([file, input]).slice(0, 60)}`
    t.same(comparable(await runOurs(root, htpasswd, run)), comparable(runReal(root, 'htpasswd', run)), name)
  }
})

t.test('what one stores the other accepts', { skip: whyMissing('htpasswd') }, async (t) => {
  const root = t.testdir()
  for (const scheme of ['-m', '-s', '-B', '-2', '-5', '-d']) {
    const ours = await runOurs(root, htpasswd, { args: ['-cb', scheme, 'f', 'u', 'p\u00e4ss'], file: null, input: '' })
    const real = runReal(root, 'htpasswd', { args: ['-cb', scheme, 'f', 'u', 'p\u00e4ss'], file: null, input: '' })
    for (const [password, status] of [
      ['p\u00e4ss', 0],
      ['pass', 3],
    ] as const) {
      const args = ['-vb', 'f', 'u', password]
      t.equal(runReal(root, 'htpasswd', { args, file: ours.file, input: '' }).status, status, `${scheme}, ours with ${password}`)
      t.equal(
        (await runOurs(root, htpasswd, { args, file: real.file, input: '' })).status,
        status,
        `${scheme}, theirs with ${password}`,
      )
    }
  }
})

/** Runs our program with `-s`, whose hash is not random. */
async function run(args: string, file: string | null, input = ''): Promise<Outcome> {
  return runOurs(t.testdirName, htpasswd, { args: words(args), file, input })
}

t.before(() => {
  t.testdir()
})

t.test('without the real one: users are added, changed, removed and verified', async (t) => {
  t.same(await run('-cbs f u p', null), { status: 0, out: '', err: 'Adding password for user u\n', file: `u:${SHA}\n` })
  t.same(await run('-bs f u p', FILE), {
    status: 0,
    out: '',
    err: 'Updating password for user u\n',
    file: `v:b\nu:${SHA}\n# end\n`,
  })
  t.same(await run('-D f u', FILE), { status: 0, out: '', err: 'Deleting password for user u\n', file: 'v:b\n# end\n' })
  t.same(await run('-vb f u p', `u:${SHA}\n`), { status: 0, out: '', err: 'Password for user u correct.\n', file: `u:${SHA}\n` })
  t.same(await run('-nbs u p', null), { status: 0, out: `u:${SHA}\n\n`, err: '', file: null })
  const { file } = await run('-cb f u p', null)
  t.ok(verifyPassword(file?.trim().slice(2) ?? '', Buffer.from('p')))
})

t.test('a last line without an end keeps its hash, and lines of any length are kept', async (t) => {
  t.equal((await run('-bs f u p', 'v:b')).file, `v:b\nu:${SHA}\n`)
  const comment = `#${long(600)}\n`
  t.equal((await run('-bs f u p', comment)).file, `${comment}u:${SHA}\n`)
})

t.test('all lines of a user are changed or removed', async (t) => {
  t.same(await run('-bs f u p', 'u:1\nv:2\nu:3\n'), {
    status: 0,
    out: '',
    err: 'Updating password for user u\n',
    file: `u:${SHA}\nv:2\nu:${SHA}\n`,
  })
  t.same((await run('-D f u', 'u:1\nv:2\nu:3\n')).file, 'v:2\n')
})

t.test('rounds that crypt(3) rejects are rejected, instead of writing a line that matches no password', async (t) => {
  for (const args of ['-b5 -r 999 f u p', '-b2 -r 1000000000 f u p']) {
    t.same(await run(args, FILE), {
      status: 3,
      out: '',
      err: 'htpasswd: Unable to encode with crypt: Invalid argument\nhint: choose a number of rounds from 1000 to 999999999\n',
      file: FILE,
    })
  }
})

t.test('names with a line end are refused', async (t) => {
  t.match(await run('-bs f a\nb p', FILE), { status: 6, err: /line end\nhint: /, file: FILE })
})

t.test('Ctrl-C at the prompt leaves the file alone', async (t) => {
  const console = {
    out: () => undefined,
    err: (text: string) => {
      said.push(text)
    },
    ask: async () => {
      throw new PasswordInterrupted()
    },
    readInput: () => Buffer.alloc(0),
  }
  const said: string[] = []
  const file = join(t.testdir({ f: FILE }), 'f')
  t.equal(await htpasswd([file, 'u'], console), 4)
  t.same(said, ['Interrupted.\n'])
})
