import { HTTPD_VERSION } from '@gatewright/api'
import { parseConfigVars } from '@gatewright/module-kit/config-vars'
import t from 'tap'
import { installation, UnknownVariable } from '../../src/apxs/installation.ts'
import { answerQuery, printAll } from '../../src/apxs/query.ts'

const VARS = parseConfigVars(
  'prefix = .\nsbindir = bin\nbindir = bin\nlibexecdir = modules\nsysconfdir = conf\nincludedir = include\ninstallbuilddir = build\nprogname = httpd\nCC = node\nCFLAGS =\n',
  '/srv/gw',
)

function answer(names: readonly string[], settings: readonly string[] = []): readonly string[] {
  const lines: string[] = []
  answerQuery(installation(VARS, settings), names, { out: (line) => lines.push(line), err: (line) => lines.push(`! ${line}`) })
  return lines
}

t.test('the names that build scripts query have values, in both spellings', (t) => {
  t.strictSame(answer(['INCLUDEDIR', 'includedir']), ['/srv/gw/include;;/srv/gw/include'])
  t.strictSame(answer(['SBINDIR', 'TARGET']), ['/srv/gw/bin;;httpd'])
  t.strictSame(answer(['PREFIX', 'LIBEXECDIR', 'sysconfdir']), ['/srv/gw;;/srv/gw/modules;;/srv/gw/conf'])
  t.strictSame(answer(['CC', 'CFLAGS', 'LIBTOOL', 'APR_BINDIR', 'EXTRA_CPPFLAGS']), ['node;;;;;;;;'])
  t.strictSame(answer(['MPM_NAME']), ['event'])
  t.strictSame(answer(['HTTPD_VERSION', 'HTTPD_MMN']), [`${HTTPD_VERSION};;20120211`])
  t.strictSame(answer(['target', 'progname']), ['httpd;;httpd'])
  t.end()
})

t.test('an unknown name is rejected in every position', (t) => {
  t.throws(() => answer(['NOPE']), /^Invalid query string `NOPE'$/)
  t.throws(() => answer(['TARGET', 'toString']), /^Invalid query string `toString'$/)
  t.end()
})

t.test('-S changes what apxs knows by itself, and nothing else', (t) => {
  t.strictSame(answer(['LIBEXECDIR', 'TARGET'], ['LIBEXECDIR=/opt/a=b', 'TARGET=apache2']), ['/opt/a=b;;apache2'])
  t.equal(installation(VARS, ['LIBEXECDIR=/opt/x']).modules, '/opt/x')
  t.throws(() => installation(VARS, ['NOPE=1']), new UnknownVariable('no config variable NOPE'))
  t.throws(() => installation(VARS, ['PREFIX']), new UnknownVariable('malformatted -S option'))
  t.end()
})

t.test('everything is printed as assignments in the order of the file, or aligned by name', (t) => {
  const lines: string[] = []
  const console = { out: (line: string) => lines.push(line), err: (line: string) => t.fail(line) }
  printAll(installation(VARS, []), 'plain', console)
  t.strictSame(lines.slice(0, 3), ['prefix=/srv/gw', 'sbindir=/srv/gw/bin', 'bindir=/srv/gw/bin'])
  lines.length = 0
  printAll(installation(VARS, []), 'aligned', console)
  t.strictSame(lines.slice(0, 3), ['bindir          = /srv/gw/bin', 'CC              = node', 'CFLAGS          = '])
  t.end()
})
