import { join } from 'node:path'
import { parseConfigVars, readConfigVars } from '@gatewright/module-kit/config-vars'
import t from 'tap'

t.test('folders count from above the one of the file, and references are replaced', (t) => {
  const root = t.testdir({
    build: {
      'config_vars.mk': [
        'prefix = .',
        'exec_prefix = ${prefix}',
        'libexecdir = $(exec_prefix)/modules',
        'exp_sysconfdir = conf',
        'logfiledir = /var/log/httpd',
        'CC = node',
        'CFLAGS =',
        '# EXTRA = 1',
        'empty',
      ].join('\n'),
    },
  })
  const vars = readConfigVars(join(root, 'build/config_vars.mk'))
  t.strictSame(
    [...vars],
    [
      ['prefix', root],
      ['exec_prefix', root],
      ['libexecdir', join(root, 'modules')],
      ['exp_sysconfdir', join(root, 'conf')],
      ['logfiledir', '/var/log/httpd'],
      ['CC', 'node'],
      ['CFLAGS', ''],
    ],
  )
  t.end()
})

t.test('an undefined or circular reference is kept as written', (t) => {
  const vars = parseConfigVars('A = ${B}x\nB = ${A}y\nC = ${none}/z\nD = a = b\n', '/srv')
  t.strictSame(
    [...vars],
    [
      ['A', '${A}yx'],
      ['B', '${B}xy'],
      ['C', '${none}/z'],
      ['D', 'a = b'],
    ],
  )
  t.end()
})

t.test('a prefix that is empty, as Debian has it, stays empty', (t) => {
  const vars = parseConfigVars('prefix =\nsysconfdir = ${prefix}/etc/apache2\n', '/usr/share')
  t.equal(vars.get('prefix'), '')
  t.equal(vars.get('sysconfdir'), '/etc/apache2')
  t.end()
})
