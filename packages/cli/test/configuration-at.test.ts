import { join } from 'node:path'
import { ConfigError } from '@gatewright/core'
import t from 'tap'
import { configurationAt } from '../src/gatewright/configuration-at.ts'
import { exportedVariables } from '../src/gatewright/debian-environment.ts'

t.test('a file is relative to the current folder, and else to the folder of -d', async (t) => {
  const folder = t.testdir({ 'here.conf': '', root: { 'there.conf': '', 'apache2.conf': '' } })
  const before = process.cwd()
  process.chdir(folder)
  t.teardown(() => process.chdir(before))
  const root = join(folder, 'root')
  t.strictSame(configurationAt('here.conf', null), { serverRoot: folder, configFile: join(folder, 'here.conf') })
  t.strictSame(configurationAt('there.conf', 'root'), { serverRoot: root, configFile: join(root, 'there.conf') })
  t.strictSame(configurationAt(null, 'root'), { serverRoot: root, configFile: join(root, 'apache2.conf') })
})

t.test('a file that does not exist is reported with the places that were tried', async (t) => {
  const folder = t.testdir({})
  try {
    configurationAt(join(folder, 'no.conf'), null)
    t.fail('no error')
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    t.equal(error.message, `Could not open configuration file ${folder}/no.conf: No such file or directory`)
  }
})

t.test('exported variables of a shell script are read without executing it', async (t) => {
  const script = [
    'unset HOME',
    'SUFFIX=',
    'export APACHE_RUN_USER=www-data',
    'export APACHE_RUN_DIR=/var/run/apache2$SUFFIX',
    'export APACHE_PID_FILE="${APACHE_RUN_DIR}/apache2.pid" # a comment',
    "export QUOTED='$APACHE_RUN_USER'",
    'export COMMAND=$(touch /nowhere)',
    'LOCAL=x',
  ].join('\n')
  t.strictSame(exportedVariables(script, '/etc/apache2-second', {}), {
    APACHE_RUN_USER: 'www-data',
    APACHE_RUN_DIR: '/var/run/apache2-second',
    APACHE_PID_FILE: '/var/run/apache2-second/apache2.pid',
    QUOTED: '$APACHE_RUN_USER',
  })
})
