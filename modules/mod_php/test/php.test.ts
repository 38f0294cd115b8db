import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { configError, hasPhpFpm, site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import { findFpm } from '../src/fpm-program.ts'
import php from '../src/index.ts'

const skip = hasPhpFpm() ? false : 'php8.2-fpm is not installed'
const modules = [authzCore, php]
const SHOW = '<?php foreach (explode(",", $_GET["n"]) as $name) echo ini_get($name), "|";'

t.test('PHP with the configuration of Debian', { skip }, async (t) => {
  const server = await site({
    modules,
    files: {
      'docs/show.php': SHOW,
      'docs/admin/show.php': SHOW,
      'docs/user/show.php': SHOW,
      'docs/user/.htaccess':
        'php_value memory_limit 99M\nphp_value upload_max_filesize 7M\nphp_flag log_errors off\nphp_value disable_functions system\nphp_value error_prepend_string "a\'b ${x} \\"c\\" ; d=e"\nphp_value default_charset none',
      'docs/admin/.htaccess': 'php_value memory_limit 99M',
      'docs/off/show.php': SHOW,
      'docs/a.jpg': '<?php echo "executed";',
      'docs/vars.php':
        '<?php echo $_SERVER["PHP_SELF"], "|", $_SERVER["PATH_INFO"] ?? "-", "|", $_SERVER["PHP_AUTH_USER"] ?? "-", "|", getenv("HTTP_PROXY") ?: "none";',
      'docs/body.php': '<?php echo $_SERVER["REQUEST_METHOD"], md5(file_get_contents("php://input"));',
      'docs/status.php': '<?php http_response_code((int) $_GET["s"]); error_log("noted"); echo "own";',
      'docs/set.php': '<?php var_dump(ini_set("memory_limit", "77M")); echo ini_get("memory_limit");',
      'docs/admin/set.php': '<?php var_dump(ini_set("memory_limit", "77M")); echo ini_get("memory_limit");',
    },
    config: `
<FilesMatch ".+\\.ph(?:ar|p|tml)$">
SetHandler application/x-httpd-php
</FilesMatch>
ErrorDocument 404 "own page"
php_value memory_limit 200M
<Directory "@ROOT@/docs">
AllowOverride Options
Require all granted
</Directory>
<Directory "@ROOT@/docs/admin">
php_admin_value memory_limit 64M
php_admin_flag display_errors on
</Directory>
<Directory "@ROOT@/docs/off">
php_admin_flag engine off
</Directory>`,
  })
  t.teardown(() => server.close())
  const body = async (target: string): Promise<string> => (await server.inject(target)).body

  t.test('settings of sections and .htaccess files take effect where they are, and nowhere else', async (t) => {
    for (let i = 0; i < 3; i++) {
      t.equal(await body('/show.php?n=memory_limit,display_errors'), '200M||')
      t.equal(await body('/user/show.php?n=memory_limit,upload_max_filesize,log_errors,default_charset'), '99M|7M|0||')
      t.equal(await body('/admin/show.php?n=memory_limit,display_errors'), '64M|1|')
    }
  })

  t.test('php_value changes only what PHP lets folders change', async (t) => {
    t.equal(await body('/user/show.php?n=disable_functions'), '|')
  })

  t.test('a value means itself, whatever characters it has', async (t) => {
    t.equal(await body('/user/show.php?n=error_prepend_string'), 'a\'b ${x} "c" ; d=e|')
  })

  t.test('scripts change what php_value has set, and not what php_admin_value has set', async (t) => {
    t.match(await body('/set.php'), '77M')
    t.match(await body('/admin/set.php'), 'bool(false)\n64M')
  })

  t.test('with the engine off, a script is a file', async (t) => {
    t.equal(await body('/off/show.php'), SHOW)
  })

  t.test('a file that is no script is not executed because the name of a script follows its own', async (t) => {
    for (const target of ['/a.jpg/.php', '/a.jpg/x.php', '/a.jpg%00.php', '/a.jpg%2fx.php']) {
      t.notMatch(await body(target), /^executed/, target)
    }
  })

  t.test('a missing script has the page of the server, and is logged', async (t) => {
    t.match(await server.inject('/none.php'), { status: 404, body: 'own page' })
    t.match(server.errors().join('\n'), /\[php:error\] .*script '.*\/none\.php' not found or unable to stat/)
  })

  t.test('a script gets its path, credentials, and no field Proxy', async (t) => {
    const headers = { Authorization: `Basic ${Buffer.from('alice:x').toString('base64')}`, Proxy: 'http://evil.test' }
    t.equal((await server.inject({ target: '/vars.php/a/b', headers })).body, '/vars.php/a/b|/a/b|alice|none')
  })

  t.test('bodies of any size arrive, with and without a length', async (t) => {
    for (const size of [0, 5, 20_000, 1_000_000]) {
      const sent = Buffer.alloc(size, 'xyz')
      const expected = `POST${createHash('md5').update(sent).digest('hex')}`
      t.equal((await server.inject({ method: 'POST', target: '/body.php', body: sent })).body, expected, String(size))
    }
    const chunked = { 'Transfer-Encoding': 'chunked' }
    const response = await server.inject({
      method: 'POST',
      target: '/body.php',
      headers: chunked,
      body: '5\r\nhello\r\n0\r\n\r\n',
    })
    t.equal(response.body, `POST${createHash('md5').update('hello').digest('hex')}`)
  })

  t.test('the status and messages of a script', async (t) => {
    t.match(await server.inject('/status.php?s=404'), { status: 404, body: 'own' })
    t.match(await server.inject('/status.php?s=418'), { status: 500, body: 'own' }, 'as in httpd, one without a phrase is a 500')
    t.match(server.errors().join('\n'), /\[php:notice\] .*\] noted/)
  })
})

t.test('more sets of settings than there may be replace those that were used longest ago', { skip }, async (t) => {
  const files: Record<string, string> = {}
  for (let i = 0; i < 40; i++) {
    files[`docs/${i}/show.php`] = SHOW
    files[`docs/${i}/.htaccess`] = `php_value memory_limit ${100 + i}M`
  }
  const config =
    '<FilesMatch "\\.php$">\nSetHandler application/x-httpd-php\n</FilesMatch>\n<Directory "@ROOT@/docs">\nAllowOverride All\nRequire all granted\n</Directory>'
  const server = await site({ modules, config, files })
  t.teardown(() => server.close())
  for (const i of [...Array(40).keys(), 0, 1])
    t.equal((await server.inject(`/${i}/show.php?n=memory_limit`)).body, `${100 + i}M|`)
})

t.test('mistakes of the configuration are reported', async (t) => {
  const complaint = (line: string): Promise<string | undefined> => configError({ modules, config: line })
  t.match(await complaint('php_value "a b" c'), "php_value: 'a b' is not the name of a setting")
  t.match(await complaint('php_flag "x] = 1" on'), "php_flag: 'x] = 1' is not the name of a setting")
  t.match(await complaint('PHPIniDir /nowhere/at/all'), 'PHPIniDir: /nowhere/at/all does not exist')
})

t.test('the newest PHP-FPM is used, and one without a version before all', (t) => {
  const folder = t.testdir({ 'php-fpm7.4': '', 'php-fpm8.10': '', 'php-fpm8.2': '', other: '' })
  t.equal(findFpm(folder, []), join(folder, 'php-fpm8.10'))
  const chosen = t.testdir({ 'php-fpm': '', 'php-fpm8.10': '' })
  t.equal(findFpm(chosen, []), join(chosen, 'php-fpm'))
  t.equal(findFpm('/nonexistent', []), null)
  t.end()
})
