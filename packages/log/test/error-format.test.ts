import { compileErrorLogFormat, type ErrorRecord, LEVELS, systemError } from '@gatewright/log'
import t from 'tap'

process.env.TZ = 'UTC'

const MISSING: ErrorRecord = {
  time: Date.UTC(2026, 10, 21, 5, 50, 55) + 439.66,
  module: 'core',
  level: LEVELS.info,
  pid: 8731,
  tid: 8733,
  sourceFile: 'core.c',
  sourceLine: 4928,
  client: '127.0.0.1:50368',
  code: 'AH00128',
  message: 'File does not exist: /srv/gw/htdocs/missing',
  serverName: 'lab.test',
  connection: { peer: '10.0.0.1:50368', local: '127.0.0.1:8302', keepAlives: 0, logId: 'ogq58bLtEU0' },
  request: {
    serverName: 'vh.test',
    logId: 'aQq58bLtEU0',
    header: (name) => ({ referer: 'http://r/"x"\xe9', 'user-agent': 'curl/7.88.1' })[name.toLowerCase()],
    env: (name) => (name === 'EV' ? 'e"v\xe9\t.' : undefined),
    note: (name) => (name === 'set' ? 'noted' : undefined),
  },
}
const MESSAGE = 'AH00128: File does not exist: /srv/gw/htdocs/missing'

/** The line, or the message about an invalid format. */
function line(record: ErrorRecord, first: string, second?: string): string {
  const compiled = compileErrorLogFormat(first, second)
  return typeof compiled === 'string' ? compiled : (compiled.formatter?.(record) ?? 'cleared')
}

// All expectations below were compared with lines of httpd 2.4.71.
t.test('every item has its value', async (t) => {
  const rows: readonly (readonly [string, string])[] = [
    ['%a %{c}a %A', '127.0.0.1:50368 10.0.0.1:50368 127.0.0.1:8302'],
    ['%{EV}e %{Referer}i %{set}n', 'e"v\\xe9\\t. http://r/"x"\\xe9 noted'],
    ['%F %k %l %m', 'core.c(4928) 0 info core'],
    ['%L %{c}L %-{C}L', 'aQq58bLtEU0 ogq58bLtEU0 -'],
    ['%P %T %{g}T', '8731 8733 8733'],
    ['%v %V', 'lab.test vh.test'],
    ['%t', 'Sat Nov 21 05:50:55 2026'],
    ['%{u}t', 'Sat Nov 21 05:50:55.439660 2026'],
    ['%{c}t', '2026-11-21 05:50:55'],
    ['%{cu}t', '2026-11-21 05:50:55.439660'],
    ['%{cuz}t', '2026-11-21 05:50:55.439660 +0000'],
    ['%{z}t', 'Sat Nov 21 05:50:55 2026 +0000'],
    ['%{x}t', 'Sat Nov 21 05:50:55 2026'],
    ['%{%H:%M}t', '05:50'],
    ['%%', '%'],
  ]
  for (const [format, text] of rows) t.equal(line(MISSING, `${format} %M`), `${text} ${MESSAGE}\n`, format)
  t.equal(line({ ...MISSING, osError: systemError(13) }, '%E: %M'), `(13)Permission denied: ${MESSAGE}\n`)
})

t.test('a field with an empty item disappears with its literal text', async (t) => {
  t.equal(
    line(MISSING, '[%t] [%l] %7F: %E: [client\\ %a] %M% ,\\ referer\\ %{Referer}i'),
    `[Sat Nov 21 05:50:55 2026] [info] [client 127.0.0.1:50368] ${MESSAGE}, referer http://r/"x"\\xe9\n`,
  )
  t.equal(
    line(
      { ...MISSING, level: LEVELS.debug, osError: systemError(2), request: undefined },
      '[%t] [%l] %7F: %E: [client\\ %a] %M% ,\\ referer\\ %{Referer}i',
    ),
    `[Sat Nov 21 05:50:55 2026] [debug] core.c(4928): (2)No such file or directory: [client 127.0.0.1:50368] ${MESSAGE}\n`,
  )
  t.equal(line(MISSING, 'a%E:b c %M'), ` c ${MESSAGE}\n`)
  t.equal(line(MISSING, 'x%E%M'), `${MESSAGE}\n`, 'a message after the empty item stays')
  t.equal(line(MISSING, '%M%E'), '\n', 'a message before the empty item goes with its field')
})

