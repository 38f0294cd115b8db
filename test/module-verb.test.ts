import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { API_VERSION, isModule } from '@gatewright/api'
import { formatStamp, parseStamp } from '@gatewright/api/stamp'
import t from 'tap'
import { buildGateFiles, type GateFiles } from './fixtures/gate-files.ts'
import { gatewright } from './fixtures/gatewright.ts'
import { MODULES } from './fixtures/staged-server.ts'

let folder: string
let files: GateFiles
t.before(async () => {
  folder = t.testdir()
  files = await buildGateFiles(folder)
})

t.test('a module that was built here is described, and would be loaded', async (t) => {
  const { status, stdout, stderr } = await gatewright(['module', files.good])
  t.match({ status, stderr }, { status: 0, stderr: '' })
  const digest = parseStamp(readFileSync(files.good, 'utf8').split('\n', 1)[0])?.digest
  t.strictSame(stdout.split('\n'), [
    files.good,
    '  module      probe_module, source mod_probe.c',
    `  built for   API ${API_VERSION}, cookie AP24, module magic number 20120211`,
    '  directives  none',
    '  hooks       handler',
    '  providers   none',
    '  declares    nothing',
    '  signed by   nobody',
    `  digest      ${digest}, which the file has`,
    `  verdict     passes the gate: LoadModule probe_module ${files.good}`,
    '',
  ])
})

t.test('a rejected module is reported with the message of LoadModule and a solution, and the status is 1', async (t) => {
  const expected: readonly (readonly [keyof GateFiles, RegExp])[] = [
    ['old', /^ {2}verdict {5}refused: API module structure 'old_module' in file \S+ is garbled - .* but saw 41503232 - /m],
    ['newer', /^ {2}verdict {5}refused: Module "mod_probe\.c" is not compatible .*\(found 20120211:99, need 20120211:\d+\)/m],
    ['otherLine', /\(found 20260101, need 20120211\)/],
    ['unstamped', /^ {2}verdict {5}refused: Cannot load .*its first line is not a stamp$/m],
    ['damaged', /^ {2}digest {6}[0-9a-f]{64}, but the file has [0-9a-f]{64}$/m],
  ]
  for (const [kind, said] of expected) {
    const { status, stdout } = await gatewright(['module', files[kind]])
    t.equal(status, 1, kind)
    t.match(stdout, said)
    t.match(stdout, /^ {2}hint {8}\S/m)
  }
  const { stdout } = await gatewright(['module', files.damaged])
  t.match(stdout, 'refused: Cannot load')
})

t.test('nothing of a module is run, not even of one that would be loaded', async (t) => {
  const witness = join(folder, 'witness')
  const trap = join(folder, 'mod_trap.mjs')
  writeFileSync(trap, `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(witness)}, '')\n`)
  const { stampModule } = await import('@gatewright/module-kit')
  const line = { cookie: 'AP24', api: API_VERSION, magic: 20120211 }
  stampModule(trap, { module: 'trap_module', source: 'mod_trap.c' }, line)
  const { status, stdout } = await gatewright(['module', trap])
  t.equal(status, 0)
  t.match(stdout, /^ {2}directives {2}not recorded: the file was built before API 2\.4\.4$/m)
  t.throws(() => readFileSync(witness), { code: 'ENOENT' })
})

t.test('several files are reported one after the other, as data on request', async (t) => {
  const { status, stdout } = await gatewright(['module', '--json', files.good, files.old])
  t.equal(status, 1)
  const [good, old] = JSON.parse(stdout)
  t.match(good, {
    file: files.good,
    loads: true,
    refusal: null,
    intact: true,
    stamp: { module: 'probe_module', contents: { hooks: ['handler'] } },
  })
  t.match(old, {
    loads: false,
    intact: true,
    stamp: { cookie: 'AP22' },
    refusal: { message: /garbled/, hint: /2\.2 module API/ },
  })
})

t.test('a name can be specified, and a path can be that of a configuration of httpd', async (t) => {
  const asked = await gatewright(['module', '-n', 'other_module', files.good])
  t.equal(asked.status, 1)
  t.match(asked.stdout, "Can't locate API module structure `other_module' in file")
  const so = await gatewright(['module', files.good.replace(/mjs$/, 'so')])
  t.match(so, { status: 0, stdout: new RegExp(`^${files.good}\\n`) })
})

t.test('a file that is not a module is reported as at the start of the server', async (t) => {
  const link = join(folder, 'mod_device.mjs')
  symlinkSync('/dev/zero', link)
  t.match((await gatewright(['module', link])).stdout, /refused: .*: cannot read file data: Not a regular file$/m)
  t.match((await gatewright(['module', join(folder, 'none.mjs')])).stdout, /refused: .*: No such file or directory$/m)
  writeFileSync(join(folder, 'mod_c.so'), '\x7fELF\x02\x01\x01', 'latin1')
  t.match(
    (await gatewright(['module', join(folder, 'mod_c.so')])).stdout,
    /refused: .*: a module for httpd, which this server cannot run$/m,
  )
  t.match((await gatewright(['module', folder])).stdout, /refused: .*: Is a directory$/m)
})

t.test('a stamp whose contents are malformed is as good as one without', async (t) => {
  const stamp = parseStamp(readFileSync(files.good, 'utf8').split('\n', 1)[0])
  t.ok(stamp)
  if (stamp === undefined) return
  const { contents, ...rest } = stamp
  t.strictSame(parseStamp(formatStamp({ ...rest, contents: 7 as never })), rest)
  t.strictSame(parseStamp(formatStamp(stamp)), stamp)
})

t.test('the directives that a stamp records are those that the module has', async (t) => {
  for (const name of readdirSync(MODULES).filter((each) => each.endsWith('.mjs'))) {
    const file = join(MODULES, name)
    const exported: unknown = (await import(pathToFileURL(file).href)).default
    t.ok(isModule(exported), name)
    if (!isModule(exported)) continue
    const contents = parseStamp(readFileSync(file, 'utf8').split('\n', 1)[0])?.contents
    t.strictSame(contents?.directives, Object.keys(exported.directives ?? {}), name)
  }
})

t.test('the command line is explained', async (t) => {
  t.match(await gatewright(['module', '--help']), { status: 0, stdout: /^Usage: gatewright module / })
  t.match(await gatewright(['module']), { status: 2, stderr: /^gatewright module: name a module file\n\nUsage: / })
  t.match(await gatewright(['module', '--nonsense']), { status: 2 })
  t.match((await gatewright(['--help'])).stdout, /^ {2}module /m)
})
