import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Parser } from 'tap-parser'
import { gatewright } from '../fixtures/gatewright.ts'

const GATEWRIGHT = join(import.meta.dirname, '../../dist/bin/gatewright')

const TREE = {
  '.htaccess':
    'Options -Indexes\n<Files config.php>\nRequire all denied\n</Files>\nRewriteEngine on\nRewriteRule ^old$ /new [R=301,L]\n',
  '.htexpect': '/ -> 403\n/config.php -> 403\n/old -> 301 /new\n/admin/a.txt from 10.1.2.3 -> 200\n',
  'config.php': 'x',
  admin: { '.htaccess': 'Require ip 10.0.0.0/8\n', 'a.txt': 'x' },
}

t.test('a tree is checked against its expectations file, and the exit status shows the result', async (t) => {
  const root = t.testdir(TREE)
  const good = await gatewright(['check', root])
  t.equal(good.status, 0, good.stdout + good.stderr)
  t.strictSame(countOf(good.stdout), { ok: true, count: 6, fail: 0 })
  t.match(await gatewright(['check', '--format', 'human', root]), {
    status: 0,
    stdout: /^4 answered by main server localhost, port 80\n6 as expected \(\d+ ms\)\n$/,
  })

  writeFileSync(join(root, '.htexpect'), '# here\n/admin/a.txt -> 200\n')
  const bad = await gatewright(['check', '--format', 'human', root])
  t.equal(bad.status, 1)
  t.match(
    bad.stdout,
    /x GET \/admin\/a\.txt -> 200 {2}.*\.htexpect:2\n.*403 Forbidden\n {4}answered by main server localhost, port 80\n {4}denied: Require ip 10\.0\.0\.0\/8 \(admin\/\.htaccess:1\)\n/,
  )
  t.match(await gatewright(['check', '--explain', root]), {
    status: 1,
    stdout: / {2}explanation: \|-\n {4}GET \/admin\/a\.txt from/,
  })
  t.match(await gatewright(['check', '--format', 'junit', '--lint', root]), {
    status: 1,
    stdout: /^<\?xml .*failures="1".*lint finds nothing/s,
  })
})

t.test('expectations and the report can be in other files', async (t) => {
  const root = t.testdir({ site: TREE, '.gatewright': '' })
  const site = join(root, 'site')
  const out = join(root, 'report.json')
  t.match(await gatewright(['check', '--expect', '-', '-o', out, '--format', 'json', site], '/new -> 404\n/old -> 404\n'), {
    status: 1,
    stdout: '',
  })
  t.match(JSON.parse(readFileSync(out, 'utf8')), {
    failed: 1,
    results: [{}, {}, { passed: true }, { place: { file: 'standard input', line: 2 } }],
  })
  rmSync(join(site, '.htexpect'))
  writeFileSync(join(site, '.gatewright'), '/new -> 404\n')
  t.match(await gatewright(['check', site]), { status: 0, stdout: /ok 3 - GET \/new -> 404/ })
})

t.test('files with mistakes are results of their own: refused lines and misspelt names', async (t) => {
  const root = t.testdir({
    '.htexpect': '/broken/f.txt -> 500\n/typo/f.txt -> 200\n',
    broken: { '.htaccess': 'Require all granted\nOrder sideways\n', 'f.txt': 'x' },
    typo: { '.htaccess': 'Requre all denied\nphp_value a b\nNoSuchThingAtAll on\n', 'f.txt': 'x' },
  })
  const { status, stdout } = await gatewright(['check', root])
  t.equal(status, 1)
  t.strictSame(countOf(stdout), { ok: false, count: 4, fail: 2 })
  t.match(
    stdout,
    /not ok 1 - broken\/\.htaccess has no mistakes\n.*\n.*\n {2}actual: "unknown order"\n.*\n {2}at: "broken\/\.htaccess:2"/,
  )
  t.match(
    stdout,
    /not ok 2 - typo\/\.htaccess has no mistakes\n.*\n.*\n.*Invalid command 'Requre'.*\n.*did you mean Require\?"\n {2}at: "typo\/\.htaccess:1"/,
  )
})

t.test('permitted directives, and variables of the command line, apply as on a server', async (t) => {
  const root = t.testdir({
    '.htaccess': '<IfDefine Closed>\nRequire all denied\n</IfDefine>\nOptions None\n',
    '.htexpect': '/f.txt -> 200\n',
    'f.txt': 'x',
  })
  t.match(await gatewright(['check', root]), { status: 0 })
  t.match(await gatewright(['check', '-D', 'Closed', root]), { status: 1, stdout: /Require all denied \(\.htaccess:2\)/ })
  t.match(await gatewright(['check', '--allow-override', 'AuthConfig', root]), { status: 1, stdout: /Options not allowed here/ })
  t.match(await gatewright(['check', '--allow-override', 'None', '-D', 'Closed', root]), { status: 0 })
})

