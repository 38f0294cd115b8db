import { createServer, isSyslog } from '@gatewright/core'
import t from 'tap'
import { logProgram } from '../src/services/log-program.ts'
import { splitCommand } from '../src/services/split-command.ts'
import { syslogProgram } from '../src/services/syslog.ts'

t.test('a command line without a shell is split as httpd splits it', async (t) => {
  const words: readonly (readonly [string, readonly string[]])[] = [
    ['/bin/cat', ['/bin/cat']],
    ['  /bin/cat \t -u  ', ['/bin/cat', '-u']],
    ['a "b c" \'d "e\' f', ['a', 'b c', 'd "e', 'f']],
    ['f\\ g h"i j"', ['f g', 'h"i', 'j"']],
    ['"say \\"hi\\"" ""', ['say "hi"', '']],
    ['"open end', ['open end']],
    ['end\\', ['end\\']],
    ['', []],
  ]
  for (const [text, expected] of words) t.strictSame(splitCommand(text), expected, text)
})

t.test('bars determine who parses the command line', async (t) => {
  const direct = { name: '/bin/rotate -n 3 "a b"', file: '/bin/rotate', args: ['-n', '3', 'a b'] }
  t.match(logProgram('|/bin/rotate -n 3 "a b"'), direct)
  t.match(logProgram('||/bin/rotate -n 3 "a b"'), direct)
  t.match(logProgram('|$gzip > $HOME/x'), { name: 'gzip > $HOME/x', file: '/bin/sh', args: ['-c', 'gzip > $HOME/x'] })
  t.equal(logProgram('|cat').file, './cat', 'PATH is not searched')
})

t.test('syslog has a facility and a tag', async (t) => {
  const options = (target: string): string[] => syslogProgram(target, 'httpd').args.slice(-4)
  t.strictSame(options('syslog'), ['-p', 'local7.notice', '-t', 'httpd'])
  t.strictSame(options('Syslog:USER'), ['-p', 'user.notice', '-t', 'httpd'])
  t.strictSame(options('syslog::tag'), ['-p', 'local7.notice', '-t', 'tag'])
  t.strictSame(options('syslog:daemon:a:b'), ['-p', 'daemon.notice', '-t', 'a:b'])
  t.ok(isSyslog('syslog:'))
  t.notOk(isSyslog('syslog.log'), 'which is a file')
})

t.test('a server in one process does not start log programs, and reports that', async (t) => {
  await t.rejects(createServer({ config: 'ErrorLog "|/bin/cat"' }), {
    message: /AH00091: httpd: could not open error log file \|\/bin\/cat\.\nAH00015: /,
    hint: /^log programs start before/,
  })
})
