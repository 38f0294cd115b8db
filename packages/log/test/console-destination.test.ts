import { closeSync, openSync, readFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ErrorRecord, isRecordDestination, LEVEL_NAMES, LEVELS, systemError } from '@gatewright/log'
import { ConsoleDestination, type ConsoleOptions } from '@gatewright/log/console'
import t, { type Test } from 'tap'

process.env.TZ = 'UTC'

const RECORD: ErrorRecord = {
  time: Date.UTC(2026, 10, 21, 5, 48, 24) + 91.28,
  module: 'authz_core',
  level: LEVELS.error,
  pid: 1,
  tid: 1,
  client: '127.0.0.1:55104',
  code: 'AH01630',
  message: 'client denied by server configuration: /x',
  referer: 'http://r/',
}

async function shown(t: Test, options: ConsoleOptions, use: (console: ConsoleDestination) => void): Promise<string> {
  const path = `${t.testdir()}/out`
  const fd = openSync(path, 'a')
  const console = new ConsoleDestination({ fd, ...options })
  use(console)
  await nextTurn()
  console.close()
  closeSync(fd)
  return readFileSync(path, 'latin1')
}

t.test('a message is one readable line with time, level, module, client and text', async (t) => {
  const text = await shown(t, {}, (console) => console.writeRecord(RECORD))
  t.equal(
    text,
    '[05:48:24.091] ERROR: authz_core: [client 127.0.0.1:55104] AH01630: client denied by server configuration: /x, referer: http://r/\n',
  )
})

t.test('system error and source place are shown as in the file', async (t) => {
  const text = await shown(t, {}, (console) => {
    console.writeRecord({
      ...RECORD,
      level: LEVELS.debug,
      sourceFile: 'a.c',
      sourceLine: 5,
      osError: systemError(13),
      referer: '',
    })
  })
  t.match(text, /DEBUG: authz_core: a\.c\(5\): \(13\)Permission denied: \[client /)
})

t.test('text is shown unchanged, even if it contains placeholders of the libraries', async (t) => {
  const message = '100%% %s %d %j {module} {msg} \\ "q"'
  const text = await shown(t, {}, (console) => console.writeRecord({ ...RECORD, message, referer: '' }))
  t.ok(text.endsWith('AH01630: 100%% %s %d %j {module} {msg} \\\\ "q"\n'), text)
})

t.test('control characters cannot reach the terminal', async (t) => {
  const text = await shown(t, {}, (console) => console.writeRecord({ ...RECORD, message: 'a\x1b[2Jb\r\nc\x9b' }))
  t.match(text, /a\\x1b\[2Jb\\r\\nc\\x9b, referer/)
})

t.test('every level has a name, and a colour on request', async (t) => {
  const text = await shown(t, { colors: 'always' }, (console) => {
    for (const name of LEVEL_NAMES) console.writeRecord({ ...RECORD, level: LEVELS[name] })
  })
  const lines = text.trimEnd().split('\n')
  t.equal(lines.length, 16)
  for (const [i, name] of LEVEL_NAMES.entries()) t.match(lines[i], new RegExp(`\\x1b\\[\\d+m${name.toUpperCase()}\\x1b\\[`), name)
})

t.test('finished lines and start-up messages are shown bare', async (t) => {
  const text = await shown(t, {}, (console) => {
    console.write('output of a program\n')
    console.writeRecord({
      ...RECORD,
      client: undefined,
      referer: '',
      code: 'AH00558',
      message: 'apache2: no name',
      startup: true,
    })
  })
  t.equal(text, 'output of a program\nAH00558: apache2: no name\n')
})

t.test('it asks for records', async (t) => {
  const fd = openSync(`${t.testdir()}/out`, 'a')
  const console = new ConsoleDestination({ fd })
  t.ok(isRecordDestination(console))
  console.close()
  closeSync(fd)
})
