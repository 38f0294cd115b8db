import {
  beforeLogsClose,
  type Condition,
  ExpressionError,
  type Request,
  registerLogItem,
  type Server,
  transactionOf,
} from '@gatewright/api'
import t from 'tap'
import { Bench } from '../../mod_env/test/fakes/bench.ts'
import { type FakeRequest, fakeRequest, mainServer, tableOf } from '../../mod_env/test/fakes/request.ts'
import type { LogConfig } from '../src/config.ts'
import logConfig from '../src/index.ts'
import { fakeTransaction } from './transaction.ts'

/** A module under test whose logs are kept in memory, by target. */
class LogBench {
  readonly written = new Map<string, string>()
  readonly bench: Bench<undefined, LogConfig>
  readonly atEnd: (() => void)[] = []
  onOpen: (target: string) => void = () => undefined
  readonly #folder: string

  constructor(folder: string, condition?: Condition) {
    this.#folder = folder
    const openLog = (target: string): { write(line: string): void } => {
      this.onOpen(target)
      if (target.includes('unwritable')) throw new Error('Permission denied')
      return { write: (text) => void this.written.set(target, (this.written.get(target) ?? '') + text) }
    }
    this.bench = new Bench(logConfig, {
      services: { openLog },
      configServices: condition === undefined ? {} : { condition: () => condition },
    })
    this.bench.functions.offer(transactionOf, (request: Request) => fakeTransaction({ request }))
  }

  start(): unknown {
    const start = this.bench.start()
    return this.bench.hook('checkConfig')(start) ?? this.bench.hook('openLogs')(start)
  }

  serve(server: Server = mainServer, changes: Partial<FakeRequest> = {}): void {
    this.bench.hook('logTransaction')(fakeRequest({ server, ...changes }))
  }

  text(name: string): string {
    return this.written.get(`${this.#folder}/${name}`) ?? ''
  }
}

t.test('the directive table has the contexts of each directive', async (t) => {
  const table = Object.entries(logConfig.directives ?? {}).map(([name, { kind, scope, context, override }]) => [
    name,
    kind,
    scope,
    context.join(' '),
    override ?? '-',
  ])
  t.same(table, [
    ['LogFormat', 'take12', 'server', 'server virtualhost', '-'],
    ['CustomLog', 'take23', 'server', 'server virtualhost', '-'],
    ['GlobalLog', 'take23', 'server', 'server', '-'],
    ['TransferLog', 'take1', 'server', 'server virtualhost', '-'],
    ['BufferedLogs', 'flag', 'server', 'server virtualhost', '-'],
  ])
})

const ERRORS: readonly (readonly [line: string, error: string | undefined])[] = [
  ['LogFormat %Z', 'Unrecognized LogFormat directive %Z'],
  ['LogFormat "%{abc" x', 'Ran off end of LogFormat parsing args to some directive'],
  ['CustomLog a "%h" foo', 'error in condition clause'],
  ['CustomLog a "%h" env=', 'missing environment variable name'],
  ['CustomLog a "%h" env=!', 'missing environment variable name'],
  ['CustomLog a "%h" expr=', 'missing condition'],
  ['CustomLog a "%h" "expr=bad x"', 'syntax error'],
  ['CustomLog a "%h" ENV=x', undefined],
  ['CustomLog a "%h" expr=true', undefined],
  ['CustomLog a x%Zy', 'Unrecognized LogFormat directive %Z'],
  ['GlobalLog a %h', undefined],
  ['TransferLog a', undefined],
]

for (const [line, expected] of ERRORS) {
  t.test(`${line} is ${expected === undefined ? 'accepted' : 'an error'}`, async (t) => {
    t.equal(new Bench(logConfig).main(line), expected)
  })
}

t.test('a nickname may be defined after its use, and an unknown nickname is a format', async (t) => {
  const folder = t.testdir()
  const logs = new LogBench(folder)
  logs.bench.main(
    `CustomLog ${folder}/nick short`,
    `CustomLog ${folder}/none nosuchnick`,
    `CustomLog ${folder}/clf CLF`,
    'LogFormat "%m %U" SHORT',
  )
  t.equal(logs.start(), undefined)
  logs.serve(mainServer, { uri: '/x' })
  t.equal(logs.text('nick'), 'GET /x\n')
  t.equal(logs.text('none'), 'nosuchnick\n')
  t.match(logs.text('clf'), /^192\.0\.2\.7 - - \[.*\] "GET \/ HTTP\/1\.1" 200 6\n$/)
})

