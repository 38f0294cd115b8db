import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDbm } from '@gatewright/dbm'
import t from 'tap'

const BIN = join(import.meta.dirname, '../dist/bin')

function run(program: string, args: readonly string[], input: string): { status: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(join(BIN, program), args, { input, encoding: 'latin1', timeout: 300_000 })
  return { status, out: stdout, err: stderr }
}

t.test('a database is made, listed, verified and changed by the staged programs', async (t) => {
  const directory = t.testdir()
  const path = join(directory, 'users')
  t.strictSame(run('htdbm', ['-ciBTGDBM', path, 'bob'], 'secret\n'), { status: 0, out: `Database ${path} created.\n`, err: '' })
  t.strictSame(run('htdbm', ['-tiTGDBM', path, 'eve', 'staff'], 'pw\n'), {
    status: 0,
    out: `Database ${path} updated.\n`,
    err: '',
  })
  t.match(run('htdbm', ['-vbTGDBM', path, 'bob', 'secret'], ''), { status: 0, err: "Password validated for user 'bob'\n" })
  t.match(run('htdbm', ['-vbTGDBM', path, 'bob', 'wrong'], ''), { status: 3 })
  t.match(run('htdbm', ['-lTGDBM', path], ''), { status: 0, err: /bob[\s\S]*eve +staff[\s\S]*: 2/ })

  writeFileSync(join(directory, 'in.txt'), 'r\xe9n\xe9 staff\n', 'latin1')
  t.match(run('httxt2dbm', ['-i', join(directory, 'in.txt'), '-o', path], ''), { status: 0, out: '', err: '' })
  const reader = openDbm(path, 'default')
  t.equal(reader.get(Buffer.from('r\xe9n\xe9', 'latin1'))?.toString(), 'staff', 'the file is still a GDBM file')
  reader.close()
  t.same(readdirSync(directory).sort(), ['in.txt', 'users'])
})

t.test('a word of the command line that is no UTF-8 is taken byte by byte', async (t) => {
  const shell = `"$0" -nbs "$(printf 'r\\351n\\351')" pw`
  const { status, stderr } = spawnSync('sh', ['-c', shell, join(BIN, 'htdbm')], { encoding: 'latin1' })
  t.equal(status, 0)
  t.match(stderr, /^r\xe9n\xe9:\{SHA\}/)
})

const noScript = spawnSync('script', ['--version']).status === 0 ? false : 'script of util-linux not installed'

t.test('a password typed at a terminal is not shown, and can be corrected', { skip: noScript }, async (t) => {
  const child = spawn('script', ['-qec', `${JSON.stringify(join(BIN, 'htdbm'))} -ns bob`, '/dev/null'])
  const answers: [question: string, answer: string][] = [
    ['New password: ', 'wrong\x15sekret\x7f\x7f\x7f\x7fcret\r'],
    ['Re-type new password: ', 'secret\r'],
  ]
  let screen = ''
  child.stdout.on('data', (chunk) => {
    screen += chunk
    if (answers.length > 0 && screen.endsWith(answers[0][0])) child.stdin.write(answers.shift()?.[1] ?? '')
  })
  const status = await new Promise((resolve) => child.on('close', resolve))
  t.equal(status, 0)
  t.match(
    screen,
    /^New password: \r\nRe-type new password: \r\nbob:\{SHA\}5en6G6MezRroT3XKqkdPOmY\/BfQ=\r\n/,
    'the hash of secret',
  )
})

t.test('an interrupt at the prompt ends the program, and the terminal is restored', { skip: noScript }, async (t) => {
  const htdbm = JSON.stringify(join(BIN, 'htdbm'))
  const child = spawn('script', ['-qec', `${htdbm} -ns bob; echo status $?; stty -a`, '/dev/null'])
  let screen = ''
  child.stdout.on('data', (chunk) => {
    screen += chunk
    if (screen.endsWith('New password: ')) child.stdin.write('secr\x03')
  })
  await new Promise((resolve) => child.on('close', resolve))
  t.match(screen, /status 4\b/)
  t.match(screen, / echo /, 'what is typed is shown again')
  t.notMatch(screen, /secr/)
})
