/**
 * What `a2enmod NAME` leads to on Debian's configuration without changes, for each module that Debian knows: the server accepts the
 * configuration, or ends with one sentence about the module that it does not provide.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t, { type Test } from 'tap'

const DIST = join(import.meta.dirname, '../../dist')
const STOCK = '/etc/apache2'
const skip = existsSync(join(STOCK, 'envvars')) ? false : 'needs the apache2 package of Debian'

/** A copy of the configuration in which a module is enabled with those that it needs, as by a2enmod. */
function treeWith(t: Test, module: string): string {
  const root = t.testdir()
  cpSync(STOCK, join(root, 'etc'), { recursive: true, verbatimSymlinks: true })
  for (const folder of ['run', 'log']) mkdirSync(join(root, folder))
  const enable = (name: string): void => {
    const load = join(root, `etc/mods-available/${name}.load`)
    if (existsSync(join(root, `etc/mods-enabled/${name}.load`))) return
    for (const end of ['load', 'conf']) {
      const file = join(root, `etc/mods-available/${name}.${end}`)
      if (existsSync(file)) cpSync(file, join(root, `etc/mods-enabled/${name}.${end}`))
    }
    const needed = /^# Depends:(.*)$/m.exec(readFileSync(load, 'utf8'))?.[1] ?? ''
    for (const other of needed.split(/[\s,]+/)) if (other !== '') enable(other)
  }
  enable(module)
  return root
}

for (const name of skip === false ? namesOfDebian() : []) {
  t.test(`a2enmod ${name} works, or is answered with one sentence`, (t) => {
    const root = treeWith(t, name)
    const own = `APACHE_PID_FILE=${root}/run/pid APACHE_RUN_DIR=${root}/run APACHE_LOCK_DIR=${root}/run APACHE_LOG_DIR=${root}/log`
    const command = `. ${root}/etc/envvars; export ${own}; exec ${DIST}/bin/httpd -d ${root}/etc -f apache2.conf -t`
    const { status, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' })
    const sentence = stderr.match(/^hint: (?:\S+: )?mod_\w+ is not provided by this server: .*$/gm) ?? []
    if (status === 0) {
      t.match(stderr, /Syntax OK/)
      t.same(sentence, [])
    } else {
      t.equal(sentence.length, 1, stderr)
      t.match(stderr, new RegExp(`mods-enabled/${name}\\.load: Cannot load `))
    }
    t.end()
  })
}

t.test('Debian knows more than a hundred modules', { skip }, (t) => {
  t.ok(namesOfDebian().length > 100)
  t.end()
})

function namesOfDebian(): string[] {
  return readdirSync(join(STOCK, 'mods-available'))
    .filter((file) => file.endsWith('.load'))
    .map((file) => basename(file, '.load'))
}
