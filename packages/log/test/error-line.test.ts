import {
  createErrorLineFormatter,
  type ErrorRecord,
  formatErrorLine,
  formatSyslogLine,
  LEVELS,
  systemError,
} from '@gatewright/log'
import t from 'tap'

process.env.TZ = 'UTC'

const TIME = Date.UTC(2026, 10, 21, 5, 50, 5)

function denied(change: Partial<ErrorRecord>): ErrorRecord {
  return {
    time: TIME + 353.395,
    module: 'authz_core',
    level: LEVELS.error,
    pid: 12856,
    tid: 12860,
    client: '127.0.0.1:33278',
    code: 'AH01630',
    message: 'client denied by server configuration: /srv/gw/htdocs/deny',
    ...change,
  }
}

const ROWS: readonly (readonly [ErrorRecord, string])[] = [
  [
    {
      time: TIME + 17.715,
      module: 'mpm_event',
      level: LEVELS.notice,
      pid: 8621,
      tid: 8621,
      code: 'AH00489',
      message: 'Apache/2.4.71 (Debian) configured -- resuming normal operations',
    },
    '[Sat Nov 21 05:50:05.017715 2026] [mpm_event:notice] [pid 8621:tid 8621] AH00489: Apache/2.4.71 (Debian) configured -- resuming normal operations\n',
  ],
  [
    denied({ referer: 'http://ref.test/"x"' }),
    '[Sat Nov 21 05:50:05.353395 2026] [authz_core:error] [pid 12856:tid 12860] [client 127.0.0.1:33278] AH01630: client denied by server configuration: /srv/gw/htdocs/deny, referer: http://ref.test/"x"\n',
  ],
  [
    denied({
      level: LEVELS.debug,
      sourceFile: 'mod_authz_core.c',
      sourceLine: 815,
      code: 'AH01626',
      message: 'authorization result of Require all denied: denied',
    }),
    '[Sat Nov 21 05:50:05.353395 2026] [authz_core:debug] [pid 12856:tid 12860] mod_authz_core.c(815): [client 127.0.0.1:33278] AH01626: authorization result of Require all denied: denied\n',
  ],
  [
    denied({
      module: 'core',
      level: LEVELS.info,
      sourceFile: 'core.c',
      sourceLine: 1,
      code: 'AH00128',
      message: 'File does not exist: /x',
    }),
    '[Sat Nov 21 05:50:05.353395 2026] [core:info] [pid 12856:tid 12860] [client 127.0.0.1:33278] AH00128: File does not exist: /x\n',
  ],
  [
    denied({
      module: 'core',
      level: LEVELS.crit,
      osError: systemError(13),
      code: 'AH00529',
      message: '/srv/gw/.htaccess pcfg_openfile',
    }),
    '[Sat Nov 21 05:50:05.353395 2026] [core:crit] [pid 12856:tid 12860] (13)Permission denied: [client 127.0.0.1:33278] AH00529: /srv/gw/.htaccess pcfg_openfile\n',
  ],
  [
    denied({ module: 'proxy', client: undefined, remote: '127.0.0.1:8348', code: '', message: 'no code' }),
    '[Sat Nov 21 05:50:05.353395 2026] [proxy:error] [pid 12856:tid 12860] [remote 127.0.0.1:8348] no code\n',
  ],
  [
    denied({
      module: 'core',
      level: LEVELS.trace5,
      sourceFile: 'protocol.c',
      sourceLine: 713,
      code: undefined,
      message: 'Request received',
    }),
    '[Sat Nov 21 05:50:05.353395 2026] [core:trace5] [pid 12856:tid 12860] protocol.c(713): [client 127.0.0.1:33278] Request received\n',
  ],
]

t.test('each kind of line has the fields of httpd in the order of httpd', async (t) => {
  const format = createErrorLineFormatter()
  for (const [record, line] of ROWS) {
    t.equal(formatErrorLine(record), line)
    t.equal(format(record), line, 'with the clock kept')
  }
})

t.test('syslog gets the line without its time', async (t) => {
  for (const [record, line] of ROWS) t.equal(formatSyslogLine(record), line.slice(line.indexOf('] ') + 2))
})

t.test('a start-up message is bare but keeps its system error', async (t) => {
  const record: ErrorRecord = {
    time: TIME,
    module: 'core',
    level: LEVELS.crit,
    pid: 1,
    tid: 1,
    osError: systemError(98),
    code: 'AH00072',
    message: 'make_sock: could not bind to address 127.0.0.1:8303',
    startup: true,
  }
  const line = '(98)Address already in use: AH00072: make_sock: could not bind to address 127.0.0.1:8303\n'
  t.equal(formatErrorLine(record), line)
  t.equal(createErrorLineFormatter()(record), line)
  t.equal(formatSyslogLine(record), line)
})

t.test('message and referer are escaped, except for the double quote', async (t) => {
  t.match(formatErrorLine(denied({ message: 'a"b"c\x80\xe9\n' })), /AH01630: a"b"c\\x80\\xe9\\n\n$/)
  t.match(formatErrorLine(denied({ referer: 'http://r"\xe9/' })), /, referer: http:\/\/r"\\xe9\/\n$/)
  t.notMatch(formatErrorLine(denied({ referer: '' })), /referer/)
})

t.test('no line is longer than those of httpd, 8191 bytes with the line feed', async (t) => {
  const long = formatErrorLine(denied({ message: 'a'.repeat(9000) }))
  t.equal(long.length, 8191)
  t.ok(long.endsWith('a\n'))

  const room = 8191 - formatErrorLine(denied({ message: '' })).length
  t.equal(formatErrorLine(denied({ message: 'a'.repeat(room) })).length, 8191)
  t.equal(formatErrorLine(denied({ message: 'a'.repeat(room + 1) })).length, 8191)
  t.notMatch(formatErrorLine(denied({ message: 'a'.repeat(room - 5), referer: 'http://r/' })), /refer/, 'no room for the referer')
  t.match(formatErrorLine(denied({ message: 'a'.repeat(room - 15), referer: 'http://r/' })), /, referer: http\n$/)
})