t.test('HTTPS is on if a line specifies it', async (t) => {
  const root = t.testdir({
    '.htaccess': 'RewriteEngine on\nRewriteCond %{HTTPS} !=on\nRewriteRule (.*) https://%{HTTP_HOST}/$1 [R=301,L]\n',
    '.htexpect': '/f.txt -> 301 https://localhost/f.txt\n/f.txt https -> 200\nhttps://www.example.org/f.txt -> 200\n',
    'f.txt': 'x',
  })
  const { status, stdout } = await gatewright(['check', root])
  t.equal(status, 0, stdout)
})

t.test('users count as known where their file is not at hand, if that is wanted', async (t) => {
  const root = t.testdir({
    '.htaccess': 'AuthType Basic\nAuthName x\nAuthUserFile /nonexistent/users\nRequire user alice\n',
    '.htexpect': '/f.txt as alice -> 200\n/f.txt as bob -> 401\n/f.txt -> 401\n',
    'f.txt': 'x',
  })
  t.match(await gatewright(['check', root]), {
    status: 1,
    stdout: /500 Internal Server Error[\s\S]*Could not open password file/,
  })
  t.match(await gatewright(['check', '--logins', 'anyone', root]), { status: 0 })
})

t.test('without expectations the answers are listed, and expectations can be written from them', async (t) => {
  const root = t.testdir({ ...TREE, '.htexpect': '' })
  rmSync(join(root, '.htexpect'))
  t.match(await gatewright(['check', root]), {
    status: 0,
    stdout: / stranger {2}this machine {2}10\.0\.0\.1\n.*\n\/config\.php +403 .*\n\/admin\/ /,
  })
  const { status, stdout } = await gatewright(['check', '--write-expectations', root])
  t.equal(status, 0)
  t.match(stdout, /\nGET \/admin\/a\.txt from 10\.0\.0\.1 -> 200\n/)
  writeFileSync(join(root, '.htexpect'), stdout)
  t.match(await gatewright(['check', root]), { status: 0 })
  t.match(JSON.parse((await gatewright(['check', '--matrix', '--format', 'json', root])).stdout), {
    clients: [{ title: 'stranger' }],
    left: 0,
  })
})

t.test("a server's configuration is checked in place of a tree", async (t) => {
  const root = t.testdir({ conf: {}, logs: {}, docs: { 'f.txt': 'x' } })
  const file = join(root, 'conf/httpd.conf')
  writeFileSync(
    file,
    `ServerName localhost\nListen 8099\nLoadModule authz_core_module modules/mod_authz_core.so\nDocumentRoot "${root}/docs"\n<Location /f.txt>\nRequire all denied\n</Location>\n`,
  )
  t.match(await gatewright(['check', '--config', file, '--expect', '-'], '/f.txt -> 403\n'), { status: 0 })
  t.match(await gatewright(['check', '--config', file, '--expect', '-'], '/f.txt -> 200\n'), {
    status: 1,
    stdout: /Require all denied \(conf\/httpd\.conf:6\)/,
  })
  writeFileSync(file, 'Requir all denied\n')
  t.match(await gatewright(['check', '--config', file, '--expect', '-'], '/f.txt -> 403\n'), {
    status: 2,
    stdout: /^TAP version 14\nBail out! /,
    stderr: /line 1 of .*\n.*\nhint: did you mean Require/,
  })
})

t.test('a check that is not possible ends with 2, a reason and a solution', async (t) => {
  const root = t.testdir({ 'f.txt': 'x' })
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [[join(root, 'none')], /is not a folder\nhint: /],
    [['--expect', join(root, 'none'), root], /ENOENT/],
    [['--format', 'tap', root], /no expectations for .*\nhint: .*--write-expectations/],
    [['-o', join(root, 'none/x'), root], /--output: ENOENT/],
  ]
  for (const [argv, stderr] of cases) t.match(await gatewright(['check', ...argv]), { status: 2, stderr }, argv.join(' '))
  t.match(await gatewright(['check', '--expect', '-', root], '/ok -> 200\n/x > 200\n\n/y -> 2000\n'), {
    status: 2,
    stdout: /^TAP version 14\nBail out! standard input:2: no ->/,
    stderr: /standard input:2: .*\nhint: .*\nstandard input:4: '2000' is not a status\nhint: /,
  })
  t.match(await gatewright(['check', '--expect', '-', '--format', 'junit', root], '/x\n'), {
    status: 2,
    stdout: / errors="1"[\s\S]*no -&#62; followed by an answer/,
  })
  t.match(await gatewright(['check', '--expect', '-', root], '# nothing\n'), {
    status: 2,
    stderr: /contains no expectations\nhint: /,
  })
})