t.test('modifiers print a hyphen or depend on the level of the message', async (t) => {
  t.equal(line(MISSING, '%-E %-{None}i %M'), `- - ${MESSAGE}\n`)
  t.equal(line(MISSING, '[%l]  %8l %6l %5l %M'), `[info] info info ${MESSAGE}\n`)
  t.equal(line({ ...MISSING, level: LEVELS.error }, '%6l %-5l %3l %M'), ` error ${MESSAGE}\n`)
})

t.test('blanks delimit fields unless they are escaped, and escapes are translated', async (t) => {
  t.equal(line(MISSING, '%m  %l\\q: %M'), `core  infoq: ${MESSAGE}\n`)
  t.equal(line(MISSING, '%l% %E% %m%M'), `infocore${MESSAGE}\n`)
  t.equal(line(MISSING, '%M\\nq\\tz\\\\w\\'), `${MESSAGE}\nq\tz\\w\\\n`)
})

t.test('a start-up message stays bare under any format', async (t) => {
  const record: ErrorRecord = { ...MISSING, client: undefined, code: 'AH00548', message: 'NameVirtualHost', startup: true }
  t.equal(line({ ...record, referer: undefined }, 'X %m %M'), 'AH00548: NameVirtualHost\n')
})

t.test('connection lines know the connection only', async (t) => {
  t.equal(
    line(MISSING, 'connection', '[%{uc}t] [C:%{c}L] conn from %a to %A v=%v'),
    '[2026-11-21 05:50:55.439660] [C:ogq58bLtEU0] conn from 10.0.0.1:50368 to 127.0.0.1:8302 v=lab.test\n',
  )
  t.equal(
    line(MISSING, 'Connection', 'l=%-l m=%-m L=%-L C=%{C}L V=%-V E=%-E F=%-F i=%-{User-Agent}i P=%P'),
    'l=- m=- L=- C=ogq58bLtEU0 V=- E=- F=- i=- P=8731\n',
  )
})

t.test('request lines know request and connection, and %+ drops the line', async (t) => {
  t.equal(
    line(MISSING, 'request', "[%t] [R:%L] UA:'%+{User-Agent}i'"),
    "[Sat Nov 21 05:50:55 2026] [R:aQq58bLtEU0] UA:'curl/7.88.1'\n",
  )
  t.equal(line(MISSING, 'request', 'R %+{None}i'), '')
  t.equal(
    line(MISSING, 'request', 'l=%-l m=%-m a=%a V=%V cL=%{c}L C=%-{C}L'),
    'l=- m=- a=127.0.0.1:50368 V=vh.test cL=ogq58bLtEU0 C=-\n',
  )
  t.equal(line(MISSING, 'request', '%{None}i'), '', 'a line without content is not written')
  t.equal(line(MISSING, 'request', ''), 'cleared')
})

t.test('wrong formats are refused with the words of httpd', async (t) => {
  const main: readonly (readonly [string, string])[] = [
    ['%t', "main ErrorLogFormat must contain message format string '%M'"],
    ['%Z %M', 'Unrecognized error log format directive %Z'],
    ['%M %', 'Ran off end of error log format parsing args to some directive'],
    ['%M %{abc', 'Ran off end of error log format parsing args to some directive'],
    ['%M %{a}', 'Ran off end of error log format parsing args to some directive'],
    ['%M %16l', 'The specified loglevel modifier is out of range'],
    ['%+l %M', "The '+' flag cannot be used in the main error log format"],
  ]
  for (const [format, message] of main) t.equal(compileErrorLogFormat(format), message, format)

  const once: readonly (readonly [string, string, string])[] = [
    ['foo', '%t', 'ErrorLogFormat type must be one of request, connection'],
    ['main', '%M', 'ErrorLogFormat type must be one of request, connection'],
    ['request', '%M', '%M cannot be used in once-per-request or once-per-connection formats'],
    ['connection', '%7+M', '%M cannot be used in once-per-request or once-per-connection formats'],
    ['request', '%7t', 'The loglevel cannot be used as a condition in once-per-request or once-per-connection formats'],
  ]
  for (const [kind, format, message] of once) t.equal(compileErrorLogFormat(kind, format), message, `${kind} ${format}`)
})
