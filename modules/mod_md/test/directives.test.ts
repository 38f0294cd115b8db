import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, FileSource, loadConfiguration, TextSource } from '@gatewright/core'
import { serverRoot } from '@gatewright/testing'
import t from 'tap'
import md from '../src/index.ts'
import { LINES } from './lines.ts'

const HTTPD = '/usr/sbin/apache2'
const MODULES = '/usr/lib/apache2/modules'
const skip = existsSync(join(MODULES, 'mod_md.so')) && existsSync(HTTPD) ? false : 'Apache httpd with mod_md is not installed'

t.test('every line is accepted, or refused with the same words, as by Apache httpd', { skip }, async (t) => {
  const { root, remove } = serverRoot({
    'conf/empty.json': '{}',
    'conf/nonsense.json': 'nonsense',
    'conf/kid.json': '{"kid": "a"}',
    'conf/both.json': '{"kid": "a", "hmac": "b"}',
  })
  t.teardown(remove)
  for (const line of LINES) {
    const theirs = refusalOfHttpd(root, line)
    const ours = await ourRefusal(root, line)
    t.equal(withoutPlace(ours), withoutPlace(theirs), line)
  }
})

/** What httpd says of a configuration; '' when it accepts it. */
function refusalOfHttpd(root: string, line: string): string {
  const file = join(root, 'conf/oracle.conf')
  const modules = ['mpm_event', 'md', 'ssl', 'authz_core'].map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`)
  writeFileSync(
    file,
    [`ServerRoot ${root}`, 'ServerName localhost', 'Listen 127.0.0.1:1', `ErrorLog ${root}/error_log`, ...modules, line, ''].join(
      '\n',
    ),
  )
  const { status, stderr } = spawnSync(HTTPD, ['-t', '-f', file], { encoding: 'utf8' })
  return status === 0 ? '' : (stderr.trim().split('\n').at(-1) ?? '')
}

/** What this server says of it. */
async function ourRefusal(root: string, line: string): Promise<string> {
  const configFile = join(root, 'conf/httpd.conf')
  try {
    await loadConfiguration({
      program: 'httpd',
      serverRoot: root,
      configFile,
      defines: [],
      before: ['ErrorLog /dev/null', 'ServerName localhost', 'Listen 127.0.0.1:1'],
      after: [],
      source: new TextSource(new Map([[configFile, line]]), new FileSource()),
      environment: {},
      report: () => undefined,
      builtIn: [md],
      skipDocumentRootCheck: true,
      checkOnly: true,
    })
    return ''
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

/** Names of files are not compared. */
function withoutPlace(text: string): string {
  return text.replace(/ in file \S+/, '').replace(/\/\S+\/conf\//, 'conf/')
}
