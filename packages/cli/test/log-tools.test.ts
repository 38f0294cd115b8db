import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { checkForensic } from '../src/check-forensic/check-forensic.ts'
import { logresolve } from '../src/logresolve/logresolve.ts'
import { splitLogfile } from '../src/split-logfile/split-logfile.ts'
import { ours, theirs } from './support/side-by-side.ts'

const skip = (program: string): string | false =>
  theirs(program, ['-h'], '').status === null ? `${program} is not installed` : false

/** Runs something with a folder as the current one. */
async function inFolder<T>(
  parent: string,
  name: string,
  act: () => T | Promise<T>,
): Promise<{ result: T; files: Record<string, string> }> {
  const folder = join(parent, name)
  mkdirSync(folder, { recursive: true })
  const before = process.cwd()
  process.chdir(folder)
  try {
    const result = await act()
    return {
      result,
      files: Object.fromEntries(
        filesIn(folder).map((file) => [file, readFileSync(Buffer.from(join(folder, file), 'latin1'), 'latin1')]),
      ),
    }
  } finally {
    process.chdir(before)
  }
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, encoding: 'latin1' })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
}

const LOG =
  'A.Example x y\n/etc z\n\n  lead b\nonlyname\nb.example  two\nb\\c q\n.. dots\n\ttab t\nr\xe9n\xe9 bytes \xff\na.example again\nB.example no end'

t.test('split-logfile writes the files of the real one', { skip: skip('split-logfile') }, async (t) => {
  const folder = t.testdir()
  const real = await inFolder(folder, 'theirs', () => theirs('split-logfile', [], LOG))
  const own = await inFolder(folder, 'ours', () => ours(splitLogfile, [], LOG))
  t.strictSame(own, real)
  t.ok(Object.keys(own.files).length > 5, 'there are files')
})

t.test('split-logfile divides a log of more hosts than may be open, and accepts any name', async (t) => {
  const folder = t.testdir()
  const lines = Array.from({ length: 900 }, (_, index) => `host${index % 300} line ${index}\n`)
  const { result, files } = await inFolder(folder, 'many', () =>
    ours(splitLogfile, [], `${lines.join('')}${'x'.repeat(300)} long\na\0b nul\n`),
  )
  t.equal(result.status, 0, result.err)
  t.equal(Object.keys(files).length, 301)
  t.equal(files['host7.log'], 'line 7\nline 307\nline 607\n')
  t.equal(files['access.log'], 'long\nnul\n')
})

t.test('split-logfile reports options, and a file that it cannot write', async (t) => {
  t.match(await ours(splitLogfile, ['-x'], ''), { status: 1, err: /there are no options\nUsage: / })
  const folder = t.testdir({ in: { 'a.log': {} } })
  t.match(await inFolder(folder, 'in', () => ours(splitLogfile, [], 'a b\n')), {
    result: { status: 1, err: /^split-logfile: EISDIR/ },
  })
})

const FORENSIC = '+a1|GET / HTTP/1.1|Host:x\n+b2|GET /b HTTP/1.1|Host:y\n-a1\n+c3|POST /c HTTP/1.1\n+d|x\n-d\n-zz\nnoise\n'

t.test('check_forensic prints the requests that the real one prints', { skip: skip('check_forensic') }, async (t) => {
  const folder = t.testdir({ log: FORENSIC })
  const real = theirs('check_forensic', [join(folder, 'log')], '')
  const own = await ours(checkForensic, [join(folder, 'log')], '')
  t.strictSame(own, { status: 0, out: real.out, err: '' })
  t.equal(own.out, '+b2|GET /b HTTP/1.1|Host:y\n+c3|POST /c HTTP/1.1\n')
  t.strictSame((await ours(checkForensic, [], FORENSIC)).out, real.out, 'also from standard input')
})

t.test('check_forensic compares whole ids, ends the last line, and reports a file that it cannot read', async (t) => {
  t.equal((await ours(checkForensic, [], '+b2|one\n+b22|two\n-b22\n')).out, '+b2|one\n')
  t.equal((await ours(checkForensic, [], '+b2|one')).out, '+b2|one\n')
  t.match(await ours(checkForensic, ['/nonexistent'], ''), {
    status: 1,
    out: '',
    err: 'check_forensic: cannot open /nonexistent: No such file or directory\n',
  })
  t.match(await ours(checkForensic, ['a', 'b'], ''), { status: 1, err: /^Usage: / })
})

const NAMES: Readonly<Record<string, string>> = { '192.0.2.1': 'one.example', '2001:db8::1': 'six.example', '192.0.2.9': 'twice' }

/** The names of this test. Later lines are answered first. */
const resolver = () => {
  let delay = 20
  return async (address: string) => {
    delay = Math.max(0, delay - 5)
    await new Promise((resolve) => setTimeout(resolve, delay))
    if (address === '192.0.2.9') return 'double lookup failed' as const
    return address in NAMES ? { name: NAMES[address] } : ('no reverse' as const)
  }
}
const resolve: typeof logresolve = (argv, console) => logresolve(argv, console, resolver)

t.test('logresolve replaces addresses at the beginning of lines, asks once, and keeps the order', async (t) => {
  const folder = t.testdir()
  const log = [
    '192.0.2.1 - - x',
    'host.example - y',
    '2001:db8::1 - z',
    '192.0.2.1',
    '192.0.2.7 - q',
    '  192.0.2.1 - w',
    '192.0.2.9 d',
    '192.0.2.1  again',
    '',
    '192.0.2.1 no end',
  ].join('\n')
  const statistics = join(folder, 'figures')
  const { status, out, err } = await ours(resolve, ['-c', '-s', statistics], log)
  t.strictSame([status, err], [0, ''])
  t.strictSame(out.split('\n'), [
    'one.example - - x',
    'host.example - y',
    'six.example - z',
    '192.0.2.1',
    '192.0.2.7 - q',
    '  192.0.2.1 - w',
    '192.0.2.9 d',
    'one.example  again',
    '',
    'one.example no end',
  ])
  t.strictSame(readFileSync(statistics, 'utf8').split('\n'), [
    'logresolve Statistics:',
    'Entries: 10',
    '    With name   : 4',
    '    Resolves    : 4',
    '    - No reverse : 1',
    '    - Double lookup failed : 1',
    'Cache hits      : 2',
    'Cache size      : 4',
    '',
  ])
})

t.test(
  'logresolve has the output and figures of the real one for names of this machine',
  { skip: skip('logresolve') },
  async (t) => {
    const folder = t.testdir()
    const log = 'host.example a\n127.0.0.1 b\n127.0.0.1\n\n127.0.0.1 c\n127.0.0.1:80 d\n999.1.1.1 e\n127.0.0.1 f'
    const [real, own] = ['real', 'own'].map((name) => join(folder, name))
    const expected = theirs('logresolve', ['-s', real], log)
    t.strictSame(await ours(logresolve, ['-s', own], log), expected)
    t.equal(readFileSync(own, 'utf8'), readFileSync(real, 'utf8'))
  },
)

t.test('logresolve reports wrong options and a file that it cannot write', async (t) => {
  t.match(await ours(resolve, ['-x'], ''), { status: 1, err: /^logresolve: illegal option -- x\nlogresolve -- / })
  t.match(await ours(resolve, ['-s', '/nonexistent/x'], 'a b'), {
    status: 1,
    out: 'a b',
    err: 'logresolve: Could not open /nonexistent/x for writing.\n',
  })
})