t.test('TransferLog writes the default format, which may be a nickname', async (t) => {
  const folder = t.testdir()
  const plain = new LogBench(folder)
  plain.bench.main(`TransferLog ${folder}/transfer`)
  plain.start()
  plain.serve()
  t.match(plain.text('transfer'), /^192\.0\.2\.7 - - \[.*\] "GET \/ HTTP\/1\.1" 200 6\n$/)
  const given = new LogBench(folder)
  given.bench.main('LogFormat "given %m" g', 'LogFormat g', `TransferLog ${folder}/transfer`)
  given.start()
  given.serve()
  t.equal(given.text('transfer'), 'given GET\n')
})

t.test('a virtual host writes its own logs and the global ones, or all of the main server', async (t) => {
  const folder = t.testdir()
  const logs = new LogBench(folder)
  logs.bench.main('LogFormat "main" n', `CustomLog ${folder}/main n`, `GlobalLog ${folder}/global n`)
  const silent = logs.bench.virtualHost('LogFormat "redefined" n').server
  const own = logs.bench.virtualHost('LogFormat "own" n', `CustomLog ${folder}/own n`).server
  t.equal(logs.start(), undefined)
  logs.serve(silent)
  t.equal(logs.text('main') + logs.text('global') + logs.text('own'), 'main\nmain\n')
  logs.serve(own)
  t.equal(logs.text('main'), 'main\n')
  t.equal(logs.text('global'), 'main\nmain\n')
  t.equal(logs.text('own'), 'own\n')
  logs.serve(mainServer)
  t.equal(logs.text('own'), 'own\n')
  t.equal(logs.text('main'), 'main\nmain\n')
})

t.test('env= checks whether a variable is set, even if it is empty', async (t) => {
  const folder = t.testdir()
  const logs = new LogBench(folder)
  logs.bench.main(`CustomLog ${folder}/yes y env=want`, `CustomLog ${folder}/no n env=!want`)
  logs.start()
  logs.serve(mainServer, { env: tableOf({ WANT: '' }) })
  t.equal(logs.text('yes') + logs.text('no'), 'y\n')
  logs.serve()
  t.equal(logs.text('yes') + logs.text('no'), 'y\nn\n')
})

t.test('conditions apply to the request as it was sent', async (t) => {
  const folder = t.testdir()
  const logs = new LogBench(folder, { mentions: new Set(), match: () => null, test: (request) => request.status >= 400 })
  const original = fakeRequest({ status: 404, env: tableOf({ want: '1' }) })
  logs.bench.functions.offer(transactionOf, () => fakeTransaction({ original, final: fakeRequest({ status: 200 }) }))
  logs.bench.main(`CustomLog ${folder}/env e env=want`, `CustomLog ${folder}/expr x "expr=%{REQUEST_STATUS} -ge 400"`)
  logs.start()
  logs.serve()
  t.equal(logs.text('env') + logs.text('expr'), 'e\nx\n')
})

t.test('if a condition cannot be evaluated, that is logged and the line is omitted', async (t) => {
  const folder = t.testdir()
  const condition: Condition = {
    mentions: new Set(),
    match: () => null,
    test: () => {
      throw new ExpressionError('no file')
    },
  }
  const logs = new LogBench(folder, condition)
  logs.bench.main(`CustomLog ${folder}/a x expr=1`)
  logs.start()
  logs.serve()
  t.equal(logs.text('a'), '')
  t.match(logs.bench.log, [{ level: 'warn', code: 'AH00644', text: 'Error evaluating log condition: no file' }])
})

t.test('a missing folder fails the check, with the place of the line', async (t) => {
  const folder = t.testdir({ file: '' })
  const missing = new LogBench(folder)
  missing.bench.main('CustomLog /no/such/e.log %h')
  t.match(missing.start(), {
    code: 'AH02297',
    message: "Cannot access directory '/no/such/' for log file '/no/such/e.log' defined at /srv/conf/httpd.conf:1",
    cause: { code: 'ENOENT' },
  })
  const inFile = new LogBench(folder)
  inFile.bench.main(`CustomLog ${folder}/file/x %h`)
  t.match(inFile.start(), {
    cause: { code: 20, text: 'Not a directory' },
    message: /^Cannot access directory '.*\/file\/' for log file /,
  })
  const piped = new LogBench(folder)
  piped.bench.main('CustomLog "|/no/such/program" %h')
  t.equal(piped.start(), undefined)
})

