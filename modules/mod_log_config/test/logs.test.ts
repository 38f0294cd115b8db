import { type AnyModule, beforeLogsClose, defineModule, type HostServices, registerLogItem } from '@gatewright/api'
import {
  altered,
  configError,
  headerVariables,
  moduleLog,
  observedHook,
  type SiteOptions,
  site,
  type TestServer,
  withServices,
} from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import logConfig from '../src/index.ts'

/** Logs that are kept in memory, by the last part of their target. */
class MemoryLogs {
  readonly opened: string[] = []
  readonly #written = new Map<string, string>()

  readonly openLog: HostServices['openLog'] = (target) => {
    const name = target.replace(/^[^|].*\//, '')
    this.opened.push(name)
    if (target.includes('unwritable')) throw new Error('Permission denied')
    return { write: (text) => void this.#written.set(name, this.text(name) + text), flush: () => undefined }
  }

  text(name: string): string {
    return this.#written.get(name) ?? ''
  }
}

interface LogSite extends Starting {
  readonly server: TestServer
  get(target?: string, headers?: Readonly<Record<string, string>>): Promise<void>
}

interface Starting {
  readonly logs: MemoryLogs
  readonly checked: ReturnType<typeof observedChecks>
  readonly options: SiteOptions
}

function observedChecks(logs: MemoryLogs, module: typeof logConfig) {
  return observedHook(withServices(module, { openLog: logs.openLog }), 'checkConfig')
}

/** A server that is not started yet. */
function starting(lines: readonly string[], more: readonly AnyModule[] = [], module: typeof logConfig = logConfig): Starting {
  const logs = new MemoryLogs()
  const checked = observedChecks(logs, module)
  const modules = [headerVariables, authzCore, checked.module, ...more]
  return { logs, checked, options: { modules, config: lines.join('\n'), files: { 'docs/x': 'hello\n' } } }
}

async function started(t: Test, setUp: Starting): Promise<LogSite> {
  const server = await site(setUp.options)
  t.teardown(() => server.close())
  return {
    ...setUp,
    server,
    get: async (target = '/x', headers = {}) => {
      await server.inject({ target, headers, remoteAddress: '192.0.2.7' })
    },
  }
}

const CLF_LINE = /^192\.0\.2\.7 - - \[.*\] "GET \/x HTTP\/1\.1" 200 6\n$/

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
  ['CustomLog a "%h" "expr=bad x"', "syntax error, unexpected T_ID, expecting '('"],
  ['CustomLog a "%h" ENV=x', undefined],
  ['CustomLog a "%h" expr=true', undefined],
  ['CustomLog a x%Zy', 'Unrecognized LogFormat directive %Z'],
  ['GlobalLog a %h', undefined],
  ['TransferLog a', undefined],
]

for (const [line, expected] of ERRORS) {
  t.test(`${line} is ${expected === undefined ? 'accepted' : 'an error'}`, async (t) => {
    t.equal(await configError({ modules: [logConfig], config: line }), expected)
  })
}

t.test('a nickname may be defined after its use, and an unknown nickname is a format', async (t) => {
  const lines = [
    'CustomLog logs/nick short',
    'CustomLog logs/none nosuchnick',
    'CustomLog logs/clf CLF',
    'LogFormat "%m %U" SHORT',
  ]
  const { logs, get } = await started(t, starting(lines))
  await get()
  t.equal(logs.text('nick'), 'GET /x\n')
  t.equal(logs.text('none'), 'nosuchnick\n')
  t.match(logs.text('clf'), CLF_LINE)
})

t.test('TransferLog writes the default format, which may be a nickname', async (t) => {
  const plain = await started(t, starting(['TransferLog logs/transfer']))
  await plain.get()
  t.match(plain.logs.text('transfer'), CLF_LINE)
  const given = await started(t, starting(['LogFormat "given %m" g', 'LogFormat g', 'TransferLog logs/transfer']))
  await given.get()
  t.equal(given.logs.text('transfer'), 'given GET\n')
})

t.test('a virtual host writes its own logs and the global ones, or all of the main server', async (t) => {
  const host = (name: string, ...lines: string[]): string[] => [
    '<VirtualHost 127.0.0.1:80>',
    `ServerName ${name}`,
    ...lines,
    '</VirtualHost>',
  ]
  const { logs, get } = await started(
    t,
    starting([
      'LogFormat "main" n',
      'CustomLog logs/main n',
      'GlobalLog logs/global n',
      ...host('silent.test', 'LogFormat "redefined" n'),
      ...host('own.test', 'LogFormat "own" n', 'CustomLog logs/own n'),
    ]),
  )
  const all = (): string => logs.text('main') + logs.text('global') + logs.text('own')
  await get('/x', { Host: 'silent.test' })
  t.equal(all(), 'main\nmain\n')
  await get('/x', { Host: 'own.test' })
  t.equal(logs.text('main'), 'main\n')
  t.equal(logs.text('global'), 'main\nmain\n')
  t.equal(logs.text('own'), 'own\n')
  const main = await started(
    t,
    starting([
      'LogFormat "main" n',
      'CustomLog logs/main n',
      ...host('own.test', 'CustomLog logs/own n').map((line) => line.replace(':80', ':81')),
    ]),
  )
  await main.get()
  t.equal(main.logs.text('own'), '')
  t.equal(main.logs.text('main'), 'main\n')
})

t.test('env= checks whether a variable is set, even if it is empty', async (t) => {
  const { logs, get } = await started(t, starting(['CustomLog logs/yes y env=want', 'CustomLog logs/no n env=!want']))
  await get('/x', { 'X-Env': 'WANT=' })
  t.equal(logs.text('yes') + logs.text('no'), 'y\n')
  await get()
  t.equal(logs.text('yes') + logs.text('no'), 'y\nn\n')
})

t.test('conditions apply to the request as it was sent', async (t) => {
  const lines = [
    'CustomLog logs/env e env=want',
    'CustomLog logs/expr x "expr=%{REQUEST_STATUS} -ge 400 && %{REQUEST_URI} == \'/missing\'"',
    'ErrorDocument 404 /x',
  ]
  const { logs, get } = await started(t, starting(lines))
  await get('/missing', { 'X-Env': 'want=1' })
  t.equal(logs.text('env') + logs.text('expr'), 'e\nx\n')
})

t.test('if a condition cannot be evaluated, that is logged and the line is omitted', async (t) => {
  const { server, logs, get } = await started(t, starting([`CustomLog logs/a x "expr=file('/nonexistent') == 'x'"`]))
  await get()
  t.equal(logs.text('a'), '')
  t.match(moduleLog(server, 'log_config').at(-1), 'warn AH00644: Error evaluating log condition: Cannot open file /nonexistent')
})

t.test('a missing folder fails the check, with the place of the line', async (t) => {
  const missing = starting(['CustomLog /no/such/e.log %h'])
  await t.rejects(site(missing.options), { message: /AH02297: Cannot access directory/ })
  t.match(missing.checked.calls[0].result, {
    code: 'AH02297',
    message: /^Cannot access directory '\/no\/such\/' for log file '\/no\/such\/e\.log' defined at .*\/conf\/httpd\.conf:3$/,
    cause: { code: 'ENOENT' },
  })
  const folder = t.testdir({ file: '' })
  const inFile = starting([`CustomLog ${folder}/file/x %h`])
  await t.rejects(site(inFile.options))
  t.match(inFile.checked.calls[0].result, {
    cause: { code: 20, text: 'Not a directory' },
    message: /^Cannot access directory '.*\/file\/' for log file /,
  })
  const piped = await started(t, starting(['CustomLog "|/no/such/program" %h']))
  t.equal(piped.checked.calls[0].result, undefined)
})

t.test('a log that cannot be opened stops the start, and is logged', async (t) => {
  const written: string[] = []
  const module: typeof logConfig = {
    ...logConfig,
    register(host) {
      const write: typeof host.log.write = (_subject, level, code, text) => void written.push(`${level} ${code}: ${text}`)
      return logConfig.register?.(altered(host, { log: altered(host.log, { write }) }))
    },
  }
  const { options } = starting(['CustomLog /tmp/unwritable %h'], [], module)
  await t.rejects(site(options))
  t.same(written, ['error AH00649: could not open transfer log file /tmp/unwritable.'])
})

t.test('a check opens nothing', async (t) => {
  const setUp = starting(['CustomLog logs/a %h'])
  const opening = observedHook(setUp.checked.module, 'openLogs')
  const { logs, checked } = await started(t, {
    ...setUp,
    options: { ...setUp.options, modules: [authzCore, opening.module] },
  })
  t.strictSame(logs.opened.splice(0), ['a'])
  const check = altered(opening.calls[0].args[0], { checkOnly: true })
  t.equal(await checked.functions[0](check), undefined)
  t.equal(await opening.functions[0](check), undefined)
  t.strictSame(logs.opened, [])
})

t.test('a program is opened as soon as the configuration is known, for a check too', async (t) => {
  const checking: typeof logConfig = {
    ...logConfig,
    register(host) {
      const checkConfig: typeof host.hooks.checkConfig = {
        add: (fn, order) => host.hooks.checkConfig.add((start) => fn(altered(start, { checkOnly: true })), order),
      }
      return logConfig.register?.(
        altered(host, { hooks: altered(host.hooks, { checkConfig, openLogs: { add: () => undefined } }) }),
      )
    },
  }
  const lines = ['CustomLog "|/bin/rotate a b" %h', 'CustomLog logs/a %h', 'TransferLog "|$gzip > x"']
  const { logs, checked } = await started(t, starting(lines, [], checking))
  t.equal(checked.calls[0].result, undefined)
  t.strictSame(logs.opened, ['|/bin/rotate a b', '|$gzip > x'])
})

t.test('a program that cannot be opened stops the start with the reason', async (t) => {
  const { options, checked } = starting(['CustomLog "|unwritable" %h'])
  await t.rejects(site(options))
  t.strictSame(checked.calls[0].result, {
    code: 'AH00649',
    message: 'could not open transfer log file |unwritable.',
    hint: 'Permission denied',
  })
})

t.test('BufferedLogs also buffers lines for programs', async (t) => {
  const { logs, get, server } = await started(t, starting(['CustomLog "|/bin/cat" x', 'BufferedLogs On']))
  await get()
  await get()
  t.equal(logs.text('|/bin/cat'), '')
  await server.close()
  t.equal(logs.text('|/bin/cat'), 'x\nx\n')
})

t.test('other modules add items', async (t) => {
  const adding = defineModule({
    name: 'adding_module',
    source: 'mod_adding.c',
    register({ hooks, functions }) {
      hooks.preConfig.add(() => functions.get(registerLogItem)?.('^XY', (argument) => (request) => `${argument}:${request.uri}`))
    },
  })
  const { logs, get, checked } = await started(t, starting(['CustomLog logs/a %{q}^XY'], [adding]))
  t.equal(checked.calls[0].result, undefined)
  await get('/u')
  t.equal(logs.text('a'), 'q:/u\n')
})

t.test('an undefined item is reported with the line that uses it', async (t) => {
  const { options, checked } = starting(['LogFormat %^XY nick', 'CustomLog logs/a nick'])
  await t.rejects(site(options))
  t.match(checked.calls[0].result, {
    message: 'Unrecognized LogFormat directive %^',
    place: { file: /\/conf\/httpd\.conf$/, line: 3 },
  })
})

t.test('BufferedLogs buffers up to 4096 bytes and writes the rest when the worker ends', async (t) => {
  const { logs, get, server } = await started(t, starting([`CustomLog logs/a ${'x'.repeat(1023)}`, 'BufferedLogs On']))
  for (let i = 0; i < 4; i++) await get()
  t.equal(logs.text('a'), '')
  await get()
  t.equal(logs.text('a').length, 4096)
  await server.close()
  t.equal(logs.text('a').length, 5120)
})

t.test('if the host does not report the end of a worker, lines are written at once', async (t) => {
  const module: typeof logConfig = {
    ...logConfig,
    register(host) {
      const functions = altered(host.functions, {
        get: (key) => (key.name === beforeLogsClose.name ? undefined : host.functions.get(key)),
      })
      return logConfig.register?.(altered(host, { functions }))
    },
  }
  const { logs, get } = await started(t, starting(['CustomLog logs/a x', 'BufferedLogs On'], [], module))
  await get()
  t.equal(logs.text('a'), 'x\n')
})
