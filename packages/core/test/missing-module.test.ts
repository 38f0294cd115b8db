import t from 'tap'
import { missingModule } from '../src/modules/missing-module.ts'

function hintFor(file: string): string {
  const path = `/usr/lib/apache2/modules/${file}`
  return missingModule({ written: path, resolved: path, lookedFor: [path], foreign: true }).hint
}

t.test('a module that makes no sense here is refused with what serves its purpose', (t) => {
  const cases: readonly (readonly [file: string, words: string])[] = [
    ['mod_lua.so', 'mod_rewrite'],
    ['mpm_itk.so', 'an instance of the server for each user'],
    ['mod_security2.so', 'firewall'],
    ['mod_shib.so', 'mod_auth_form'],
    ['mod_php5.so', 'LoadModule php_module modules/mod_php.so'],
    ['mod_php7.4.so', 'LoadModule php_module modules/mod_php.so'],
    ['mod_perl.so', 'mod_cgid'],
    ['mod_python.so', 'mod_wsgi'],
    ['mod_passenger.so', 'puma'],
    ['mod_dav_svn.so', 'svnserve'],
    ['mod_privileges.so', 'Solaris'],
    ['mod_proxy_fdpass.so', 'ProxyPass unix:PATH'],
    ['mod_proxy_ftp.so', 'rclone serve http'],
    ['mod_evasive20.so', 'mod_request_rate'],
    ['mod_jk.so', 'mod_proxy_ajp'],
    ['mod_xsendfile.so', 'Location'],
  ]
  for (const [file, words] of cases) {
    const hint = hintFor(file)
    t.match(
      hint,
      new RegExp(`^${file.replace('.so', '').replaceAll('.', '\\.')} is not provided by this server: .*${words}`),
      file,
    )
    t.notMatch(hint, 'not provided by this server yet', file)
  }
  t.end()
})

t.test('other names have no alternative', (t) => {
  for (const file of ['mod_phpx.so', 'mod_luax.so', 'mod_mine.so'])
    t.equal(hintFor(file), `looked for /usr/lib/apache2/modules/${file}`)
  t.end()
})