t.test('links that lead out or round, and hundreds of files, hold up nothing', async (t) => {
  const root = t.testdir({
    site: { many: {}, 'f.txt': 'x' },
    other: { '.htaccess': 'Header set X y\nRequire all denied\n', 'f.txt': 'x' },
  })
  const site = join(root, 'site')
  for (let n = 0; n < 400; n++) writeFileSync(join(site, `many/${n}.txt`), '')
  symlinkSync(site, join(site, 'round'))
  symlinkSync(join(root, 'other'), join(site, 'out'))
  symlinkSync('nowhere', join(site, 'dangling'))
  const seen = await gatewright(['check', site])
  t.equal(seen.status, 0, seen.stderr)
  t.match(seen.stdout, /\n\/dangling +403 .*\n\/f\.txt +200 .*\n\/many\/, \/round\/ \(402\) +200 .*\n\/out\/ +403/)
  // A link is followed on request, and the rules at its target apply.
  t.match(await gatewright(['check', '--expect', '-', site], '/out/f.txt -> 403\n/round/f.txt -> 200\n/round -> 301 /round/\n'), {
    status: 0,
  })
})

t.test('names of folders and files may have any bytes', async (t) => {
  const root = t.testdir({ 'sü b': { '.htaccess': 'Require all denied\n', 'ü.txt': 'x' } })
  const { status, stdout } = await gatewright(
    ['check', '--expect', '-', join(root, 'sü b')],
    '"/\xc3\xbc.txt" -> 403\n/%C3%BC.txt -> 200\n',
  )
  t.equal(status, 1)
  t.match(stdout, /\nok 2 - GET \/\xc3\xbc\.txt -> 403\nnot ok 3 - [\s\S]*Require all denied \(\.htaccess:1\)/)
})

t.test('a run is repeated when something changes, also in new folders and after the tree was put in place anew', async (t) => {
  const root = t.testdir({ site: { '.htexpect': '/sub/f.txt -> 200\n' } })
  const site = join(root, 'site')
  const watch = new Watch(t, ['check', '--watch', site])
  await watch.until('not ok 1 - ')
  mkdirSync(join(site, 'sub'))
  writeFileSync(join(site, 'sub/f.txt'), 'x')
  await watch.until('ok 1 - GET /sub/f.txt')
  writeFileSync(join(site, 'sub/.htaccess'), 'Require all denied\n')
  await watch.until('not ok 2 - ')
  rmSync(site, { recursive: true })
  await watch.until('Bail out! ')
  mkdirSync(join(site, 'sub'), { recursive: true })
  writeFileSync(join(site, 'sub/f.txt'), 'x')
  writeFileSync(join(site, '.htexpect'), '/sub/f.txt -> 200\n')
  await watch.until('1..1\nok 1 - GET /sub/f.txt')
  t.equal(await watch.interrupt(), 0)
  t.notMatch(watch.whole, /\u001b/)
})

t.test(
  'a file that the user may not read is a mistake, and what is below it is closed',
  { skip: process.geteuid?.() !== 0 && 'needs root' },
  async (t) => {
    const root = t.testdir({ shut: { '.htaccess': '', 'f.txt': 'x' }, '.htexpect': '/shut/f.txt -> 403\n' })
    chmodSync(join(root, 'shut/.htaccess'), 0o600)
    const { status, stdout } = spawnSync(GATEWRIGHT, ['check', root], { uid: 65534, gid: 65534, encoding: 'utf8' })
    t.equal(status, 1)
    t.match(stdout, /\nnot ok 1 - shut\/\.htaccess .*\n.*\n.*\n {2}actual: "cannot be read: EACCES[\s\S]*\nok 2 - /)
  },
)

/** A run of `--watch`, and its output since the last check. */
class Watch {
  whole = ''
  #seen = 0
  readonly #child: ChildProcess
  #told: () => void = () => undefined

  constructor(t: Test, argv: readonly string[]) {
    this.#child = spawn(GATEWRIGHT, argv, { stdio: ['ignore', 'pipe', 'ignore'] })
    this.#child.stdout?.setEncoding('latin1').on('data', (chunk: string) => {
      this.whole += chunk
      this.#told()
    })
    t.teardown(() => this.#child.kill('SIGKILL'))
  }

  async until(text: string): Promise<void> {
    for (;;) {
      const at = this.whole.indexOf(text, this.#seen)
      if (at >= 0) {
        this.#seen = at + text.length
        return
      }
      await new Promise<void>((resolve) => {
        this.#told = resolve
      })
    }
  }

  /** @returns the exit status */
  interrupt(): Promise<number | null> {
    return new Promise((resolve) => {
      this.#child.on('exit', resolve)
      this.#child.kill('SIGINT')
    })
  }
}

function countOf(tap: string): { ok: boolean; count: number; fail: number } {
  for (const event of Parser.parse(tap)) {
    if (event[0] !== 'complete') continue
    const { ok, count, fail } = event[1]
    return { ok, count, fail }
  }
  throw new Error('the document does not end')
}
