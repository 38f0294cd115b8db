/** What an editor shows of files that people have: Debian's tree, Nextcloud's .htaccess file, a configuration of 2.2. */
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Editor } from './fixtures/editor.ts'
import { MODULES } from './fixtures/staged-server.ts'

const PROGRAM = join(MODULES, '../bin/gatewright')
const FILES = join(import.meta.dirname, 'fixtures/editor-files')
const DEBIAN = '/etc/apache2'

async function opened(t: Test, folder: string, file: string): Promise<Editor> {
  const editor = await Editor.start({ program: PROGRAM, folder })
  t.teardown(() => (editor.exit === null ? editor.close() : undefined))
  await editor.open(file, readFileSync(file, 'utf8'))
  return editor
}

t.test(
  "Debian's tree has no mistakes, its variables lead to no file, and its sections are found",
  {
    skip: !existsSync(join(DEBIAN, 'apache2.conf')) && 'apache2 is not installed',
  },
  async (t) => {
    const main = join(DEBIAN, 'apache2.conf')
    const editor = await opened(t, DEBIAN, main)
    t.strictSame(
      (await editor.until(main, () => true)).filter(({ severity }) => severity === 1),
      [],
    )
    const lines = readFileSync(main, 'utf8').split('\n')
    const line = lines.findIndex((each) => each.startsWith('ErrorLog ${APACHE_LOG_DIR}'))
    const at = lines[line].indexOf('APACHE') + 1
    t.ok((await editor.references(main, line, at)).length >= 1)
    t.equal(await editor.prepareRename(main, line, at), null, 'its value comes from the environment')
    const include = lines.findIndex((each) => each.startsWith('IncludeOptional mods-enabled/*.load'))
    t.ok((await editor.definition(main, include, 20)).every(({ uri }) => uri.includes('/mods-enabled/')))
    t.ok((await editor.symbols(main)).some(({ name }) => name.includes('/var/www')))
    t.equal(await editor.close(), 0)
  },
)

t.test("Nextcloud's .htaccess file has no mistakes, although modules in its conditions do not exist here", async (t) => {
  const folder = t.testdir({ cloud: {} })
  const file = join(folder, 'cloud/.htaccess')
  copyFileSync(join(FILES, 'nextcloud.htaccess'), file)
  const editor = await opened(t, folder, file)
  t.strictSame(await editor.until(file, () => true), [])
  t.match(await editor.hover(file, readFileSync(file, 'utf8').split('\n').indexOf('  RewriteEngine on'), 4), /RewriteEngine/)
  const labels = (await editor.complete(file, 0, 0)).map(({ label }) => label)
  t.ok(labels.includes('Require') && labels.includes('<IfModule>') && !labels.includes('Listen'))
  t.equal(await editor.close(), 0)
})

t.test('in a configuration of 2.2 each line that is gone is marked with what replaces it', async (t) => {
  const folder = t.testdir({})
  const file = join(folder, 'httpd.conf')
  mkdirSync(join(folder, 'logs'))
  copyFileSync(join(FILES, 'httpd-2.2.conf'), file)
  const editor = await opened(t, folder, file)
  const found = await editor.until(file, (all) => all.length > 6)
  const marked = found.map(({ range, message }) => `${range.start.line + 1}: ${String(message).replaceAll('\n', ' ')}`).join('\n')
  for (const one of [
    /^5: .*mod_authz_default/m,
    /^10: .*Order.*mod_access_compat/m,
    /^16: .*Satisfy.*mod_access_compat/m,
    /^20: .*LockFile.*removed in 2\.4: use Mutex/m,
  ])
    t.match(marked, one)
  t.notMatch(marked, /runs no code of other folders/)
  t.equal(await editor.close(), 0)
})