t.test('a log that cannot be opened stops the start, and is logged', async (t) => {
  const folder = t.testdir()
  const logs = new LogBench(folder)
  logs.bench.main(`CustomLog ${folder}/unwritable %h`)
  t.equal(logs.start(), '')
  t.match(logs.bench.log, [{ level: 'error', code: 'AH00649', text: `could not open transfer log file ${folder}/unwritable.` }])
})

t.test('a check opens nothing', async (t) => {
  const folder = t.testdir()
  const logs = new LogBench(folder)
  logs.bench.main(`CustomLog ${folder}/unwritable %h`)
  const start = logs.bench.start({ checkOnly: true })
  t.equal(logs.bench.hook('checkConfig')(start), undefined)
  t.equal(logs.bench.hook('openLogs')(start), undefined)
})

t.test('a program is opened as soon as the configuration is known, for a check too', async (t) => {
  const logs = new LogBench(t.testdir())
  const opened: string[] = []
  logs.onOpen = (target) => opened.push(target)
  logs.bench.main(`CustomLog "|/bin/rotate a b" %h`, `CustomLog ${t.testdirName}/a %h`, 'TransferLog "|$gzip > x"')
  const start = logs.bench.start({ checkOnly: true })
  t.equal(logs.bench.hook('checkConfig')(start), undefined)
  t.strictSame(opened, ['|/bin/rotate a b', '|$gzip > x'])
})

t.test('a program that cannot be opened stops the start with the reason', async (t) => {
  const logs = new LogBench(t.testdir())
  logs.bench.main(`CustomLog "|unwritable" %h`)
  t.strictSame(logs.start(), {
    code: 'AH00649',
    message: 'could not open transfer log file |unwritable.',
    hint: 'Permission denied',
  })
})

t.test('BufferedLogs also buffers lines for programs', async (t) => {
  const logs = new LogBench(t.testdir())
  logs.bench.functions.offer(beforeLogsClose, (run: () => void) => void logs.atEnd.push(run))
  logs.bench.main(`CustomLog "|/bin/cat" x`, 'BufferedLogs On')
  logs.start()
  logs.serve()
  logs.serve()
  t.equal(logs.written.get('|/bin/cat'), undefined)
  for (const run of logs.atEnd) run()
  t.equal(logs.written.get('|/bin/cat'), 'x\nx\n')
})

t.test('other modules add items', async (t) => {
  const folder = t.testdir()
  const logs = new LogBench(folder)
  logs.bench.functions.get(registerLogItem)?.('^XY', (argument) => (request) => `${argument}:${request.uri}`)
  logs.bench.main(`CustomLog ${folder}/a %{q}^XY`)
  t.equal(logs.start(), undefined)
  logs.serve(mainServer, { uri: '/u' })
  t.equal(logs.text('a'), 'q:/u\n')
})

t.test('an undefined item is reported with the line that uses it', async (t) => {
  const folder = t.testdir()
  const logs = new LogBench(folder)
  logs.bench.main('LogFormat %^XY nick', `CustomLog ${folder}/a nick`)
  t.match(logs.start(), {
    message: 'Unrecognized LogFormat directive %^',
    place: { file: '/srv/conf/httpd.conf', line: 1 },
  })
})

t.test('BufferedLogs buffers up to 4096 bytes and writes the rest when the worker ends', async (t) => {
  const folder = t.testdir()
  const logs = new LogBench(folder)
  logs.bench.functions.offer(beforeLogsClose, (run: () => void) => void logs.atEnd.push(run))
  logs.bench.main(`CustomLog ${folder}/a ${'x'.repeat(1023)}`, 'BufferedLogs On')
  logs.start()
  for (let i = 0; i < 4; i++) logs.serve()
  t.equal(logs.text('a'), '')
  logs.serve()
  t.equal(logs.text('a').length, 4096)
  for (const run of logs.atEnd) run()
  t.equal(logs.text('a').length, 5120)
})

t.test('if the host does not report the end of a worker, lines are written at once', async (t) => {
  const folder = t.testdir()
  const logs = new LogBench(folder)
  logs.bench.main(`CustomLog ${folder}/a x`, 'BufferedLogs On')
  logs.start()
  logs.serve()
  t.equal(logs.text('a'), 'x\n')
})
